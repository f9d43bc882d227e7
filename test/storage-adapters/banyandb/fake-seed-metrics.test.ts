import test from 'ava';
import type {Entity, MetricDefinition, Scope, Step} from '../../../core/api/adapter.js';
import {measures, QueryMeasure, QueryStream, streams} from '../../../storage-adapters/banyandb/proto/methods.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import {batch, metric, type SampleInput} from '../../../storage-adapters/conformance/data/metrics.js';
import {Seeder, type SeederOptions} from '../../fixtures/banyandb/seed/seeder.js';
import {between, families, plain, tagsOf} from './support/queries.js';
import {type Started, startFake} from './support/start-fake.js';

const T0 = Date.UTC(2026, 0, 5, 12) / 1000;
const SHOP: Entity = {layer: 'GENERAL', service: 'shop'};
const GROUP_OF_STEP: Readonly<Record<Step, string>> = {
  minute: 'sw_metricsMinute',
  hour: 'sw_metricsHour',
  day: 'sw_metricsDay',
};

async function seed(
  started: Started,
  definition: MetricDefinition,
  samples: readonly Omit<SampleInput, 'metric'>[],
  options: SeederOptions = {},
): Promise<void> {
  const seeder = await Seeder.open(started.fake.local, options);
  await seeder.metrics(
    batch({metrics: [definition], samples: samples.map(sample => ({...sample, metric: definition.name}))}),
  );
}

/** Rows of a metric as time, entity and fields; the fields are those of the schema. */
async function rowsOf({client}: Started, name: string, step: Step): Promise<readonly (readonly unknown[])[]> {
  const group = GROUP_OF_STEP[step];
  const {measure} = await client.call(measures.Get, {metadata: {group, name: `${name}_${step}`}});
  const names = measure?.fields.map(field => field.name) ?? [];
  const {data_points} = await client.call(QueryMeasure, {
    groups: [group],
    name: `${name}_${step}`,
    time_range: between(0, Date.UTC(2261, 0)),
    tag_projection: families({'storage-only': ['entity_id']}),
    field_projection: {names},
    limit: 100_000,
  });
  return data_points.map(point => [
    toMilliseconds(point.timestamp ?? {seconds: '0', nanos: 0}) / 1000,
    Object.fromEntries(point.fields.map(field => [field.name, plain(field.value)])),
  ]);
}

const double = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('base64');
};

const SHAPES: readonly (readonly [string, MetricDefinition, readonly number[], Readonly<Record<string, unknown>>])[] = [
  ['a mean of whole numbers', metric('m'), [10, 20], {value: 15n, summation: 30n, count: 2n}],
  [
    'a mean with a fraction',
    metric('m'),
    [10, 11],
    {double_value: double(10.5), double_summation: double(21), count: 2n},
  ],
  ['a sum', metric('m', {rollup: 'sum'}), [10, 20], {value: 30n}],
  ['a minimum', metric('m', {rollup: 'min'}), [10, -20], {value: -20n}],
  ['a maximum with a fraction', metric('m', {rollup: 'max'}), [10.25, 2], {value: double(10.25)}],
  ['the latest', metric('m', {rollup: 'latest'}), [10, 20, 7], {value: 7n}],
  ['calls per minute', metric('service_cpm'), [10, 21], {value: 15n, total: 31n}],
  ['a percentage', metric('service_sla'), [9950, 10_000], {percentage: 9975n, total: 10_000n, match: 9975n}],
  ['an apdex', metric('service_apdex'), [9000], {int_value: 9000n, total_num: 10_000n, s_num: 9000n, t_num: 0n}],
];

for (const [title, definition, values, fields] of SHAPES) {
  test(`${title} has the fields ${Object.keys(fields).join(', ')}`, async t => {
    const started = await startFake(t);
    await seed(
      started,
      definition,
      values.map((value, i) => ({entity: SHOP, time: T0 + i * 60, value})),
    );
    t.deepEqual(await rowsOf(started, definition.name, 'hour'), [[T0, fields]]);
    t.is((await rowsOf(started, definition.name, 'minute')).length, values.length);
  });
}

test('a shape can be chosen, and then cuts fractions off as the OAP does', async t => {
  const started = await startFake(t);
  const samples = [10, 11].map((value, i) => ({entity: SHOP, time: T0 + i * 60, value}));
  await seed(started, metric('m'), samples, {shapes: {m: 'longAvg'}});
  t.deepEqual(await rowsOf(started, 'm', 'hour'), [[T0, {value: 10n, summation: 21n, count: 2n}]]);
});

