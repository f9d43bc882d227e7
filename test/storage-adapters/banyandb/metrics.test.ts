import test from 'ava';
import {compareNames, type Entity, type MetricDefinition, type Ranked} from '../../../core/api/adapter.js';
import {
  groups,
  indexRules,
  measures,
  QueryMeasure,
  QueryStream,
  streams,
  topNAggregations,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {comparableColumns, namesOf} from '../../../storage-adapters/conformance/comparable.js';
import {batch, metric, type SampleInput} from '../../../storage-adapters/conformance/data/metrics.js';
import type {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {call} from '../support/calls.js';
import {Opened, openScene, type Scene} from './support/open-adapter.js';

const DAY = 86_400;
const HOUR = 3600;
/** The start of a UTC day, in seconds. */
const T0 = Date.UTC(2026, 0, 5) / 1000;
const LAYER = 'GENERAL';
const songs: Entity = {layer: LAYER, service: 'songs'};

const oneSample = (seeder: Seeder): void =>
  seeder.metrics(
    batch({
      metrics: [metric('service_cpm')],
      samples: [{metric: 'service_cpm', entity: songs, time: T0, value: 5}],
    }),
  );

async function columns({adapter}: Scene, name: string, entity: Entity, window: Parameters<typeof rank>[2]) {
  const request = {metric: await adapter.metric(name), entity, valueFilters: new Map(), window};
  return comparableColumns(await adapter.metrics.values(request, call));
}

async function rank(
  {adapter}: Scene,
  name: string,
  window: {readonly step: 'minute' | 'hour' | 'day'; readonly first: number; readonly count: number},
  more: Partial<{order: 'ASC' | 'DES'; limit: number; parentService: string; layer: string}> = {},
): Promise<readonly Ranked[]> {
  const request = {metric: await adapter.metric(name), layer: LAYER, order: 'DES', limit: 10, window, ...more} as const;
  return adapter.metrics.ranking(request, call);
}

const nameAndValue = ({entity, value}: Ranked) => [entity.endpoint ?? entity.service, value];

const serviceOf = (endpoint: string): string => `s${Number(endpoint.slice(2)) % 5}`;

test('rankings of thousands of endpoints are exact means, where the mean of the server is not', async t => {
  const count = 3000;
  const samples = Array.from({length: count}, (_, i) =>
    [0, 1, 2].flatMap((minute): SampleInput[] =>
      minute === 2 && i % 2 === 0
        ? []
        : [
            {
              metric: 'endpoint_cpm',
              entity: {layer: LAYER, service: `s${i % 5}`, endpoint: `/e${i}`},
              time: T0 + minute * 60,
              // Means below 1, which the server takes for 1, and with a fraction, which it cuts off.
              value: i === 7 ? minute % 2 : i + minute * (i % 3),
            },
          ],
    ),
  ).flat();
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({metrics: [metric('endpoint_cpm', {scope: 'Endpoint'})], samples})),
  });
  const sums = new Map<string, number[]>();
  for (const {entity, value} of samples)
    sums.set(entity.endpoint ?? '', [...(sums.get(entity.endpoint ?? '') ?? []), value]);
  const expected = [...sums]
    .map(([name, values]) => [name, values.reduce((sum, value) => sum + value, 0) / values.length] as const)
    // Equal ones by service, then by name.
    .sort((a, b) => b[1] - a[1] || compareNames(serviceOf(a[0]), serviceOf(b[0])) || compareNames(a[0], b[0]));
  const window = {step: 'minute', first: T0, count: 3} as const;
  const found = await rank(scene, 'endpoint_cpm', window, {limit: 50});
  t.deepEqual(found.map(nameAndValue), expected.slice(0, 50));
  const least = await rank(scene, 'endpoint_cpm', window, {limit: 2, order: 'ASC'});
  t.deepEqual(least.map(nameAndValue), [
    ['/e0', 0],
    ['/e7', 1 / 3],
  ]);
  scene.fake.requests.reset();
  const within = await rank(scene, 'endpoint_cpm', window, {parentService: 's2', limit: 3});
  t.deepEqual(within.map(nameAndValue), expected.filter(([name]) => serviceOf(name) === 's2').slice(0, 3));
  t.is(scene.fake.requests.count(QueryMeasure), 2, 'a sum and a count');
});

