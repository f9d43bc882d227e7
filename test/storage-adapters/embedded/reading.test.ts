import test, {type ExecutionContext} from 'ava';
import {type BucketWindow, type Entity, type Rollup, STEP_SECONDS} from '../../../core/api/adapter.js';
import {names, plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call, callWith} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const DAY = 86_400;
const START = Math.floor(1_700_000_000 / DAY) * DAY;
const FAR = (START + 100 * DAY) * 1000;

/** Where the answers come from: memory, hot rows, or folded rows. */
const sources = [
  {source: 'the head', memory: 16 * 2 ** 20, fold: false},
  {source: 'hot rows', memory: 0, fold: false},
  {source: 'folded rows', memory: 0, fold: true},
] as const;

async function opened(t: ExecutionContext, {memory, fold}: (typeof sources)[number]): Promise<Harness> {
  return Harness.open({path: await temporaryFolder(t), memory}, {clock: () => (fold ? FAR : 0)});
}

const service = (name: string): Entity => ({layer: 'L', service: name});

for (const source of sources) {
  test(`hours and days are the rollup of their minutes, from ${source.source}`, async t => {
    const rollups: readonly (readonly [Rollup, number, number])[] = [
      ['avg', 2, 4.75],
      ['sum', 6, 19],
      ['min', -1, -1],
      ['max', 5, 13],
      ['latest', 5, 13],
    ];
    const harness = await opened(t, source);
    const metrics = rollups.map(([rollup]) => metric(`m_${rollup}`, {rollup}));
    const samples = metrics.flatMap(({name}) =>
      (
        [
          [3, 2],
          [59, 5],
          [10, -1],
          [60, 13],
        ] as const
      ).map(([minute, value]) => ({
        metric: name,
        entity: service('a'),
        time: START + minute * 60,
        value,
      })),
    );
    await harness.write({metrics, samples});
    await harness.storage.settle();
    for (const [i, [rollup, hour, day]] of rollups.entries()) {
      const definition = metrics[i];
      if (definition === undefined) throw new Error('no metric');
      const read = async (window: BucketWindow) => {
        const request = {metric: definition, entity: service('a'), valueFilters: new Map(), window};
        return (await harness.metrics.values(request, call)).map(plain)[0]?.values;
      };
      t.deepEqual(await read({step: 'hour', first: START - 3600, count: 4}), [null, hour, 13, null], rollup);
      t.deepEqual(await read({step: 'day', first: START - DAY, count: 3}), [null, day, null], rollup);
      const minutes = await read({step: 'minute', first: START, count: 61});
      t.deepEqual([minutes?.[3], minutes?.[10], minutes?.[11], minutes?.[60]], [2, -1, null, 13], rollup);
    }
  });

  test(`equal means rank by service and then by name in code points, from ${source.source}`, async t => {
    const harness = await opened(t, source);
    const definition = metric('m', {scope: 'Endpoint'});
    const endpoints = [
      ['\u{1F600}', 'x'],
      ['\uFF5E', 'x'],
      ['b', 'y'],
      ['b', 'x'],
      ['a', 'z'],
    ].map(([name = '', endpoint = '']) => ({...service(name), endpoint}));
    const samples = endpoints.map(entity => ({metric: 'm', entity, time: START, value: 1}));
    const other = {metric: 'm', entity: {layer: 'M', service: 'a', endpoint: 'e'}, time: START, value: 9};
    const best = {metric: 'm', entity: {...service('c'), endpoint: 'e'}, time: START + 60, value: 2};
    await harness.write({metrics: [definition], samples: [...samples, other, best]});
    await harness.storage.settle();
    const window = {step: 'minute', first: START, count: 2} as const;
    const rank = async (order: 'ASC' | 'DES', limit: number, parent = {}) => {
      const ranked = await harness.metrics.ranking(
        {metric: definition, layer: 'L', order, limit, window, ...parent},
        call,
      );
      return ranked.map(({entity, value}) => `${entity.service}/${entity.endpoint} ${value}`);
    };
    const ties = ['a/z 1', 'b/x 1', 'b/y 1', '\uFF5E/x 1', '\u{1F600}/x 1'];
    t.deepEqual(await rank('ASC', 10), [...ties, 'c/e 2']);
    t.deepEqual(await rank('DES', 3), ['c/e 2', 'a/z 1', 'b/x 1']);
    t.deepEqual(await rank('DES', 10, {parentService: 'b'}), ['b/x 1', 'b/y 1']);
    t.deepEqual(await rank('DES', 10, {parentService: 'unknown'}), []);
  });

  test(`value filters and label sets are exact, from ${source.source}`, async t => {
    const harness = await opened(t, source);
    const definition = metric('m', {kind: 'labeled', valueLabels: ['p', 'q']});
    const at = (minute: number, name: string, p: string, q: string) => ({
      metric: 'm',
      entity: service(name),
      labels: {p, q},
      time: START + minute * 60,
      value: Number(p),
    });
    const samples = [at(0, 'a', '50', 'x'), at(1, 'a', '50', 'y'), at(200, 'a', '99', 'x'), at(5000, 'b', '75', 'x')];
    await harness.write({metrics: [definition], samples});
    await harness.storage.settle();
    const filtered = async (filters: readonly (readonly [string, readonly string[]])[]) => {
      const window = {step: 'hour', first: START, count: 4} as const;
      const request = {metric: definition, entity: service('a'), valueFilters: new Map(filters), window};
      const columns = await harness.metrics.values(request, call);
      return columns.map(({labels}) => `${labels.p} ${labels.q}`).sort();
    };
    t.deepEqual(await filtered([]), ['50 x', '50 y', '99 x']);
    t.deepEqual(await filtered([['p', ['50', '75']]]), ['50 x', '50 y']);
    t.deepEqual(
      await filtered([
        ['p', ['50', '99']],
        ['q', ['x']],
      ]),
      ['50 x', '99 x'],
    );
    t.deepEqual(await filtered([['p', []]]), []);
    t.deepEqual(await filtered([['unknown', ['50']]]), []);

    const sets = async (from: number, to: number, entity?: Partial<Entity>) => {
      const request = {metric: definition, from: START + from, to: START + to, ...(entity && {entity})};
      return (await harness.metrics.valueLabels(request, call)).map(({p, q}) => `${p} ${q}`).sort();
    };
    t.deepEqual(await sets(0, 59), ['50 x']);
    t.deepEqual(await sets(0, 60), ['50 x', '50 y']);
    t.deepEqual(await sets(119, 200 * 60), ['50 y', '99 x']);
    t.deepEqual(await sets(120, 199 * 60), []);
    t.deepEqual(await sets(-DAY, 30 * DAY), ['50 x', '50 y', '75 x', '99 x']);
    t.deepEqual(await sets(-DAY, 30 * DAY, {service: 'b'}), ['75 x']);
  });
}

