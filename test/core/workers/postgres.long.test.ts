import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {Agent, request} from 'undici';
import {type RunningGateway, startGateway} from '../../support/gateway.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {type Answered, KeptClient} from './kept-client.js';
import {kill, statusOf, until} from './scene.js';

/** How often what was acknowledged is read again, and how often a worker is killed, once a second. */
const READS = Number(process.env.WORKER_READS ?? 160);
/** So many write and read beside each other, each what is its own. */
const WRITERS = 8;
const KILLS = Number(process.env.WORKER_KILLS ?? 5);
const CLIENTS = Number(process.env.WORKER_CLIENTS ?? 8);
const MINUTE = 1_700_000_040;

const METRIC = '{"record":"metric","name":"service_cpm","scope":"Service","kind":"common"}\n';
const sample = (service: string, value: number): string =>
  `{"record":"sample","metric":"service_cpm","layer":"GENERAL","service":"${service}","time":${MINUTE},"value":${value}}\n`;
const span = (traceId: string): string =>
  JSON.stringify([
    {traceId, id: '1', name: 'get', timestamp: MINUTE * 1e6, duration: 5, localEndpoint: {serviceName: 'songs'}},
  ]);
const idOf = (number: number): string => number.toString(16).padStart(32, '0');

const configOf = (url: string) => ({
  workers: 2,
  listeners: {metrics: {port: 0}, traces: {port: 0}, ingest: {port: 0}, admin: {port: 0}},
  storage: {use: 'postgres', config: {url}},
  plugins: [
    {use: 'promql-subset', listener: 'metrics'},
    {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
    {use: 'ingest', listener: 'ingest'},
  ],
});

/** Over a connection of its own each time, or over those that are kept. */
async function send(url: string, dispatcher: Agent, body?: string): Promise<Answered> {
  const options = body === undefined ? {dispatcher} : {dispatcher, method: 'POST' as const, body};
  const {statusCode: status, body: answer} = await request(url, options);
  return {status, text: await answer.text()};
}

const query = (service: string): string =>
  `/api/v1/query?time=${MINUTE}&query=${encodeURIComponent(`service_cpm{layer='GENERAL',service='${service}'}`)}`;

const valueIn = (text: string): string | undefined =>
  (JSON.parse(text) as {data: {result: {value: [number, string]}[]}}).data.result[0]?.value[1];

suiteWith(test, 'postgres', 'two workers over PostgreSQL', () => {
  const server = sharedPostgres(test);

  async function start(t: ExecutionContext): Promise<RunningGateway> {
    const running = await server();
    return startGateway(t, {config: configOf(running.url(await running.database()))});
  }

  test.serial('what is acknowledged is read through every worker at once', async t => {
    const {urls} = await start(t);
    // A connection each time goes to the one and the other worker in turn.
    const fresh = new Agent({pipelining: 0});
    const {status} = await send(`${urls.ingest}/ingest/v1/metrics`, fresh, METRIC);
    t.is(status, 202);
    const write = async (songs: string, i: number): Promise<void> => {
      const writes = [
        send(`${urls.ingest}/ingest/v1/metrics`, fresh, sample(songs, i) + sample(`service ${i}`, i)),
        send(`${urls.ingest}/api/v2/spans`, fresh, span(idOf(i))),
      ];
      t.deepEqual(
        (await Promise.all(writes)).map(({status: of}) => of),
        [202, 202],
      );
      const reads = [1, 2].flatMap(() => [
        send(urls.metrics + query(songs), fresh).then(({text}) => valueIn(text)),
        send(urls.metrics + query(`service ${i}`), fresh).then(({text}) => valueIn(text)),
        send(`${urls.traces}/compat/api/traces/${idOf(i)}`, fresh).then(({status: of}) => of),
      ]);
      t.deepEqual(await Promise.all(reads), [`${i}`, `${i}`, 200, `${i}`, `${i}`, 200]);
    };
    const writer = async (_: unknown, at: number): Promise<void> => {
      for (let i = at + 1; i <= READS; i += WRITERS) await write(`songs ${at}`, i);
    };
    await Promise.all(Array.from({length: WRITERS}, writer));
    await fresh.close();
  });

  test.serial('a metric that one worker has declared is known to every other at once', async t => {
    const {urls} = await start(t);
    const fresh = new Agent({pipelining: 0});
    for (let i = 1; i <= 20; i++) {
      const records = (METRIC + sample('songs', i)).replaceAll('service_cpm', `cpm_${i}`);
      t.is((await send(`${urls.ingest}/ingest/v1/metrics`, fresh, records)).status, 202);
      const path = query('songs').replace('service_cpm', `cpm_${i}`);
      const answers = await Promise.all([1, 2].map(() => send(urls.metrics + path, fresh)));
      t.deepEqual(
        answers.map(({status, text}) => (status === 200 ? valueIn(text) : text)),
        [`${i}`, `${i}`],
      );
    }
    await fresh.close();
  });

  test.serial('a worker that is killed again and again fails its own requests, and no answer is wrong', async t => {
    const gateway = await start(t);
    const {urls} = gateway;
    const admin = new Agent({pipelining: 0});
    await send(`${urls.ingest}/ingest/v1/metrics`, admin, METRIC + sample('songs', 42));
    const failures = new Map<string, number>();
    const resets = {kept: 0, fresh: 0, begun: 0};
    const wrong: string[] = [];
    const acknowledged: number[] = [];
    let answered = 0;
    let isOver = false;
    const again = async (once: (client: KeptClient) => Promise<void>): Promise<void> => {
      const client = new KeptClient(resets);
      while (!isOver) {
        try {
          await once(client);
          answered++;
        } catch (error) {
          const {code = String(error)} = error as NodeJS.ErrnoException;
          failures.set(code, (failures.get(code) ?? 0) + 1);
        }
      }
      client.close();
    };
    let written = 0;
    const readers = Array.from({length: CLIENTS - 1}, () =>
      again(async client => {
        const {status, text} = await client.get(urls.metrics + query('songs'));
        if (status !== 200 || valueIn(text) !== '42') wrong.push(`${status} ${text}`);
      }),
    );
    const writer = again(async client => {
      const id = ++written;
      const {status, text} = await client.post(`${urls.ingest}/api/v2/spans`, span(idOf(id)));
      if (status === 202) acknowledged.push(id);
      else wrong.push(`${status} ${text}`);
    });
    for (let killed = 0; killed < KILLS; killed++) {
      await sleep(1000);
      // A machine that is slow needs more than a second for a new one.
      await until(async () => (await statusOf(gateway)).workers.some(({state}) => state === 'ok'));
      const there = (await statusOf(gateway)).workers.filter(({state}) => state === 'ok');
      kill(there[killed % there.length]?.pid);
    }
    await sleep(1000);
    isOver = true;
    await Promise.all([...readers, writer]);
    const reset = resets.kept + resets.fresh + resets.begun;
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
    const shares = {reset: reset / (answered + reset), failed: failed / (answered + failed)};
    t.log({answered, resets, failures: Object.fromEntries(failures), shares, written});
    t.deepEqual(wrong, []);
    t.deepEqual(
      [...failures.keys()].filter(code => !['ECONNRESET', 'EPIPE'].includes(code)),
      [],
    );
    // Of a worker, the request on each of its connections.
    t.true(reset <= KILLS * CLIENTS);
    for (const id of acknowledged) {
      const {status} = await send(`${urls.traces}/compat/api/traces/${idOf(id)}`, admin);
      if (status !== 200) t.fail(`the span ${id} was acknowledged and is not there`);
    }
    await admin.close();
    t.is(await gateway.stop(), 0);
  });
});
