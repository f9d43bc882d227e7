import test from 'ava';
import type {OutgoingMessage, TraceQueryRequest} from '../../../storage-adapters/banyandb/proto/methods.js';
import {QueryTrace} from '../../../storage-adapters/banyandb/proto/methods.js';
import {all, between, either, int, plainTags, str, strings, where} from './support/queries.js';
import {askTraces, idsOf, NOON, type SegmentRow, writeSegments} from './support/sample-segments.js';
import {refuses, startFake} from './support/start-fake.js';

const HOUR = 3_600_000;

const ROWS: readonly SegmentRow[] = [
  {trace: 'x', segment: 'x.1', at: 0, service: 'shop', tags: ['http.method=GET']},
  {trace: 'x', segment: 'x.2', at: 10, service: 'stock', error: true, latency: 30, tags: ['db.type=sql']},
  {trace: 'y', segment: 'y.1', at: 20, service: 'shop', latency: 5, tags: ['http.method=GET', 'db.type=sql']},
  {trace: 'z', segment: 'z.1', at: 30, service: 'shop'},
];

const FOUND: readonly (readonly [string, OutgoingMessage<TraceQueryRequest>, string])[] = [
  ['EQ on the trace id', {criteria: where('trace_id', 'EQ', str('y')), order_by: null}, 'y'],
  ['IN on the trace id', {criteria: where('trace_id', 'IN', strings('z', 'no', 'x')), order_by: null}, 'zx'],
  [
    'EQ on the trace id over all times',
    {criteria: where('trace_id', 'EQ', str('x')), order_by: null, time_range: between(0, Date.UTC(2261, 0))},
    'x',
  ],
  [
    'the trace id and another condition',
    {criteria: all(where('trace_id', 'IN', strings('x', 'y')), where('is_error', 'EQ', int(1))), order_by: null},
    'x',
  ],
  ['an order alone', {}, 'zyx'],
  ['EQ on any tag', {criteria: where('service_id', 'EQ', str('stock'))}, 'x'],
  ['GE on an integer', {criteria: where('latency', 'GE', int(5))}, 'yx'],
  ['HAVING one pair', {criteria: where('tags', 'HAVING', strings('db.type=sql'))}, 'yx'],
  [
    'two pairs, which must be on one row',
    {
      criteria: all(
        where('tags', 'HAVING', strings('http.method=GET')),
        where('tags', 'HAVING', strings('db.type=sql')),
      ),
    },
    'y',
  ],
  [
    'conditions that hold on two rows of a trace, which find nothing',
    {criteria: all(where('service_id', 'EQ', str('shop')), where('is_error', 'EQ', int(1)))},
    '',
  ],
  [
    'NOT_HAVING, which is true of a row without tags',
    {criteria: where('tags', 'NOT_HAVING', strings('db.type=sql'))},
    'zx',
  ],
  ['EQ with null, which nothing equals', {criteria: where('tags', 'EQ', {null: 'NULL_VALUE'})}, ''],
  ['a time range, both ends included', {time_range: between(NOON + 20, NOON + 30)}, 'zy'],
  ['a limit, which counts traces', {limit: 2}, 'zy'],
  ['an offset, which counts traces', {limit: 2, offset: 2}, 'x'],
  ['an order without a name, which finds nothing', {order_by: {index_rule_name: '', sort: 'SORT_DESC'}}, ''],
  ['EQ on the span id, which finds nothing', {criteria: where('segment_id', 'EQ', str('y.1'))}, ''],
  ['IN on the span id', {criteria: where('segment_id', 'IN', strings('y.1'))}, 'y'],
  [
    'IN on the span id after a limit, which has cut it',
    {criteria: where('segment_id', 'IN', strings('y.1')), limit: 1},
    '',
  ],
];

for (const [title, request, found] of FOUND) {
  test(`traces are found by ${title}`, async t => {
    const started = await startFake(t);
    await writeSegments(started, ROWS);
    t.is(idsOf(await started.client.call(QueryTrace, askTraces(request))).join(''), found);
  });
}