test('an instance, an endpoint and both ends of a relation become known with their services', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const relation = metric('calls', {scope: 'EndpointRelation'});
  const ends = {layer: 'L', service: 'a', endpoint: '/a', destLayer: 'M', destService: 'b', destEndpoint: '/b'};
  await harness.write({
    metrics: [relation],
    samples: [{metric: 'calls', entity: ends, time: START + 61, value: 1}],
    sightings: [{scope: 'ServiceInstance', entity: {...service('c'), serviceInstance: 'i'}, time: START}],
  });
  for (const restarted of [false, true]) {
    if (restarted) await harness.restart();
    const {metadata} = harness;
    t.deepEqual(await metadata.layers(call), ['L', 'M']);
    t.deepEqual(await names(metadata.services({layer: 'L'}, call)), ['a', 'c']);
    t.deepEqual(await names(metadata.services({layer: 'M'}, call)), ['b']);
    t.deepEqual(await names(metadata.endpoints({layer: 'M', service: 'b'}, call)), ['/b']);
    t.deepEqual(await names(metadata.instances({layer: 'L', service: 'c'}, call)), ['i']);
    t.deepEqual(await names(metadata.instances({layer: 'L', service: 'unknown'}, call)), []);
    const seen = (from: number, to: number) =>
      names(metadata.endpoints({layer: 'L', service: 'a', seen: {from: START + from, to: START + to}}, call));
    t.deepEqual(await seen(0, 59), []);
    t.deepEqual(await seen(0, 60), ['/a']);
    t.deepEqual(await seen(119, 500), ['/a']);
    t.deepEqual(await seen(120, 500), []);
  }
});

test('ten thousand endpoints are listed in order, by keyword and by hint', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const sightings = Array.from({length: 10_000}, (_, i) => ({
    scope: 'Endpoint' as const,
    entity: {...service('a'), endpoint: `/e/${(i * 7919) % 10_000}`},
    time: START,
  }));
  await harness.write({sightings: sightings.slice(0, 9000)});
  const {metadata} = harness;
  const list = (options: object) => names(metadata.endpoints({layer: 'L', service: 'a', ...options}, call));
  t.is((await list({})).length, 9000);
  await harness.write({sightings: sightings.slice(9000)});
  const all = await list({});
  t.deepEqual(all, Array.from({length: 10_000}, (_, i) => `/e/${i}`).sort());
  t.deepEqual(
    await list({keyword: '99'}),
    all.filter(name => name.includes('99')),
  );
  t.deepEqual(await list({keyword: 'E'}), []);
  t.deepEqual(await list({name: {equals: '/e/7'}}), ['/e/7']);
  t.deepEqual(await list({name: {oneOf: ['/e/8', '/e/10', 'no']}}), ['/e/10', '/e/8']);
});