const LABELED: readonly (readonly [string, readonly string[], readonly Readonly<Record<string, string>>[], string])[] =
  [
    ['percentiles', ['p'], [{p: '50'}, {p: '99'}], '{p=50},0|{p=99},1'],
    ['several labels', ['a', 'b'], [{a: '1', b: 'x,y'}], '{a=1,b=x,y},0'],
    ['plain keys', ['_'], [{_: '0'}, {_: '4'}], '0,0|4,1'],
  ];

for (const [title, valueLabels, labels, table] of LABELED) {
  test(`labeled values are a table of text: ${title}`, async t => {
    const started = await startFake(t);
    const definition = metric('m', {kind: 'labeled', valueLabels});
    await seed(
      started,
      definition,
      labels.map((each, value) => ({entity: SHOP, labels: each, time: T0, value})),
    );
    const [[, fields] = []] = await rowsOf(started, 'm', 'minute');
    t.is((fields as Readonly<Record<string, unknown>>).datatable_value, table);
  });
}

test('the running hour is written again when more minutes come', async t => {
  const started = await startFake(t);
  const seeder = await Seeder.open(started.fake.local);
  const write = (time: number, value: number): Promise<void> =>
    seeder.metrics(
      batch({metrics: [metric('m', {rollup: 'sum'})], samples: [{metric: 'm', entity: SHOP, time, value}]}),
    );
  await write(T0, 1);
  await write(T0 + 60, 2);
  await write(T0 + 3600, 4);
  await write(T0, 8);
  t.deepEqual(await rowsOf(started, 'm', 'hour'), [
    [T0, {value: 10n}],
    [T0 + 3600, {value: 4n}],
  ]);
});

const ZONES: readonly (readonly [string, string, string])[] = [
  ['UTC', '2026-01-05T12:00:00Z', '2026-01-05T00:00:00Z'],
  ['Asia/Shanghai', '2026-01-05T12:00:00Z', '2026-01-04T16:00:00Z'],
  ['Asia/Kolkata', '2026-01-05T11:30:00Z', '2026-01-04T18:30:00Z'],
  ['America/New_York', '2026-01-05T12:00:00Z', '2026-01-05T05:00:00Z'],
];

for (const [timeZone, hour, day] of ZONES) {
  test(`hours and days begin where the clock of ${timeZone} says so, minutes everywhere`, async t => {
    const started = await startFake(t);
    await seed(started, metric('m'), [{entity: SHOP, time: T0, value: 1}], {timeZone});
    const [minuteRow] = await rowsOf(started, 'm', 'minute');
    const [hourRow] = await rowsOf(started, 'm', 'hour');
    const [dayRow] = await rowsOf(started, 'm', 'day');
    t.deepEqual([minuteRow?.[0], hourRow?.[0], dayRow?.[0]], [T0, Date.parse(hour) / 1000, Date.parse(day) / 1000]);
  });
}

const B64 = {shop: 'c2hvcA==', db: 'ZGI=', one: 'b25l', home: 'L2hvbWU='};
const DEST = {destLayer: 'VIRTUAL_DATABASE', destService: 'db'};

const SCOPES: readonly (readonly [Scope, Entity, string, readonly string[], readonly string[] | undefined])[] = [
  ['Service', SHOP, `${B64.shop}.1`, ['attr0', 'attr1', 'attr2', 'attr3', 'attr4', 'attr5'], undefined],
  [
    'Service',
    {layer: 'VIRTUAL_DATABASE', service: 'db'},
    `${B64.db}.0`,
    ['attr0', 'attr1', 'attr2', 'attr3', 'attr4', 'attr5'],
    undefined,
  ],
  ['ServiceInstance', {...SHOP, serviceInstance: 'one'}, `${B64.shop}.1_${B64.one}`, ['service_id'], undefined],
  [
    'Endpoint',
    {...SHOP, endpoint: '/home'},
    `${B64.shop}.1_${B64.home}`,
    ['service_id', 'attr0', 'attr1', 'attr2', 'attr3', 'attr4', 'attr5'],
    ['service_id'],
  ],
  ['ServiceRelation', {...SHOP, ...DEST}, `${B64.shop}.1-${B64.db}.0`, [], undefined],
  [
    'ServiceInstanceRelation',
    {...SHOP, serviceInstance: 'one', ...DEST, destServiceInstance: 'one'},
    `${B64.shop}.1_${B64.one}-${B64.db}.0_${B64.one}`,
    [],
    undefined,
  ],
  [
    'EndpointRelation',
    {...SHOP, endpoint: '/home', ...DEST, destEndpoint: 'one'},
    `${B64.shop}.1-${B64.home}-${B64.db}.0-${B64.one}`,
    [],
    undefined,
  ],
];

