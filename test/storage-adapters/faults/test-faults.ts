import type {ExecutionContext, TestFn} from 'ava';
import type {Owner} from '../../support/gateway.js';
import {type Program, suiteWith} from '../../support/programs.js';
import {Relay} from '../../support/servers/relay.js';
import {SmallDisk, whyNoSmallDisk} from '../../support/servers/small-disk.js';
import {expectedOf, type Refusal, Scene, valuesIn} from './scene.js';
import {ALL_SERVICES, ALL_WRITES} from './writes.js';

/** A server that storage is on, and how it is broken. */
export interface Server {
  readonly port: number;
  readonly process: {
    start(): Promise<void>;
    stop(): Promise<void>;
    kill(): Promise<void>;
    /** Nothing of it goes on until `resume`. */
    pause(): void;
    resume(): void;
  };
}

export interface FaultOptions {
  readonly name: string;
  readonly needs: readonly Program[];
  /** Starts a server, its data in `folder` where one is given. */
  readonly server: (t: Owner, folder?: string) => Promise<Server>;
  /** `storage` of the gateway's configuration for a server behind this port. */
  readonly storage: (port: number) => object;
}

const WRITERS = 4;

interface Broken {
  readonly server: Server;
  readonly relay: Relay;
  readonly scene: Scene;
}

/** What a storage that is a server of its own must survive, and how it tells meanwhile. */
export function testFaults(test: TestFn, options: FaultOptions): void {
  const {name, needs} = options;

  const start = async (t: Owner, folder?: string): Promise<Broken> => {
    const server = await options.server(t, folder);
    const relay = await Relay.to(t, server.port);
    return {server, relay, scene: await Scene.start(t, options.storage(relay.port))};
  };
  const faulty = (title: string, body: (t: ExecutionContext, broken: Broken) => Promise<void>): void => {
    test.serial(`${name}: ${title}`, async t => body(t, await start(t)));
  };

  suiteWith(test, needs, `the faults of ${name}`, () => {
    faulty(
      'a stopped server is told as unavailable, and serves again without a restart of the gateway',
      async (t, {scene, server}) => {
        await scene.writeAll();
        await server.process.stop();
        await isUnavailable(t, scene);
        await scene.becomesReady(false);
        await server.process.start();
        await scene.becomesReady(true);
        await scene.verify(t);
      },
    );

    faulty('connections that are refused or reset are told as unavailable', async (t, {scene, relay}) => {
      await scene.writeAll();
      relay.refuse();
      await isUnavailable(t, scene);
      await scene.becomesReady(false);
      relay.heal();
      await scene.becomesReady(true);
      await scene.verify(t);
    });

    faulty('connections that were closed meanwhile make no error', async (t, {scene, relay}) => {
      await scene.writeAll();
      await Promise.all(ALL_SERVICES.map(service => scene.range(service)));
      relay.cut();
      await scene.verify(t);
      relay.cut();
      t.is(await scene.write(0), undefined);
    });

    faulty(
      'a server that does not answer is told as a timeout, and what was sent meanwhile is stored',
      async (t, {scene, server}) => {
        const [last = 0, ...others] = ALL_WRITES.toReversed();
        await scene.writeAll(others);
        server.process.pause();
        const [service = ''] = ALL_SERVICES;
        const [metrics, trace] = await Promise.all([scene.range(service), scene.trace(0)]);
        t.deepEqual([metrics.status, metrics.json().errorType], [503, 'timeout'], metrics.text);
        t.is(trace.status, 504, trace.text);
        await scene.becomesReady(false);
        const waiting = scene.write(last);
        server.process.resume();
        await scene.becomesReady(true);
        if ((await waiting) !== undefined) await writeUntilAcknowledged(scene, last);
        await scene.verify(t);
      },
    );

    faulty('an answer that breaks off is an error, never a part of the truth', async (t, {scene, relay}) => {
      await scene.writeAll();
      for (const bytes of [1, 150, 400, 700]) {
        relay.cutAfter(bytes);
        for (const service of ALL_SERVICES.slice(0, 3)) {
          const answer = await scene.range(service);
          if (answer.status === 200) t.deepEqual(valuesIn(answer), expectedOf(service));
          else t.deepEqual([answer.status, answer.json().errorType], [503, 'unavailable'], answer.text);
        }
      }
      relay.cutAfter(1);
      t.is((await scene.range(ALL_SERVICES[0] ?? '')).status, 503);
      relay.heal();
      await scene.becomesReady(true);
      await scene.verify(t);
    });

    faulty(
      'no acknowledged write is lost when the server is killed, and one sent again is stored once',
      async (t, {scene, server}) => {
        let acknowledged = 0;
        const refusals: Refusal[] = [];
        const queue = [...ALL_WRITES];
        const writer = async (): Promise<void> => {
          for (let write = queue.shift(); write !== undefined; write = queue.shift()) {
            refusals.push(...(await writeUntilAcknowledged(scene, write)));
            acknowledged++;
          }
        };
        const writers = Promise.all(Array.from({length: WRITERS}, writer));
        for (const count of [5, 20, 40]) {
          while (acknowledged < count) await new Promise(resolve => setTimeout(resolve, 1));
          await server.process.kill();
          await server.process.start();
        }
        await writers;
        t.true(refusals.length > 0, 'the server was killed amid writes');
        for (const {status, error} of refusals) t.is(status, 503, error);
        await scene.verify(t);
        await scene.writeAll();
        await scene.verify(t);
      },
    );
  });

  fullDisk(test, options, start);
}

function fullDisk(
  test: TestFn,
  {name, needs}: FaultOptions,
  start: (t: Owner, folder: string) => Promise<Broken>,
): void {
  const title = `${name}: a full disk refuses writes, answers reads, and takes writes again once there is space`;
  const reason = whyNoSmallDisk();
  if (reason !== undefined && process.env.REQUIRE_SERVERS !== '1') {
    test.skip(`${title} (skipped: ${reason})`, t => t.fail(reason));
    return;
  }
  suiteWith(test, needs, title, () => {
    test.serial(title, async t => {
      const disk = await SmallDisk.mount(t, 300);
      const {scene} = await start(t, disk.folder);
      const [last = 0, ...others] = ALL_WRITES.toReversed();
      await scene.writeAll(others);
      await disk.fill();
      // A server may have set some space aside: it is used up as well.
      let refusal = await scene.write(last);
      for (let i = 0; refusal === undefined && i < 100; i++) refusal = await scene.writeLarge(i);
      t.is(refusal?.status, 502, refusal?.error);
      t.regex(refusal?.error ?? '', /no space/i);
      const [service = ''] = ALL_SERVICES;
      t.is((await scene.range(service)).status, 200);
      await disk.free();
      await writeUntilAcknowledged(scene, last);
      await scene.verify(t);
    });
  });
}

/** Reads and writes are refused with the code of a storage that cannot be reached. */
async function isUnavailable(t: ExecutionContext, scene: Scene): Promise<void> {
  const [service = ''] = ALL_SERVICES;
  const [metrics, trace, refusal] = await Promise.all([scene.range(service), scene.trace(0), scene.write(0)]);
  t.deepEqual([metrics.status, metrics.json().errorType], [503, 'unavailable'], metrics.text);
  t.is(trace.status, 503, trace.text);
  t.is(refusal?.status, 503, refusal?.error);
}

/** Sends it until it is taken; the refusals before. */
export async function writeUntilAcknowledged(scene: Scene, write: number): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (let refusal = await scene.write(write); refusal !== undefined; refusal = await scene.write(write)) {
    refusals.push(refusal);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return refusals;
}