test('a ranking of a window that is still written to asks for the counts before and after the sums', async t => {
  const now = Math.floor(Date.now() / 60_000) * 60;
  const samples = [{metric: 'service_cpm', entity: songs, time: now - 60, value: 3}];
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({metrics: [metric('service_cpm')], samples})),
  });
  const found = await rank(scene, 'service_cpm', {step: 'minute', first: now - 120, count: 3});
  t.deepEqual(found.map(nameAndValue), [['songs', 3]]);
  const functions = scene.fake.requests.of(QueryMeasure).flatMap(({agg}) => (agg === null ? [] : agg.function));
  t.deepEqual(functions, ['AGGREGATION_FUNCTION_COUNT', 'AGGREGATION_FUNCTION_SUM', 'AGGREGATION_FUNCTION_COUNT']);
});

test('doubles, which the server cannot add, are ranked by their rows', async t => {
  const samples = Array.from({length: 500}, (_, i) =>
    [0, 1].map(minute => ({
      metric: 'meter_load',
      entity: {layer: LAYER, service: `s${i}`},
      time: T0 + minute * 60,
      value: i / 64 + minute,
    })),
  ).flat();
  const data: Parameters<typeof openScene>[1] = {
    data: seeder => seeder.metrics(batch({metrics: [metric('meter_load')], samples})),
  };
  const scene = await openScene(t, data);
  const window = {step: 'minute', first: T0, count: 2} as const;
  t.deepEqual((await rank(scene, 'meter_load', window, {limit: 2})).map(nameAndValue), [
    ['s499', 499 / 64 + 0.5],
    ['s498', 498 / 64 + 0.5],
  ]);
  const bounded = await openScene(t, {...data, config: {maxRows: 500}});
  await t.throwsAsync(rank(bounded, 'meter_load', window), {message: /500 or more rows.*option maxRows/});
});

test('more entities than maxEntities are refused, never cut', async t => {
  const samples = Array.from({length: 150}, (_, i) => ({
    metric: 'service_cpm',
    entity: {layer: LAYER, service: `s${i}`},
    time: T0,
    value: i,
  }));
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({metrics: [metric('service_cpm')], samples})),
    config: {maxEntities: 100},
  });
  const refused = {message: /100 or more .*option maxEntities/};
  await t.throwsAsync(rank(scene, 'service_cpm', {step: 'minute', first: T0, count: 1}), refused);
  await t.throwsAsync(scene.adapter.metadata.layers(call), refused);
});

test('every query has a limit', async t => {
  const scene = await openScene(t, {
    data: seeder =>
      seeder.metrics(
        batch({
          metrics: [metric('service_cpm'), metric('top_statements', {kind: 'sampled-record'})],
          samples: [{metric: 'service_cpm', entity: songs, time: T0, value: 1}],
          records: [{metric: 'top_statements', entity: songs, content: 'x', time: T0, value: 1}],
        }),
      ),
  });
  const window = {step: 'minute', first: T0, count: 1} as const;
  await columns(scene, 'service_cpm', songs, window);
  await rank(scene, 'service_cpm', window);
  await scene.adapter.metrics.sampledRecords(
    {
      metric: await scene.adapter.metric('top_statements'),
      layer: LAYER,
      parentService: 'songs',
      order: 'ASC',
      limit: 1,
      window,
    },
    call,
  );
  const asked = [...scene.fake.requests.of(QueryMeasure), ...scene.fake.requests.of(QueryStream)];
  t.true(asked.length >= 5 && asked.every(({limit}) => limit > 0));
});