test('sampled records come by value, ties by content, time and trace id, and are stored once', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const definition = metric('statements', {kind: 'sampled-record', scope: 'ServiceInstance'});
  const record = (content: string, second: number, value: number, traceId?: string) => ({
    metric: 'statements',
    entity: {...service('db'), serviceInstance: 'i'},
    content,
    time: START + second,
    value,
    ...(traceId === undefined ? {} : {traceId}),
  });
  const records = [
    record('b', 0, 5, 't2'),
    record('b', 0, 5, 't1'),
    record('b', 0, 5),
    record('a', 30, 5),
    record('a', 20, 5),
    record('c', 59, 9),
    record('c', 60, 1),
  ];
  const other = {...record('b', 0, 5), entity: {...service('other'), serviceInstance: 'i'}};
  await harness.write({metrics: [definition], records: [...records, other]});
  await harness.write({records});
  const read = async (order: 'ASC' | 'DES', count: number, limit: number) => {
    const window = {step: 'minute', first: START, count} as const;
    const request = {metric: definition, layer: 'L', parentService: 'db', order, limit, window};
    const found = await harness.metrics.sampledRecords(request, call);
    return found.map(({content, time, value, traceId}) => [content, time - START, value, traceId].join(' ').trim());
  };
  const ties = ['a 20 5', 'a 30 5', 'b 0 5', 'b 0 5 t1', 'b 0 5 t2'];
  t.deepEqual(await read('DES', 1, 10), ['c 59 9', ...ties]);
  t.deepEqual(await read('ASC', 2, 10), ['c 60 1', ...ties, 'c 59 9']);
  t.deepEqual(await read('DES', 2, 3), ['c 59 9', 'a 20 5', 'a 30 5']);
});

test('a read that is cancelled rejects with the reason of its signal, and the next one is answered', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t), memory: 0});
  const definition = metric('m');
  const samples = Array.from({length: 2000}, (_, i) => ({
    metric: 'm',
    entity: service(`s${i}`),
    time: START + (i % 600) * 60,
    value: i,
  }));
  await harness.write({metrics: [definition], samples});
  const reason = new Error('no longer wanted');
  const controller = new AbortController();
  const window = {step: 'minute', first: START - 1000 * DAY, count: 1440 * 1001} as const;
  const request = {metric: definition, layer: 'L', order: 'DES', limit: 1, window} as const;
  const readings = [1, 2, 3, 4].map(() => harness.metrics.ranking(request, callWith(controller.signal)));
  setTimeout(() => controller.abort(reason), 20);
  for (const reading of readings) t.is(await t.throwsAsync(reading), reason);
  t.is(await t.throwsAsync(harness.metrics.ranking(request, callWith(AbortSignal.abort(reason)))), reason);
  const short = {...request, window: {step: 'hour', first: START, count: 10} as const};
  t.is((await harness.metrics.ranking(short, call))[0]?.value, 1999);
});

test('a new rollup counts for the days that are written after it', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)}, {clock: () => FAR});
  const write = async (rollup: Rollup, hour: number) => {
    const samples = [1, 3].map((value, i) => ({
      metric: 'm',
      entity: service('a'),
      time: START + hour * 3600 + i * 60,
      value,
    }));
    await harness.write({metrics: [metric('m', {rollup})], samples});
  };
  await write('avg', 0);
  await write('sum', 1);
  await write('sum', 24);
  await write('max', 25);
  await write('max', 48);
  for (const folded of [false, true]) {
    if (folded) await harness.storage.settle();
    if (folded) await harness.restart();
    for (const [step, hour, ...expected] of [
      ['hour', 0, 2, 2],
      ['hour', 24, 4, 4],
      ['hour', 48, 3],
      ['day', 0, 2, 8, 3],
    ] as const) {
      const window = {step, first: START + hour * 3600, count: expected.length};
      const request = {metric: metric('m', {rollup: 'max'}), entity: service('a'), valueFilters: new Map(), window};
      t.deepEqual((await harness.metrics.values(request, call)).map(plain)[0]?.values, expected);
    }
  }
  t.is((await harness.metrics.catalog(call))[0]?.rollup, 'max');
});

test('windows that lie elsewhere, and entities that do not exist, have no series', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const definition = metric('m');
  await harness.write({metrics: [definition], samples: [{metric: 'm', entity: service('a'), time: START, value: 1}]});
  for (const step of ['minute', 'hour', 'day'] as const) {
    for (const first of [START - 400 * STEP_SECONDS[step], START + 400 * DAY]) {
      const request = {
        metric: definition,
        entity: service('a'),
        valueFilters: new Map(),
        window: {step, first, count: 5},
      };
      t.deepEqual(await harness.metrics.values(request, call), []);
    }
    const window = {step, first: START, count: 1};
    const elsewhere = {metric: definition, entity: {layer: 'M', service: 'a'}, valueFilters: new Map(), window};
    t.deepEqual(await harness.metrics.values(elsewhere, call), []);
    t.deepEqual(
      await harness.metrics.values({...elsewhere, metric: metric('unknown'), entity: service('a')}, call),
      [],
    );
  }
});
