import test from 'ava';
import type {
  AggregationFunction,
  MeasureQueryRequest,
  MeasureQueryResponse,
  OutgoingMessage,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {QueryMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {families, plain, str, tagsOf, where} from './support/queries.js';
import {ask, type SampleRow, writeSamples} from './support/sample-measure.js';
import {refuses, startFake} from './support/start-fake.js';

const byEntity = {tag_projection: families({'storage-only': ['entity_id']}), field_name: 'value'};

const reduce = (name: string): OutgoingMessage<MeasureQueryRequest>['agg'] => ({
  function: `AGGREGATION_FUNCTION_${name}` as AggregationFunction,
  field_name: 'value',
});

const resultsOf = ({data_points}: MeasureQueryResponse): readonly (readonly [unknown, unknown])[] =>
  data_points.map(point => [tagsOf(point).entity_id, plain(point.fields[0]?.value ?? null)] as const);

const MAX_LONG = 9_223_372_036_854_775_807n;

const EXACT: readonly (readonly [string, string, readonly (number | bigint)[], bigint])[] = [
  ['SUM is exact', 'SUM', [1, 2, 4], 7n],
  ['SUM of values beyond 2^53 is exact', 'SUM', [2n ** 53n, 1], 2n ** 53n + 1n],
  ['SUM wraps around beyond 2^63, silently', 'SUM', [MAX_LONG, 1], -MAX_LONG - 1n],
  ['COUNT counts rows', 'COUNT', [0, 0, 0], 3n],
  ['MIN is exact', 'MIN', [7, -3, 5], -3n],
  ['MIN shows what a minimum without data holds', 'MIN', [MAX_LONG], MAX_LONG],
  ['MAX is exact', 'MAX', [7, -3, 5], 7n],
  ['MEAN is cut to a whole number', 'MEAN', [20, 21], 20n],
  ['MEAN below 1 becomes 1', 'MEAN', [0, 1], 1n],
  ['MEAN of zeros becomes 1', 'MEAN', [0, 0], 1n],
  ['MEAN of negative values becomes 1', 'MEAN', [-5, -5], 1n],
  ['MEAN of one value is the value', 'MEAN', [42], 42n],
];

for (const [title, name, values, result] of EXACT) {
  test(title, async t => {
    const started = await startFake(t);
    await writeSamples(
      started,
      values.map((value, minute) => ({entity: 'a', minute, value})),
    );
    const response = await started.client.call(QueryMeasure, ask({agg: reduce(name), group_by: byEntity}));
    t.deepEqual(resultsOf(response), [['a', result]]);
  });
}

const THREE: readonly SampleRow[] = [
  {entity: 'a', minute: 0, value: 5, tags: {service_id: 's1'}},
  {entity: 'b', minute: 0, value: 1, tags: {service_id: 's1'}},
  {entity: 'a', minute: 1, value: 7, tags: {service_id: 's1'}},
  {entity: 'c', minute: 1, value: 3, tags: {service_id: 's2'}},
];

test('without a function a group gives its first row', async t => {
  const started = await startFake(t);
  await writeSamples(started, THREE);
  const response = await started.client.call(QueryMeasure, ask({group_by: byEntity}));
  t.deepEqual(resultsOf(response), [
    ['a', 5n],
    ['b', 1n],
    ['c', 3n],
  ]);
});

test('without groups a function gives one row', async t => {
  const started = await startFake(t);
  await writeSamples(started, THREE);
  const [[, sum] = []] = resultsOf(await started.client.call(QueryMeasure, ask({agg: reduce('SUM')})));
  t.is(sum, 16n);
});

test('groups may be made by an indexed tag, and criteria come first', async t => {
  const started = await startFake(t);
  await writeSamples(started, THREE);
  const tag_projection = families({searchable: ['service_id'], 'storage-only': ['entity_id']});
  const request = ask({
    tag_projection,
    criteria: where('service_id', 'EQ', str('s1')),
    group_by: {tag_projection: families({searchable: ['service_id']})},
    agg: reduce('SUM'),
  });
  t.deepEqual(resultsOf(await started.client.call(QueryMeasure, request)), [['a', 13n]]);
});

test('no rows have no result', async t => {
  const started = await startFake(t);
  await writeSamples(started, []);
  const response = await started.client.call(QueryMeasure, ask({agg: reduce('SUM'), group_by: byEntity}));
  t.deepEqual(resultsOf(response), []);
});

for (const [title, request] of [
  ['a tag', {group_by: {tag_projection: families({searchable: ['service_id']})}}],
  ['a field', {field_projection: {names: []}, agg: reduce('SUM')}],
] as const) {
  test(`${title} that is reduced by has to be projected`, async t => {
    const started = await startFake(t);
    await writeSamples(started, THREE);
    await refuses(t, started.client.call(QueryMeasure, ask(request)), 2, /invalid query message/);
  });
}

const MANY = 3000;
const BUCKETS = 3;

/** Entities of which each has another sum. */
const many = (): SampleRow[] =>
  Array.from({length: MANY * BUCKETS}, (_, i) => ({
    entity: `entity-${i % MANY}`,
    minute: Math.floor(i / MANY),
    value: ((i % MANY) * 7919) % MANY,
  }));

test('thousands of entities are ranked exactly by SUM and COUNT, and one request brings them all', async t => {
  const started = await startFake(t);
  await writeSamples(started, many());
  const [sums, counts] = await Promise.all(
    ['SUM', 'COUNT'].map(name => started.client.call(QueryMeasure, ask({agg: reduce(name), group_by: byEntity}))),
  );
  const count = new Map(resultsOf(counts ?? {data_points: [], group_statuses: {}}));
  const means = resultsOf(sums ?? {data_points: [], group_statuses: {}}).map(
    ([entity, sum]) => [entity, Number(sum) / Number(count.get(entity))] as const,
  );
  t.is(means.length, MANY);
  for (const [entity, mean] of means) t.is(mean, (Number(String(entity).slice(7)) * 7919) % MANY);
});

test('groups beyond the limit are cut away, and nothing says so', async t => {
  const started = await startFake(t);
  await writeSamples(started, many());
  const response = await started.client.call(QueryMeasure, ask({agg: reduce('SUM'), group_by: byEntity, limit: 0}));
  t.is(response.data_points.length, 100);
});

test('top cuts an aggregate to its largest or smallest results', async t => {
  const started = await startFake(t);
  await writeSamples(started, many());
  const ranked = async (field_value_sort: 'SORT_DESC' | 'SORT_ASC'): Promise<readonly unknown[]> => {
    const top = {number: 3, field_name: 'value', field_value_sort} as const;
    const response = await started.client.call(QueryMeasure, ask({agg: reduce('SUM'), group_by: byEntity, top}));
    return resultsOf(response).map(([, sum]) => sum);
  };
  t.deepEqual(
    await ranked('SORT_DESC'),
    [2999n, 2998n, 2997n].map(value => value * BigInt(BUCKETS)),
  );
  t.deepEqual(
    await ranked('SORT_ASC'),
    [0n, 1n, 2n].map(value => value * BigInt(BUCKETS)),
  );
});