const ZONES: readonly (readonly [string, number])[] = [
  ['UTC', 0],
  ['Asia/Shanghai', 8 * HOUR],
  ['America/New_York', -5 * HOUR],
  ['Asia/Kolkata', 5.5 * HOUR],
];
for (const [timeZone, offset] of ZONES) {
  test(`hours and days of an OAP in ${timeZone} are read, the days by their date`, async t => {
    // Noon of three days, by the clock of the OAP.
    const noon = [0, 1, 2].map(day => T0 + day * DAY + DAY / 2 - offset);
    const samples = noon.map((time, i) => ({metric: 'service_cpm', entity: songs, time, value: 10 + i}));
    const scene = await openScene(t, {
      data: seeder => seeder.metrics(batch({metrics: [metric('service_cpm')], samples})),
      seed: {timeZone},
      config: {timeZone},
    });
    const days = await columns(scene, 'service_cpm', songs, {step: 'day', first: T0 - DAY, count: 5});
    t.deepEqual(days, [{labels: {}, values: [null, 10, 11, 12, null]}]);
    const ranked = await rank(scene, 'service_cpm', {step: 'day', first: T0, count: 2});
    t.deepEqual(ranked.map(nameAndValue), [['songs', 10.5]]);
    const first = Math.floor((noon[1] ?? 0) / HOUR) * HOUR;
    const hours = await columns(scene, 'service_cpm', songs, {step: 'hour', first: first - HOUR, count: 3});
    t.deepEqual(hours, [{labels: {}, values: [null, 11, null]}]);
  });
}

test('last_ping is read by the clock of the OAP', async t => {
  const timeZone = 'America/New_York';
  const entity = {layer: LAYER, service: 'songs', serviceInstance: 'i'};
  const scene = await openScene(t, {
    data: seeder =>
      seeder.metrics(batch({sightings: [T0, T0 + HOUR].map(time => ({scope: 'ServiceInstance', entity, time}))})),
    seed: {timeZone},
    config: {timeZone},
  });
  const seen = (from: number, to: number) =>
    namesOf(scene.adapter.metadata.instances({layer: LAYER, service: 'songs', seen: {from, to}}, call));
  t.deepEqual(await seen(T0 + HOUR, T0 + 2 * HOUR), ['i']);
  t.deepEqual(await seen(T0 + HOUR + 60, T0 + 2 * HOUR), []);
  t.deepEqual(await seen(T0 - HOUR, T0 - 60), []);
});

test('documents that two nodes hold with other times are one', async t => {
  const entity = {layer: LAYER, service: 'songs', serviceInstance: 'i'};
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({sightings: [{scope: 'ServiceInstance', entity, time: T0}]})),
    fake: {divergentDocuments: true},
  });
  t.deepEqual(await namesOf(scene.adapter.metadata.services({layer: LAYER}, call)), ['songs']);
  t.deepEqual(await namesOf(scene.adapter.metadata.instances({layer: LAYER, service: 'songs'}, call)), ['i']);
});

