import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {type ErrorCode, GatewayError} from '../../../core/api/adapter.js';
import {QueryMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {batch, metric} from '../../../storage-adapters/conformance/data/metrics.js';
import {nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import type {Faults} from '../../fixtures/banyandb/server/faults.js';
import {call, callWith} from '../support/calls.js';
import {openScene, type Scene, type SceneOptions} from './support/open-adapter.js';

const NOW = Math.floor(Date.now() / 60_000) * 60;
const ENTITY = {layer: 'GENERAL', service: 'songs'};
const NAME = 'service_cpm';
const START = (NOW - 600) * 1000;

const data: SceneOptions['data'] = seeder => {
  seeder.metrics(
    batch({metrics: [metric(NAME)], samples: [{metric: NAME, entity: ENTITY, time: NOW - 600, value: 7}]}),
  );
  seeder.segments([segment('t', 't.1', [nativeSpan(0, START)])]);
};

const window = {step: 'minute', first: NOW - 600, count: 1} as const;

async function value({adapter}: Scene, signal = call.signal): Promise<number | undefined> {
  const request = {metric: await adapter.metric(NAME), entity: ENTITY, valueFilters: new Map(), window};
  return (await adapter.metrics.values(request, callWith(signal)))[0]?.values[0];
}

async function fails(t: ExecutionContext, work: Promise<unknown>, code: ErrorCode, says: RegExp): Promise<void> {
  const error = await t.throwsAsync(work);
  t.true(GatewayError.is(error), String(error));
  if (!GatewayError.is(error)) return;
  t.is(error.code, code, error.message);
  t.regex(error.message, says);
}

/** Who asks right after a fault may still take part in a read that began during it. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(50);
    }
  }
}

interface Fault {
  readonly title: string;
  readonly inflict: (faults: Faults) => void;
  readonly code: ErrorCode;
  readonly says: RegExp;
  readonly config?: SceneOptions['config'];
}

const FAULTS: readonly Fault[] = [
  {
    title: 'a leader that is lost',
    inflict: faults => faults.loseLeader(QueryMeasure),
    code: 'storage_unavailable',
    says: /BanyanDB at 127\.0\.0\.1:\d+ cannot be reached: no leader/,
  },
  {
    title: 'a server without memory',
    inflict: faults => faults.exhaust(QueryMeasure),
    code: 'overloaded',
    says: /has too much to do: memory limit exceeded/,
  },
  {
    title: 'a query over its quota',
    inflict: faults => faults.exceedQuota(QueryMeasure),
    code: 'overloaded',
    says: /quota exceeded/,
  },
  {
    title: 'a slow server',
    inflict: faults => faults.slowDown(60_000, QueryMeasure),
    code: 'timeout',
    says: /has not answered within 6000 ms \(option timeout\)/,
    config: {timeout: 6000},
  },
  {
    title: 'a server that panics',
    inflict: faults => faults.refuse(2, 'code: STATUS_INTERNAL_ERROR, msg: panic', QueryMeasure),
    code: 'storage_failed',
    says: /has failed: code: STATUS_INTERNAL_ERROR/,
  },
  {
    title: 'credentials that were changed',
    inflict: faults => faults.refuse(16, 'Invalid credentials', QueryMeasure),
    code: 'storage_failed',
    says: /options username and password/,
  },
];

for (const {title, inflict, code, says, config = {}} of FAULTS) {
  test(`${title} is told as ${code}, and is over when it is over`, async t => {
    const scene = await openScene(t, {data, config: {metadataCache: 0, ...config}});
    const [liaison] = scene.fake.liaisons;
    if (liaison === undefined) return t.fail();
    t.is(await value(scene), 7, 'before');
    inflict(liaison.faults);
    await fails(t, value(scene), code, says);
    liaison.faults.clear();
    t.is(await eventually(() => value(scene)), 7, 'after');
  });
}

test('an answer larger than maxMessageSize is refused, naming the option', async t => {
  const scene = await openScene(t, {
    data: seeder =>
      seeder.segments([segment('t', 't.1', [nativeSpan(0, START, {tags: [{key: 'k', value: 'x'.repeat(200_000)}]})])]),
    config: {maxMessageSize: 65_536},
  });
  await fails(t, scene.adapter.native.trace('t', call), 'limit_exceeded', /option maxMessageSize/);
});

for (const [title, inflict] of [
  ['is down', (scene: Scene) => scene.fake.liaisons[0]?.stop()],
  ['has lost its leader', (scene: Scene) => scene.fake.liaisons[0]?.faults.loseLeader()],
  ['has too much to do', (scene: Scene) => scene.fake.liaisons[0]?.faults.exhaust()],
  ['refuses the user', (scene: Scene) => scene.fake.liaisons[0]?.faults.refuse(16, 'Invalid credentials')],
] as const) {
  test(`when one endpoint ${title} another is asked`, async t => {
    const scene = await openScene(t, {data, fake: {liaisons: 2}, config: {metadataCache: 0}});
    inflict(scene);
    for (let i = 0; i < 6; i++) t.is(await value(scene), 7, `question ${i}`);
    t.true(scene.adapter.warnings.length <= 2, JSON.stringify(scene.adapter.warnings));
  });
}

test('health names the endpoints that do not answer, and whether others do', async t => {
  const scene = await openScene(t, {data, fake: {liaisons: 2}, config: {metadataCache: 0}});
  const [first, second] = scene.fake.liaisons;
  if (first === undefined || second === undefined) return t.fail();
  const health = () => scene.adapter.storage.health(call.signal);
  const settled = async () => {
    // A channel connects when it is first used, and one that lost its server waits a little before it does so again.
    for (let tries = 0; tries < 100 && (await health()).status !== 'ok'; tries++) await sleep(100);
    return health();
  };
  t.deepEqual(await settled(), {status: 'ok'});
  first.stop();
  const degraded = await health();
  t.is(degraded.status, 'degraded');
  // A machine with much to do may make the other one slow, but not down.
  t.true(degraded.message?.includes(`${first.address} does not answer`), degraded.message);
  t.false(degraded.message?.includes(`${second.address} does not answer`), degraded.message);
  second.stop();
  t.is((await health()).status, 'failed');
  await fails(t, value(scene), 'storage_unavailable', /cannot be reached/);
  await first.start();
  await second.start();
  t.deepEqual(await settled(), {status: 'ok'});
  t.is(await eventually(() => value(scene)), 7);
});

test('a call that is cancelled ends at once, with the reason', async t => {
  const scene = await openScene(t, {data, config: {metadataCache: 0}});
  scene.fake.liaisons[0]?.faults.slowDown(60_000);
  const reason = new Error('no longer wanted');
  const cases: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [
    signal => value(scene, signal),
    signal => scene.adapter.native.trace('t', callWith(signal)),
    signal => scene.adapter.native.tagKeys({filter: [], from: 0, to: 1e15}, callWith(signal)),
    signal => scene.adapter.metadata.layers(callWith(signal)),
    async signal => {
      for await (const _ of scene.adapter.native.search({filter: [], from: 0, to: 1e15}, callWith(signal)));
    },
  ];
  for (const ask of cases) {
    const controller = new AbortController();
    const asked = ask(controller.signal);
    await sleep(20);
    controller.abort(reason);
    t.is(await t.throwsAsync(asked), reason);
  }
});

test('a measure that is made anew with another field while it runs is read as it is now', async t => {
  const scene = await openScene(t, {data, config: {metadataCache: 0}});
  t.is(await value(scene), 7, 'whole numbers');
  scene.fake.database.deleteMeasure('sw_metricsMinute', `${NAME}_minute`);
  const seeder = Seeder.open(scene.fake, {shapes: {[NAME]: 'doubleAvg'}});
  seeder.metrics(
    batch({metrics: [metric(NAME)], samples: [{metric: NAME, entity: ENTITY, time: NOW - 600, value: 7.5}]}),
  );
  t.is(await value(scene), 7.5, 'doubles');
});

test('a measure that has gone while it runs has no values, and is not in the next catalog', async t => {
  const scene = await openScene(t, {data, config: {metadataCache: 0}});
  const known = await scene.adapter.metric(NAME);
  scene.fake.database.deleteMeasure('sw_metricsMinute', `${NAME}_minute`);
  const request = {metric: known, entity: ENTITY, valueFilters: new Map(), window};
  t.deepEqual(await scene.adapter.metrics.values(request, call), []);
  t.deepEqual(await scene.adapter.metrics.catalog(call), []);
});

test('a measure that is added while it runs is in the catalog after its refresh', async t => {
  const scene = await openScene(t, {data, config: {catalogRefresh: 100}});
  const before = await scene.adapter.metrics.catalog(call);
  scene.seeder.metrics(
    batch({
      metrics: [metric('service_sla')],
      samples: [{metric: 'service_sla', entity: ENTITY, time: NOW - 600, value: 9950}],
    }),
  );
  let names: readonly string[] = [];
  for (let tries = 0; tries < 100 && !names.includes('service_sla'); tries++) {
    names = (await scene.adapter.metrics.catalog(call)).map(({name}) => name);
    await sleep(50);
  }
  t.deepEqual(names, [NAME, 'service_sla']);
  t.deepEqual(
    before.map(({name}) => name),
    [NAME],
    'the array from before',
  );
});
