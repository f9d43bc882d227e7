import {status} from '@grpc/grpc-js';
import test from 'ava';
import type {MeasureQueryRequest, OutgoingMessage} from '../../../storage-adapters/banyandb/proto/methods.js';
import {measures, QueryMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import type {FakeOptions} from '../../fixtures/banyandb/fake.js';
import type {Release} from '../../fixtures/banyandb/release.js';
import {documentSchema} from '../../fixtures/banyandb/seed/traffic.js';
import type {Database} from '../../fixtures/banyandb/store/database.js';
import type {MeasureSchema} from '../../fixtures/banyandb/store/schema.js';
import {
  between,
  DAY,
  families,
  int,
  MINUTE,
  plain,
  refuses,
  started,
  str,
  strings,
  T0,
  where,
} from './support/asking.js';

/** What decides an answer and was met on real servers. A fake that is wrong about it would make the adapter's tests lie. */
const MEASURE: MeasureSchema = {
  group: 'sw_metricsMinute',
  name: 'm_minute',
  tags: [
    {name: 'entity_id', type: 'TAG_TYPE_STRING'},
    {name: 'size', type: 'TAG_TYPE_INT', indexed: true},
    {name: 'note', type: 'TAG_TYPE_STRING'},
  ],
  fields: [
    {name: 'value', type: 'FIELD_TYPE_INT'},
    {name: 'bytes', type: 'FIELD_TYPE_DATA_BINARY'},
  ],
  entity: 'entity_id',
  interval: '1m',
};

/** An entity, a minute, a value and a tag, which may be missing. */
type Row = readonly [string, number, number | bigint, number?];

function writeRows(database: Database, rows: readonly Row[]): void {
  database.createMeasure(MEASURE);
  const points = rows.map(([entity_id, minute, value, size]) => ({
    time: T0 + minute * MINUTE,
    tags: {entity_id, size: size === undefined ? null : BigInt(size)},
    fields: [BigInt(value), Buffer.alloc(8)],
  }));
  database.writePoints(MEASURE, points);
}

const askMeasure = (more: OutgoingMessage<MeasureQueryRequest>): OutgoingMessage<MeasureQueryRequest> => ({
  groups: [MEASURE.group],
  name: MEASURE.name,
  time_range: between(T0, T0 + DAY),
  tag_projection: families({any: ['entity_id', 'size']}),
  field_projection: {names: ['value']},
  limit: 100_000,
  ...more,
});

const by = (name: string, field_name = 'value'): OutgoingMessage<MeasureQueryRequest> => ({
  group_by: {tag_projection: families({any: ['entity_id']})},
  agg: {function: `AGGREGATION_FUNCTION_${name}` as 'AGGREGATION_FUNCTION_SUM', field_name},
});

const GREATEST = 2n ** 63n - 1n;
const THREE: readonly Row[] = [
  ['a', 2, 7, 10],
  ['b', 1, 5, 20],
  ['a', 0, 3],
];

const MEASURES: readonly (readonly [
  string,
  readonly Row[],
  OutgoingMessage<MeasureQueryRequest>,
  readonly (number | bigint)[],
])[] = [
  ['come by time, oldest first', THREE, {}, [3, 5, 7]],
  ['come newest first where asked', THREE, {order_by: {sort: 'SORT_DESC'}}, [7, 5, 3]],
  ['are those of a time with both its ends', THREE, {time_range: between(T0, T0 + MINUTE)}, [3, 5]],
  ['are replaced by what is written later for the same time', [...THREE, ['b', 1, 6]], {}, [3, 6, 7]],
  ['are found by EQ on the entity', THREE, {criteria: where('entity_id', 'EQ', str('a'))}, [3, 7]],
  ['are found by IN on the entity', THREE, {criteria: where('entity_id', 'IN', strings('b', 'b', 'c'))}, [5]],
  ['are found by GE, which no null is', THREE, {criteria: where('size', 'GE', int(-1))}, [5, 7]],
  ['are found by LE, which no null is', THREE, {criteria: where('size', 'LE', int(10))}, [7]],
  [
    'are added exactly beyond 2^53',
    [
      ['a', 0, 2n ** 53n],
      ['a', 1, 1],
    ],
    by('SUM'),
    [2n ** 53n + 1n],
  ],
  [
    'wrap around beyond 2^63 when added',
    [
      ['a', 0, GREATEST],
      ['a', 1, 1],
    ],
    by('SUM'),
    [-GREATEST - 1n],
  ],
  ['are counted by entity', THREE, by('COUNT'), [2, 1]],
  ['have a maximum, which may be what a minimum of nothing holds', [['a', 0, GREATEST]], by('MAX'), [GREATEST]],
  [
    'have a mean that is cut',
    [
      ['a', 0, 20],
      ['a', 1, 21],
    ],
    by('MEAN'),
    [20],
  ],
  [
    'have a mean of 1 where it is below',
    [
      ['a', 0, 0],
      ['b', 0, -5],
      ['b', 1, -5],
    ],
    by('MEAN'),
    [1, 1],
  ],
  [
    'of 1970 are dropped',
    [
      ['a', -T0 / MINUTE, 1],
      ['a', 0, 2],
    ],
    {time_range: between(0, T0)},
    [2],
  ],
];

for (const [title, rows, request, values] of MEASURES) {
  test(`rows of measures ${title}`, async t => {
    const {client, database} = await started(t);
    writeRows(database, rows);
    const {data_points} = await client.call(QueryMeasure, askMeasure(request));
    t.deepEqual(
      data_points.map(({fields}) => plain(fields[0]?.value)),
      values.map(BigInt),
    );
  });
}

const FAILED: readonly (readonly [string, OutgoingMessage<MeasureQueryRequest>, RegExp, Release?])[] = [
  ['an unknown measure', {name: 'nothing_minute'}, /STATUS_INTERNAL_ERROR.*measure .* doesn't exist/],
  ['a projection of nothing', {tag_projection: null, field_projection: null}, /invalid query message/],
  ['an unknown tag', {tag_projection: families({any: ['nothing']})}, /invalid query message/],
  ['an unknown field', {field_projection: {names: ['nothing']}}, /invalid query message/],
  ['a condition on a tag without index rule', {criteria: where('note', 'EQ', str('x'))}, /mandatory index rule/],
  ['GE on an entity tag', {criteria: where('entity_id', 'GE', str('a'))}, /unsupported condition/],
  [
    'a tag that is grouped by and not projected',
    {...by('SUM'), tag_projection: families({any: ['size']})},
    /invalid query/,
  ],
  ['a field that is reduced and not projected', {...by('SUM'), field_projection: null}, /invalid query message/],
  ['a sum of bytes', {...by('SUM', 'bytes'), field_projection: {names: ['bytes']}}, /panic/],
  [
    'a tag of the criteria that is not projected, up to 0.9',
    {criteria: where('size', 'EQ', int(1)), tag_projection: families({any: ['entity_id']})},
    /invalid query message/,
    '0.9',
  ],
];

for (const [title, request, text, release = '0.11'] of FAILED) {
  test(`${title} fails a query of measures`, async t => {
    const {client, database} = await started(t, {release});
    writeRows(database, THREE);
    await refuses(t, client.call(QueryMeasure, askMeasure(request)), status.UNKNOWN, text);
  });
}

test('what the adapter does not ask is refused and not guessed', async t => {
  const {client, database} = await started(t);
  writeRows(database, THREE);
  for (const request of [
    {criteria: where('size', 'NE', int(1))},
    {criteria: {le: {op: 'LOGICAL_OP_OR', left: where('size', 'EQ', int(1)), right: where('size', 'EQ', int(2))}}},
    {order_by: {index_rule_name: 'size', sort: 'SORT_ASC'}},
    {top: {number: 1, field_name: 'value'}},
    {offset: 1},
    {groups: ['a', 'b']},
    {time_range: null},
    by('MIN'),
  ] as const satisfies readonly OutgoingMessage<MeasureQueryRequest>[]) {
    const call = client.call(QueryMeasure, askMeasure(request));
    await refuses(t, call, status.UNIMPLEMENTED, /the fake does not know/);
  }
  await refuses(t, client.call(measures.Create, {}), status.UNIMPLEMENTED, /unknown method/);
});

// Documents in index mode.

const DOCUMENTS: readonly (readonly [
  string,
  readonly (readonly [string, number])[],
  FakeOptions,
  readonly number[],
])[] = [
  [
    'is one in a segment, with the time of its last write',
    [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ],
    {},
    [2, 3],
  ],
  [
    'is another in each segment',
    [
      ['a', 1],
      ['a', 16],
    ],
    {},
    [1, 16],
  ],
  [
    'outside the time is left out',
    [
      ['a', 1],
      ['b', 40],
    ],
    {},
    [1],
  ],
  [
    'outside the time is given before 0.11',
    [
      ['a', 1],
      ['b', 29],
    ],
    {release: '0.10'},
    [1, 29],
  ],
  ['comes from two nodes with two times', [['a', 1]], {divergentDocuments: true}, [1, 1 + MINUTE / DAY]],
];

for (const [title, written, options, days] of DOCUMENTS) {
  test(`a document ${title}`, async t => {
    const {client, database} = await started(t, options);
    const schema = documentSchema('sw_metadata', 'instance_traffic');
    for (const [id, day] of written) {
      database.writePoints(schema, [{time: T0 + day * DAY, tags: {id}, fields: []}]);
    }
    const {data_points} = await client.call(QueryMeasure, {
      groups: [schema.group],
      name: schema.name,
      time_range: between(0, T0 + 20 * DAY),
      tag_projection: families({'storage-only': ['id']}),
    });
    const times = data_points.map(({timestamp}) => (timestamp === null ? 0 : toMilliseconds(timestamp)));
    t.deepEqual(
      times.map(time => (time - T0) / DAY),
      days,
    );
  });
}

for (const [title, defaultStages, stages, answers] of [
  ['none by default and none asked for', [], [], false],
  ['one by default', ['hot', 'warm'], [], true],
  ['one asked for', [], ['warm'], true],
  ['an unknown one asked for', ['hot'], ['frozen'], false],
] as const) {
  test(`a group with stages, ${title}, ${answers ? 'answers' : 'is refused'}`, async t => {
    const {client, database} = await started(t);
    writeRows(database, THREE);
    database.groups.set(MEASURE.group, {catalog: 'CATALOG_MEASURE', segmentDays: 1, stages: ['warm'], defaultStages});
    const call = client.call(QueryMeasure, askMeasure({stages}));
    if (answers) t.is((await call).data_points.length, 3);
    else await refuses(t, call, status.UNKNOWN, /no stage found/);
  });
}