test('the catalog is derived from schemas and ids, without what is no metric', async t => {
  const scopes: readonly (readonly [string, MetricDefinition['scope'], Entity])[] = [
    ['service_resp_time', 'Service', songs],
    ['meter_jvm', 'ServiceInstance', {...songs, serviceInstance: 'i'}],
    ['endpoint_sla', 'Endpoint', {...songs, endpoint: '/e'}],
    ['service_relation_client_cpm', 'ServiceRelation', {...songs, destLayer: LAYER, destService: 'app'}],
    [
      'anything_between_instances',
      'ServiceInstanceRelation',
      {...songs, serviceInstance: 'i', destLayer: LAYER, destService: 'app', destServiceInstance: 'j'},
    ],
    [
      'endpoint_relation_cpm',
      'EndpointRelation',
      {...songs, endpoint: '/e', destLayer: LAYER, destService: 'app', destEndpoint: '/f'},
    ],
  ];
  const scene = await openScene(t, {
    data: seeder => {
      seeder.metrics(
        batch({
          metrics: [
            ...scopes.map(([name, scope]) => metric(name, {scope})),
            metric('service_percentile', {kind: 'labeled', valueLabels: ['p']}),
            metric('top_n_database_statement', {kind: 'sampled-record'}),
            metric('sampled_slow_trace_record', {kind: 'sampled-record'}),
            metric('unused_relation', {scope: 'ServiceRelation'}),
          ],
          samples: [
            ...scopes.map(([name, , entity]) => ({metric: name, entity, time: T0, value: 1})),
            {metric: 'service_percentile', entity: songs, labels: {p: '50'}, time: T0, value: 1},
          ],
        }),
      );
    },
  });
  const catalog = await scene.adapter.metrics.catalog(call);
  t.deepEqual(
    catalog.map(({name, scope, kind, valueLabels}) => [name, scope, kind, valueLabels.join()]),
    [
      ...scopes.map(([name, scope]) => [name, scope, 'common', '']),
      ['service_percentile', 'Service', 'labeled', 'p'],
      ['top_n_database_statement', 'Service', 'sampled-record', ''],
    ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  for (const [name, , entity] of scopes) {
    const found = await columns(scene, name, entity, {step: 'minute', first: T0, count: 1});
    t.deepEqual(found, [{labels: {}, values: [1]}], name);
  }
});

test('equal values at the end of the records that are wanted are asked for until they are whole', async t => {
  const records = Array.from({length: 300}, (_, i) => ({
    metric: 'top_statements',
    entity: songs,
    content: `c${String(299 - i).padStart(3, '0')}`,
    time: T0 + i,
    value: i < 5 ? 100 + i : 50,
  }));
  for (const release of ['0.9', '0.11'] as const) {
    const scene = await openScene(t, {
      fake: {release},
      data: seeder => seeder.metrics(batch({metrics: [metric('top_statements', {kind: 'sampled-record'})], records})),
    });
    const read = async (limit: number) => {
      const request = {
        metric: await scene.adapter.metric('top_statements'),
        layer: LAYER,
        parentService: 'songs',
        order: 'DES',
        limit,
        window: {step: 'minute', first: T0, count: 10},
      } as const;
      return (await scene.adapter.metrics.sampledRecords(request, call)).map(({content}) => content);
    };
    const top = ['c295', 'c296', 'c297', 'c298', 'c299'];
    t.deepEqual(await read(5), top, `${release}: five`);
    t.deepEqual(await read(8), [...top, 'c000', 'c001', 'c002'], `${release}: eight, three of many equal ones`);
    t.is((await read(1000)).length, 300, `${release}: all`);
  }
});

test('metrics and metadata of OAP 10.2 are read, which had neither a namespace nor the trace model', async t => {
  const scene = await openScene(t, {
    fake: {release: '0.8'},
    data: oneSample,
  });
  const found = await columns(scene, 'service_cpm', songs, {step: 'minute', first: T0, count: 1});
  t.deepEqual(found, [{labels: {}, values: [5]}]);
  t.deepEqual(await scene.adapter.metadata.layers(call), [LAYER]);
});

test('a step that the OAP does not make is refused, naming the measure', async t => {
  const scene = await openScene(t, {
    data: oneSample,
  });
  scene.fake.database.deleteMeasure('sw_metricsHour', 'service_cpm_hour');
  const fresh = new Opened({endpoints: scene.fake.endpoints});
  t.teardown(() => fresh.storage.stop());
  await fresh.start();
  const request = {
    metric: await fresh.metric('service_cpm'),
    entity: songs,
    valueFilters: new Map(),
    window: {step: 'hour', first: T0, count: 1},
  } as const;
  await t.throwsAsync(fresh.metrics.values(request, call), {message: /no measure service_cpm_hour/});
});

test('only reads reach the server', async t => {
  const scene = await openScene(t, {
    data: oneSample,
  });
  await columns(scene, 'service_cpm', songs, {step: 'minute', first: T0, count: 1});
  for (const {Create, Delete} of [groups, measures, streams, indexRules, topNAggregations]) {
    t.is(scene.fake.requests.count(Create) + scene.fake.requests.count(Delete), 0);
  }
});