for (const [scope, entity, id, searchable, sharding] of SCOPES) {
  test(`the rows of ${scope} ${entity.service} have the id ${id}`, async t => {
    const started = await startFake(t);
    await seed(started, metric('m', {scope}), [{entity, time: T0, value: 1}]);
    const {measure} = await started.client.call(measures.Get, {
      metadata: {group: GROUP_OF_STEP.minute, name: 'm_minute'},
    });
    const family = measure?.tag_families.find(({name}) => name === 'searchable');
    t.deepEqual(family?.tags.map(({name}) => name) ?? [], searchable);
    t.deepEqual(measure?.sharding_key?.tag_names, sharding);
    const {data_points} = await started.client.call(QueryMeasure, {
      groups: [GROUP_OF_STEP.minute],
      name: 'm_minute',
      time_range: between(T0 * 1000, T0 * 1000),
      tag_projection: families({'storage-only': ['entity_id'], searchable}),
    });
    const [point] = data_points;
    const {entity_id, attr0 = null} = point === undefined ? {} : tagsOf(point);
    t.deepEqual([entity_id, attr0], [id, null]);
  });
}

test('metrics whose rule names the layer have it in attr0', async t => {
  const started = await startFake(t);
  await seed(started, metric('service_cpm'), [{entity: SHOP, time: T0, value: 1}]);
  const {data_points} = await started.client.call(QueryMeasure, {
    groups: [GROUP_OF_STEP.minute],
    name: 'service_cpm_minute',
    time_range: between(T0 * 1000, T0 * 1000),
    tag_projection: families({searchable: ['attr0']}),
  });
  t.deepEqual(data_points.map(tagsOf), [{attr0: 'GENERAL'}]);
});

test('a sampled record is an element of a stream', async t => {
  const started = await startFake(t);
  const seeder = await Seeder.open(started.fake.local);
  const entity = {layer: 'VIRTUAL_DATABASE', service: 'db'};
  const record = {metric: 'top_n_database_statement', entity, content: 'select 1', time: T0 + 7, value: 12};
  const metrics = [metric(record.metric, {kind: 'sampled-record'})];
  await seeder.metrics(batch({metrics, records: [record, {...record, traceId: 'abc'}, record]}));
  const {elements} = await started.client.call(QueryStream, {
    groups: ['sw_records'],
    name: record.metric,
    projection: families({
      searchable: ['latency'],
      'storage-only': ['statement', 'trace_id', 'entity_id', 'timestamp'],
    }),
    limit: 10,
  });
  const time = BigInt(T0 + 7) * 1000n;
  t.deepEqual(elements.map(tagsOf), [
    {latency: 12n, statement: 'select 1', trace_id: null, entity_id: `${B64.db}.0`, timestamp: time},
    {latency: 12n, statement: 'select 1', trace_id: 'abc', entity_id: `${B64.db}.0`, timestamp: time},
  ]);
  t.true((await started.client.call(streams.Exist, {metadata: {group: 'sw_records', name: record.metric}})).has_stream);
});

test('what is written over the network is what is written without it', async t => {
  const rows = [];
  for (const caller of ['client', 'local'] as const) {
    const started = await startFake(t);
    const seeder = await Seeder.open(caller === 'client' ? started.client : started.fake.local);
    const definition = metric('m', {kind: 'labeled', valueLabels: ['p']});
    const samples = Array.from({length: 300}, (_, i) => ({
      metric: 'm',
      entity: {...SHOP, service: `s${i % 100}`},
      labels: {p: i % 2 === 0 ? '50' : '99'},
      time: T0 + 60 * Math.floor(i / 100),
      value: i,
    }));
    await seeder.metrics(batch({metrics: [definition], samples}));
    rows.push([await rowsOf(started, 'm', 'minute'), await rowsOf(started, 'm', 'day')]);
  }
  t.is(rows[0]?.[0]?.length, 300);
  t.deepEqual(rows[0], rows[1]);
});

test('a namespace stands before the names of the groups, an empty one does not', async t => {
  const {fake} = await startFake(t);
  t.is((await Seeder.open(fake.local, {namespace: 'prod'})).groupName('metricsMinute'), 'prod_metricsMinute');
  t.is((await Seeder.open(fake.local, {namespace: ''})).groupName('metricsMinute'), 'metricsMinute');
  t.is((await Seeder.open(fake.local)).groupName('metadata'), 'sw_metadata');
});

test('the layout of 0.8 has other groups, and keeps segments and spans in streams', async t => {
  const {fake, client} = await startFake(t, {release: '0.8'});
  const seeder = await Seeder.open(fake.local, {release: '0.8'});
  t.is(seeder.groupName('metricsMinute'), 'minute');
  t.is(seeder.groupName('metadata'), 'index');
  t.true((await client.call(streams.Exist, {metadata: {group: 'segment', name: 'segment'}})).has_stream);
  await t.throwsAsync(seeder.segments([]), {message: /trace model/});
});
