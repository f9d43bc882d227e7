import test from 'ava';
import type {Entity, MetricDefinition, Scope} from '../../../core/api/adapter.js';
import {batch, metric} from '../../../storage-adapters/conformance/data/metrics.js';
import {compatSpan, nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {Seeder, type SeederOptions} from '../../fixtures/banyandb/seed/seeder.js';
import type {Cell} from '../../fixtures/banyandb/store/cell.js';
import {Database} from '../../fixtures/banyandb/store/database.js';

/** What an OAP writes, by its source at 11.0-SNAPSHOT: a seeder that is wrong as the adapter is would hide it. */
const T0 = Date.UTC(2026, 0, 5, 12) / 1000;
const SHOP: Entity = {layer: 'GENERAL', service: 'shop'};

function seeded(options: SeederOptions = {}): {readonly database: Database; readonly seeder: Seeder} {
  const database = new Database({release: '0.11', nodeUtcOffset: 0, divergentDocuments: false});
  return {database, seeder: Seeder.open({database}, options)};
}

const rowsOf = (database: Database, group: string, name: string) =>
  [...database.measure(group, name).rows.all()].flat();

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

const FIELDS: readonly (readonly [MetricDefinition, readonly number[], Readonly<Record<string, Cell>>])[] = [
  [metric('m'), [10, 20], {value: 15n, summation: 30n, count: 2n}],
  [metric('m'), [10, 11], {double_value: double(10.5), double_summation: double(21), count: 2n}],
  [metric('m', {rollup: 'sum'}), [10, 20], {value: 30n}],
  [metric('m', {rollup: 'max'}), [10.25, 2], {value: double(10.25)}],
  [metric('m', {rollup: 'latest'}), [10, 20, 7], {value: 7n}],
  [metric('service_cpm'), [10, 21], {value: 15n, total: 31n}],
  [metric('service_sla'), [9950, 10_000], {percentage: 9975n, total: 10_000n, match: 9975n}],
  [metric('service_apdex'), [9000], {int_value: 9000n, total_num: 10_000n, s_num: 9000n, t_num: 0n}],
];

for (const [definition, values, fields] of FIELDS) {
  const {name, rollup} = definition;
  test(`the hour of ${values.join()} of ${name} by ${rollup} has ${Object.keys(fields).join()}`, t => {
    const {database, seeder} = seeded();
    const samples = values.map((value, i) => ({metric: name, entity: SHOP, time: T0 + i * 60, value}));
    seeder.metrics(batch({metrics: [definition], samples}));
    const {schema} = database.measure('sw_metricsHour', `${name}_hour`);
    const [row] = rowsOf(database, 'sw_metricsHour', `${name}_hour`);
    t.deepEqual(Object.fromEntries(schema.fields.map((field, i) => [field.name, row?.fields[i]])), fields);
    t.is(row?.time, T0 * 1000);
  });
}

const DEST = {destLayer: 'VIRTUAL_DATABASE', destService: 'db'};
const IDS: readonly (readonly [Scope, Entity, string])[] = [
  ['Service', SHOP, 'c2hvcA==.1'],
  ['Service', {layer: 'VIRTUAL_DATABASE', service: 'db'}, 'ZGI=.0'],
  ['ServiceInstance', {...SHOP, serviceInstance: 'one'}, 'c2hvcA==.1_b25l'],
  ['Endpoint', {...SHOP, endpoint: '/home'}, 'c2hvcA==.1_L2hvbWU='],
  ['ServiceRelation', {...SHOP, ...DEST}, 'c2hvcA==.1-ZGI=.0'],
  [
    'ServiceInstanceRelation',
    {...SHOP, serviceInstance: 'one', ...DEST, destServiceInstance: 'one'},
    'c2hvcA==.1_b25l-ZGI=.0_b25l',
  ],
  ['EndpointRelation', {...SHOP, endpoint: '/home', ...DEST, destEndpoint: 'one'}, 'c2hvcA==.1-L2hvbWU=-ZGI=.0-b25l'],
];

for (const [scope, entity, id] of IDS) {
  test(`rows of ${scope} ${entity.service} have the id ${id}`, t => {
    const {database, seeder} = seeded();
    seeder.metrics(batch({metrics: [metric('m', {scope})], samples: [{metric: 'm', entity, time: T0, value: 1}]}));
    t.deepEqual(
      rowsOf(database, 'sw_metricsMinute', 'm_minute').map(({tags}) => tags.entity_id),
      [id],
    );
  });
}

for (const [timeZone, hour, day, ping] of [
  ['UTC', '2026-01-05T12:00Z', '2026-01-05T00:00Z', 202601051200n],
  ['Asia/Kolkata', '2026-01-05T11:30Z', '2026-01-04T18:30Z', 202601051730n],
  ['America/New_York', '2026-01-05T12:00Z', '2026-01-05T05:00Z', 202601050700n],
] as const) {
  test(`hours, days and last_ping are by the clock of ${timeZone}`, t => {
    const {database, seeder} = seeded({timeZone});
    const entity = {...SHOP, serviceInstance: 'one'};
    const definition = metric('m', {scope: 'ServiceInstance'});
    seeder.metrics(batch({metrics: [definition], samples: [{metric: 'm', entity, time: T0, value: 1}]}));
    t.is(rowsOf(database, 'sw_metricsHour', 'm_hour')[0]?.time, Date.parse(hour));
    t.is(rowsOf(database, 'sw_metricsDay', 'm_day')[0]?.time, Date.parse(day));
    t.is(rowsOf(database, 'sw_metadata', 'instance_traffic_minute')[0]?.tags.last_ping, ping);
  });
}

test('labeled values are a table of text', t => {
  const {database, seeder} = seeded();
  const definition = metric('m', {kind: 'labeled', valueLabels: ['p']});
  const samples = ['50', '99'].map((p, value) => ({metric: 'm', entity: SHOP, labels: {p}, time: T0, value}));
  seeder.metrics(batch({metrics: [definition], samples}));
  t.is(rowsOf(database, 'sw_metricsMinute', 'm_minute')[0]?.fields[0], '{p=50},0|{p=99},1');
});

test('spans and segments have the tags by which they are searched, and no long texts among them', t => {
  const {database, seeder} = seeded();
  const start = T0 * 1000;
  const tags = new Map([
    ['http.method', 'GET'],
    ['long', 'x'.repeat(300)],
  ] as const);
  seeder.spans([compatSpan('ab'.repeat(8), 1, {timestamp: start * 1000 + 123, duration: 45, kind: 'CLIENT', tags})]);
  seeder.segments([
    segment('t', 't.1', [
      nativeSpan(0, start, {endTime: start + 30, operationName: '/home', spanType: 'Entry'}),
      nativeSpan(1, start - 5, {endTime: start, isError: true, tags: [{key: 'http.method', value: 'GET'}]}),
    ]),
  ]);
  const tagsOf = (group: string, name: string, id: string) => {
    const {rows} = database.trace(group, name);
    return rows.rowsOf(id, rows.segments()).map(row => row.tags);
  };
  const [span] = tagsOf('sw_zipkinTrace', 'zipkin_span', 'ab'.repeat(8));
  t.like(span, {kind: 'CLIENT', duration: 45n, timestamp_millis: start, local_endpoint_service_name: 'Unknown'});
  t.deepEqual(span?.query, ['http.method', 'http.method=GET', 'long']);
  const [one] = tagsOf('sw_trace', 'segment', 't');
  t.like(one, {start_time: start - 5, latency: 35n, is_error: 1n});
  t.regex(String(one?.endpoint_id), /_L2hvbWU=$/);
  t.deepEqual(one?.tags, ['http.method=GET']);
});
