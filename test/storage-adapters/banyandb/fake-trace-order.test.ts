import test from 'ava';
import type {OutgoingMessage, Sort, TraceQueryRequest} from '../../../storage-adapters/banyandb/proto/methods.js';
import {QueryTrace} from '../../../storage-adapters/banyandb/proto/methods.js';
import {all, between, int, str, strings, where} from './support/queries.js';
import {askTraces, idsOf, NOON, type SegmentRow, writeSegments} from './support/sample-segments.js';
import {type Started, startFake} from './support/start-fake.js';

const TRACES = 4000;
const SERVICES = 40;
const HALF_AN_HOUR = 1_800_000;
const DAY = 86_400_000;

/** Numbers that look random and are the same in each run. */
function mixed(i: number): number {
  let x = Math.imul(i + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return (x ^ (x >>> 13)) >>> 0;
}

/** One segment each, over half an hour; about four of a hundred of a service are errors. */
const ROWS: readonly SegmentRow[] = Array.from({length: TRACES}, (_, i) => ({
  trace: `trace-${String(i).padStart(4, '0')}`,
  at: Math.floor((i * HALF_AN_HOUR) / TRACES),
  service: `service-${mixed(i) % SERVICES}`,
  error: mixed(i + TRACES) % 25 === 0 && i < TRACES - 100,
  tags: mixed(i + 2 * TRACES) % 9 === 0 ? ['http.method=GET'] : [],
}));

const newestFirst = [...ROWS].reverse().map(({trace}) => trace);

async function seeded(t: Parameters<typeof startFake>[0]): Promise<Started> {
  const started = await startFake(t);
  await writeSegments(started, ROWS);
  return started;
}

async function first(
  {client}: Started,
  limit: number,
  sort: Sort,
  more: OutgoingMessage<TraceQueryRequest> = {},
): Promise<readonly string[]> {
  const order_by = {index_rule_name: 'start_time', sort};
  return idsOf(await client.call(QueryTrace, askTraces({order_by, limit, ...more})));
}

/** How many of the answered traces are among the true first ones. */
function right(answered: readonly string[], truth: readonly string[]): number {
  const wanted = new Set(truth.slice(0, answered.length));
  return answered.filter(id => wanted.has(id)).length;
}

test('of the newest 20 traces over all services none is right', async t => {
  const answered = await first(await seeded(t), 20, 'SORT_DESC');
  t.is(answered.length, 20);
  t.is(right(answered, newestFirst), 0);
});

test('of the oldest 100 traces over all services some are right and some are not', async t => {
  const answered = await first(await seeded(t), 100, 'SORT_ASC');
  t.is(answered.length, 100);
  const found = right(answered, newestFirst.toReversed());
  t.true(found > 50 && found < 100, `${found} of 100`);
});

test('of one service the newest one is wrong, more than a handful are right', async t => {
  const started = await seeded(t);
  const criteria = where('service_id', 'EQ', str('service-7'));
  const truth = [...ROWS]
    .reverse()
    .filter(({service}) => service === 'service-7')
    .map(({trace}) => trace);
  t.is(right(await first(started, 1, 'SORT_DESC', {criteria}), truth), 0);
  for (const limit of [5, 20]) t.deepEqual(await first(started, limit, 'SORT_DESC', {criteria}), truth.slice(0, limit));
});

test('with a limit beyond the matches the set is complete and not sorted', async t => {
  const answered = await first(await seeded(t), 5000, 'SORT_DESC');
  t.deepEqual(answered.toSorted(), newestFirst.toSorted());
  t.notDeepEqual(answered, newestFirst);
});

const SLICES: readonly (readonly [string, OutgoingMessage<TraceQueryRequest>, (row: SegmentRow) => boolean])[] = [
  ['all traces', {}, () => true],
  ['a tag', {criteria: where('tags', 'HAVING', strings('http.method=GET'))}, ({tags}) => tags?.length === 1],
];

for (const [title, request, matches] of SLICES) {
  test(`slices of a minute, each with a limit beyond its matches, have exactly the matches of ${title}`, async t => {
    const started = await seeded(t);
    const found: string[] = [];
    for (let minute = 0; minute < 30; minute++) {
      const begin = NOON + minute * 60_000;
      found.push(
        ...(await first(started, 1000, 'SORT_DESC', {...request, time_range: between(begin, begin + 59_999)})),
      );
    }
    t.deepEqual(
      found.toSorted(),
      ROWS.filter(matches).map(({trace}) => trace),
    );
    t.is(started.fake.requests.count(QueryTrace), 30);
  });
}

/** What a client has to do for the newest `wanted` traces: slices, newest first, halved when one may have been cut. */
async function walk(
  started: Started,
  wanted: number,
  request: OutgoingMessage<TraceQueryRequest>,
): Promise<readonly string[]> {
  const limit = 500;
  const startOf = new Map(ROWS.map(({trace, at = 0}) => [trace, at]));
  const found: string[] = [];
  let end = NOON + DAY / 2 - 1;
  const begin = end - DAY + 1;
  let length = 60_000;
  while (end >= begin && found.length < wanted) {
    const from = Math.max(begin, end - length + 1);
    const answered = await first(started, limit, 'SORT_DESC', {...request, time_range: between(from, end)});
    if (answered.length === limit) {
      length = Math.floor((end - from + 1) / 2);
      continue;
    }
    found.push(...answered.toSorted((a, b) => (startOf.get(b) ?? 0) - (startOf.get(a) ?? 0)));
    end = from - 1;
    if (answered.length < limit / 8) length = Math.min(length * 4, 6 * 3_600_000);
  }
  return found.slice(0, wanted);
}

const WALKS: readonly (readonly [
  string,
  number,
  OutgoingMessage<TraceQueryRequest>,
  (row: SegmentRow) => boolean,
  number,
])[] = [
  ['the newest 20', 20, {}, () => true, 40],
  ['all', TRACES, {}, () => true, 60],
  [
    'the newest 20 of a service',
    20,
    {criteria: where('service_id', 'EQ', str('service-3'))},
    row => row.service === 'service-3',
    12,
  ],
  [
    'all with a tag',
    TRACES,
    {criteria: where('tags', 'HAVING', strings('http.method=GET'))},
    row => row.tags?.length === 1,
    15,
  ],
  [
    'all errors with a tag',
    TRACES,
    {criteria: all(where('is_error', 'EQ', int(1)), where('tags', 'HAVING', strings('http.method=GET')))},
    row => row.error === true && row.tags?.length === 1,
    12,
  ],
  ['none', TRACES, {criteria: where('service_id', 'EQ', str('nobody'))}, () => false, 12],
];

for (const [title, wanted, request, matches, requests] of WALKS) {
  test(`a walk over slices of a day finds ${title}, newest first, within ${requests} requests`, async t => {
    const started = await seeded(t);
    const truth = [...ROWS]
      .reverse()
      .filter(matches)
      .map(({trace}) => trace);
    t.deepEqual(await walk(started, wanted, request), truth.slice(0, wanted));
    const count = started.fake.requests.count(QueryTrace);
    t.true(count <= requests, `${count} requests`);
    t.log(`${count} requests`);
  });
}
