import test from 'ava';
import type {OutgoingMessage, StreamQueryRequest} from '../../../storage-adapters/banyandb/proto/methods.js';
import {QueryStream} from '../../../storage-adapters/banyandb/proto/methods.js';
import {recordPlan} from '../../fixtures/banyandb/seed/metric-plans.js';
import {all, between, families, int, str, tagsOf, where} from './support/queries.js';
import {refuses, type Started, startFake} from './support/start-fake.js';

const GROUP = 'sw_records';
const T0 = Date.UTC(2026, 0, 5);
const PLAN = recordPlan('top_n_database_statement', GROUP);

/** `count` records of the service `db`, one each second; the latencies are a permutation of 0 … count - 1. */
async function write({schemas, rows}: Started, count: number): Promise<void> {
  await schemas.group(GROUP, {catalog: 'CATALOG_STREAM', shards: 1, segmentDays: 1, ttlDays: 3});
  await schemas.stream(PLAN);
  const elements = Array.from({length: count}, (_, i) => ({
    id: `element-${i}`,
    time: T0 + i * 1000,
    tags: {entity_id: i % 2 === 0 ? 'db' : 'cache', latency: BigInt((i * 7) % count), statement: `select ${i}`},
  }));
  await rows.elements(PLAN, elements);
}

const ask = (more: OutgoingMessage<StreamQueryRequest> = {}): OutgoingMessage<StreamQueryRequest> => ({
  groups: [GROUP],
  name: PLAN.name,
  time_range: between(T0, T0 + 86_400_000),
  projection: families({searchable: ['latency'], 'storage-only': ['statement', 'entity_id']}),
  limit: 1000,
  ...more,
});

const DESCENDING = {index_rule_name: 'latency', sort: 'SORT_DESC'} as const;

const COUNTS: readonly (readonly [string, OutgoingMessage<StreamQueryRequest>, number])[] = [
  ['without a limit 20 elements come back', {limit: 0}, 20],
  ['a limit counts elements', {limit: 7}, 7],
  ['without a time range everything is looked at', {time_range: null}, 51],
  ['a time range includes both ends', {time_range: between(T0 + 1000, T0 + 3000)}, 3],
  ['the entity is a condition', {criteria: where('entity_id', 'EQ', str('db'))}, 26],
  ['an indexed tag is a condition', {criteria: where('latency', 'GE', int(50))}, 1],
  ['a tag asked for in a wrong family empties the answer', {projection: families({searchable: ['statement']})}, 0],
  ['a family that does not exist empties the answer', {projection: families({other: ['latency']})}, 0],
  ['elements come without tags where none are asked for', {projection: null}, 51],
];

for (const [title, request, count] of COUNTS) {
  test(title, async t => {
    const started = await startFake(t);
    await write(started, 51);
    t.is((await started.client.call(QueryStream, ask(request))).elements.length, count);
  });
}

const REFUSALS: readonly (readonly [string, OutgoingMessage<StreamQueryRequest>, number, RegExp])[] = [
  ['an unknown stream', {name: 'nothing'}, 2, /stream .* doesn't exist/],
  ['an unknown tag', {projection: families({searchable: ['nothing']})}, 2, /invalid query message/],
  [
    'a condition on a tag without index rule',
    {criteria: where('statement', 'EQ', str('x'))},
    2,
    /mandatory index rule/,
  ],
  ['NE on the entity', {criteria: where('entity_id', 'NE', str('db'))}, 2, /unsupported condition/],
  ['an order by an unknown rule', {order_by: {index_rule_name: 'statement', sort: 'SORT_ASC'}}, 2, /not found/],
  ['parts of a millisecond', {time_range: {begin: {nanos: 1}, end: {}}}, 3, /time is not millisecond precision/],
];

for (const [title, request, code, text] of REFUSALS) {
  test(`${title} is refused with code ${code}`, async t => {
    const started = await startFake(t);
    await write(started, 1);
    await refuses(t, started.client.call(QueryStream, ask(request)), code, text);
  });
}

test('an order by a rule gives the true largest of one entity', async t => {
  const started = await startFake(t);
  await write(started, 1000);
  const criteria = where('entity_id', 'EQ', str('db'));
  const {elements} = await started.client.call(QueryStream, ask({criteria, order_by: DESCENDING, limit: 5}));
  t.deepEqual(
    elements.map(element => tagsOf(element).latency),
    [998n, 996n, 994n, 992n, 990n],
  );
});

test('the same element again is one element', async t => {
  const started = await startFake(t);
  await write(started, 3);
  await write(started, 3);
  t.is((await started.client.call(QueryStream, ask())).elements.length, 3);
});

const SHORT: readonly (readonly [number, number])[] = [
  [10, 5],
  [20, 12],
  [200, 51],
];

for (const [limit, count] of SHORT) {
  test(`release 0.9 gives ${count} of 51 elements for a limit of ${limit}`, async t => {
    const started = await startFake(t, {release: '0.9'});
    await write(started, 51);
    t.is((await started.client.call(QueryStream, ask({limit}))).elements.length, count);
  });
}

test('before 0.10 a tag of the criteria has to be projected too', async t => {
  const started = await startFake(t, {release: '0.9'});
  await write(started, 2);
  const criteria = all(where('latency', 'GE', int(0)), where('entity_id', 'EQ', str('db')));
  const request = ask({criteria, projection: families({searchable: ['latency']})});
  await refuses(t, started.client.call(QueryStream, request), 2, /invalid query message/);
});