const REFUSALS: readonly (readonly [string, OutgoingMessage<TraceQueryRequest>, number, RegExp])[] = [
  ['neither a trace id nor an order', {order_by: null}, 2, /trace id condition or an order/],
  ['an unknown trace schema', {name: 'nothing'}, 2, /trace .* doesn't exist/],
  ['an unknown tag', {tag_projection: ['nothing']}, 2, /invalid query message/],
  ['an unknown order', {order_by: {index_rule_name: 'nothing', sort: 'SORT_DESC'}}, 2, /not found/],
  ['MATCH', {criteria: where('service_id', 'MATCH', str('shop'))}, 2, /unsupported condition/],
  [
    'a trace id under OR',
    {criteria: either(where('trace_id', 'EQ', str('x')), where('is_error', 'EQ', int(1)))},
    2,
    /global index doesn't support OR/,
  ],
  ['parts of a millisecond', {time_range: {begin: {nanos: 1}, end: {seconds: '9'}}}, 3, /millisecond precision/],
];

for (const [title, request, code, text] of REFUSALS) {
  test(`${title} is refused with code ${code}`, async t => {
    const started = await startFake(t);
    await writeSegments(started, ROWS);
    await refuses(t, started.client.call(QueryTrace, askTraces(request)), code, text);
  });
}

test('a trace comes whole, whichever of its rows matched, with payloads and the tags that were asked for', async t => {
  const started = await startFake(t);
  await writeSegments(started, ROWS);
  const criteria = where('is_error', 'EQ', int(1));
  const tag_projection = ['latency', 'endpoint_id', 'service_id'];
  const [trace] = (await started.client.call(QueryTrace, askTraces({criteria, tag_projection}))).traces;
  t.deepEqual(
    trace?.spans.map(({tags, span, span_id}) => [plainTags(tags), Buffer.from(span).toString(), span_id]),
    [
      [{latency: 0n, endpoint_id: null, service_id: 'shop'}, 'x.1', 'x.1'],
      [{latency: 30n, endpoint_id: null, service_id: 'stock'}, 'x.2', 'x.2'],
    ],
  );
  t.deepEqual(
    trace?.spans[0]?.tags.map(({key}) => key),
    tag_projection,
  );
});

test('without a limit 20 traces come back', async t => {
  const started = await startFake(t);
  await writeSegments(
    started,
    Array.from({length: 30}, (_, i) => ({trace: `t${i}`, at: i})),
  );
  t.is((await started.client.call(QueryTrace, askTraces({limit: 0}))).traces.length, 20);
});

test('a row that was written twice comes twice', async t => {
  const started = await startFake(t);
  await writeSegments(started, ROWS.slice(2, 3));
  await writeSegments(started, ROWS.slice(2, 3));
  const [trace] = (await started.client.call(QueryTrace, askTraces())).traces;
  t.deepEqual(
    trace?.spans.map(({span_id}) => span_id),
    ['y.1', 'y.1'],
  );
});

/** A trace over midnight of UTC: one segment at 23:00, one at 01:00. */
const OVER_MIDNIGHT: readonly SegmentRow[] = [
  {trace: 'n', segment: 'n.1', at: 11 * HOUR},
  {trace: 'n', segment: 'n.2', at: 13 * HOUR},
];

const MIDNIGHTS: readonly (readonly [string, number, readonly [number, number], readonly string[]])[] = [
  ['is whole within one day, even where its rows lie outside the range', 3 * HOUR, [13, 13.5], ['n.1', 'n.2']],
  ['is cut at midnight of the node by a range that lies in one day', 0, [13, 13.5], ['n.2']],
  ['is whole in a range that touches both days', 0, [11, 13.5], ['n.1', 'n.2']],
];

for (const [title, nodeUtcOffset, [from, to], segments] of MIDNIGHTS) {
  test(`a trace ${title}`, async t => {
    const started = await startFake(t, {nodeUtcOffset});
    await writeSegments(started, OVER_MIDNIGHT);
    const time_range = between(NOON + from * HOUR, NOON + to * HOUR);
    const {traces} = await started.client.call(QueryTrace, askTraces({time_range}));
    t.deepEqual(
      traces.map(({spans}) => spans.map(({span_id}) => span_id)),
      [segments],
    );
  });
}

test('an order by latency ignores the time range within a day', async t => {
  const started = await startFake(t);
  await writeSegments(started, [
    {trace: 'long-ago', at: 0, latency: 9},
    {trace: 'asked-for', at: HOUR, latency: 5},
    {trace: 'next-day', at: 24 * HOUR, latency: 7},
  ]);
  const time_range = between(NOON + HOUR, NOON + HOUR);
  const ids = async (index_rule_name: string): Promise<readonly string[]> => {
    const order_by = {index_rule_name, sort: 'SORT_DESC'} as const;
    return idsOf(await started.client.call(QueryTrace, askTraces({time_range, order_by})));
  };
  t.deepEqual(await ids('start_time'), ['asked-for']);
  t.deepEqual(await ids('latency'), ['long-ago', 'asked-for']);
});

test('before 0.10 a tag of the criteria has to be projected too', async t => {
  const started = await startFake(t, {release: '0.9'});
  await writeSegments(started, ROWS);
  const criteria = where('is_error', 'EQ', int(1));
  await refuses(t, started.client.call(QueryTrace, askTraces({criteria})), 2, /invalid query message/);
  const request = askTraces({criteria, tag_projection: ['is_error']});
  t.deepEqual(idsOf(await started.client.call(QueryTrace, request)), ['x']);
});

test('before 0.9 there are no traces at all', async t => {
  const {client} = await startFake(t, {release: '0.8'});
  await refuses(t, client.call(QueryTrace, askTraces()), 12, /./);
});

test('segments beyond the TTL of their group are gone', async t => {
  let now = NOON;
  const started = await startFake(t, {clock: () => now});
  await writeSegments(started, [
    {trace: 'old', at: 0},
    {trace: 'new', at: 24 * HOUR},
  ]);
  now = NOON + 84 * HOUR - 1;
  t.deepEqual(idsOf(await started.client.call(QueryTrace, askTraces())), ['new', 'old']);
  now = NOON + 84 * HOUR;
  t.deepEqual(idsOf(await started.client.call(QueryTrace, askTraces())), ['new']);
});

/** What a search of 0.9.0 has lost, and one of 0.10.3 had. */
const LOST: readonly (readonly [string, OutgoingMessage<TraceQueryRequest>, string])[] = [
  ['GE on an integer of which there are smaller ones', {criteria: where('latency', 'GE', int(5))}, 'yx'],
  ['GT on an integer of which there are smaller ones', {criteria: where('latency', 'GT', int(4))}, 'yx'],
  ['a time that begins inside a part', {time_range: between(NOON + 15, NOON + 30)}, 'zy'],
];

for (const [title, request, found] of LOST) {
  test(`traces are lost up to 0.9 by ${title}`, async t => {
    for (const release of ['0.9', '0.10'] as const) {
      const started = await startFake(t, {release});
      await writeSegments(started, ROWS);
      const asked = askTraces({tag_projection: ['latency'], ...request});
      t.is(idsOf(await started.client.call(QueryTrace, asked)).join(''), release === '0.9' ? '' : found, release);
    }
  });
}

test('by several conditions 0.9 finds a part of the traces, and another one the next time', async t => {
  const rows = Array.from({length: 76}, (_, i): SegmentRow => ({trace: `t${i}`, service: 'shop', tags: ['k=v']}));
  const criteria = all(where('service_id', 'EQ', str('shop')), where('tags', 'HAVING', strings('k=v')));
  for (const release of ['0.9', '0.10'] as const) {
    const started = await startFake(t, {release});
    await writeSegments(started, rows);
    const ask = async (more: OutgoingMessage<TraceQueryRequest>) =>
      idsOf(await started.client.call(QueryTrace, askTraces({tag_projection: ['service_id', 'tags'], ...more})));
    const answers = [await ask({criteria}), await ask({criteria})].map(ids => [...ids].sort().join());
    t.is(answers[0] === answers[1], release !== '0.9', release);
    t.is((await ask({criteria: where('service_id', 'EQ', str('shop'))})).length, 76, 'one condition');
  }
});

test('a row of the time 0 is taken and is not there', async t => {
  const started = await startFake(t);
  await writeSegments(started, [{trace: 'then', at: -NOON}, {trace: 'now'}]);
  t.deepEqual(idsOf(await started.client.call(QueryTrace, askTraces())), ['now']);
  const byId = {criteria: where('trace_id', 'EQ', str('then')), order_by: null};
  t.deepEqual(idsOf(await started.client.call(QueryTrace, askTraces(byId))), []);
});
