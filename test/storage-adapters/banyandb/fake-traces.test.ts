import {status} from '@grpc/grpc-js';
import test from 'ava';
import type {
  Criteria,
  OutgoingMessage,
  StreamQueryRequest,
  TraceQueryRequest,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {GetAPIVersion, QueryStream, QueryTrace, traces} from '../../../storage-adapters/banyandb/proto/methods.js';
import type {DirectClient} from '../../fixtures/banyandb/client.js';
import type {FakeOptions} from '../../fixtures/banyandb/fake.js';
import type {Release} from '../../fixtures/banyandb/release.js';
import {recordSchema} from '../../fixtures/banyandb/seed/layout.js';
import {segmentSchema} from '../../fixtures/banyandb/seed/segments.js';
import type {Span} from '../../fixtures/banyandb/store/schema.js';
import {
  between,
  both,
  DAY,
  families,
  int,
  MINUTE,
  refuses,
  started,
  str,
  strings,
  T0,
  tagIn,
  where,
} from './support/asking.js';

// Streams.

const STREAM = recordSchema('top_statements', 'sw_records');
const LATENCY = families({searchable: ['latency'], 'storage-only': ['statement', 'entity_id']});

const STREAMS: readonly (readonly [string, OutgoingMessage<StreamQueryRequest>, number, Release?])[] = [
  ['without a limit are 20', {limit: 0}, 20],
  ['are as many as there are', {}, 51],
  ['are 5 for a limit of 10 on 0.9', {limit: 10}, 5, '0.9'],
  ['are 12 for a limit of 20 on 0.9', {limit: 20}, 12, '0.9'],
  ['are those of the entity', {criteria: where('entity_id', 'EQ', str('db'))}, 26],
  ['are those of a time with both its ends', {time_range: between(T0 + 1000, T0 + 3000)}, 3],
  ['are none where a tag is asked for in a wrong family', {projection: families({searchable: ['statement']})}, 0],
];

for (const [title, request, count, release = '0.11'] of STREAMS) {
  test(`elements of a stream ${title}`, async t => {
    const {client, database} = await started(t, {release});
    database.createStream(STREAM);
    const elements = Array.from({length: 51}, (_, i) => ({
      id: `e${i}`,
      time: T0 + i * 1000,
      tags: {entity_id: i % 2 === 0 ? 'db' : 'cache', latency: BigInt((i * 7) % 51)},
    }));
    database.writeElements(STREAM, [...elements, ...elements, {id: '1970', time: 0, tags: {latency: 99n}}]);
    const {elements: found} = await client.call(QueryStream, {
      groups: [STREAM.group],
      name: STREAM.name,
      time_range: between(0, T0 + DAY),
      projection: LATENCY,
      order_by: {index_rule_name: 'latency', sort: 'SORT_DESC'},
      limit: 1000,
      ...request,
    });
    t.is(found.length, count);
    const latencies = found.map(({tag_families}) => Number(tagIn(tag_families, 'latency')));
    t.deepEqual(
      latencies,
      latencies.toSorted((a, b) => b - a),
    );
    if (count === 51) t.is(latencies[0], 50);
  });
}

// Traces.

const TRACE = segmentSchema('sw_trace');
const NOON = T0 + DAY / 2;

interface SegmentRow {
  readonly trace: string;
  /** Milliseconds after noon. */
  readonly at?: number;
  readonly service?: string;
  readonly error?: boolean;
  readonly latency?: number;
  readonly tags?: readonly string[];
}

const spanOf = ({trace, at = 0, service = 'a', error = false, latency = 0, tags}: SegmentRow): Span => ({
  tags: {
    trace_id: trace,
    segment_id: `${trace}.${at}`,
    service_id: service,
    start_time: NOON + at,
    latency: BigInt(latency),
    is_error: error ? 1n : 0n,
    tags: tags ?? null,
  },
  payload: Buffer.alloc(0),
});

async function idsOf(client: DirectClient, more: OutgoingMessage<TraceQueryRequest>): Promise<readonly string[]> {
  const {traces: found} = await client.call(QueryTrace, {
    groups: [TRACE.group],
    name: TRACE.name,
    time_range: between(0, T0 + 9 * DAY),
    order_by: {index_rule_name: 'start_time', sort: 'SORT_DESC'},
    tag_projection: ['trace_id', 'service_id', 'is_error', 'latency', 'tags'],
    limit: 100_000,
    ...more,
  });
  return found.map(({trace_id, spans}) => [trace_id, ...spans.slice(1).map(({span_id}) => span_id)].join('+'));
}

const SEGMENTS: readonly SegmentRow[] = [
  {trace: 'x', at: 0, tags: ['http.method=GET']},
  {trace: 'x', at: 10, service: 'b', error: true, latency: 30, tags: ['db.type=sql']},
  {trace: 'y', at: 20, latency: 5, tags: ['http.method=GET', 'db.type=sql']},
  {trace: 'z', at: 30},
  {trace: 'old', at: -NOON},
];
const ofTag = (text: string): OutgoingMessage<Criteria> => where('tags', 'HAVING', strings(text));
const HOURS = 60 * MINUTE;
const OVER_MIDNIGHT: readonly SegmentRow[] = [11, 13].map(hour => ({trace: 'n', at: hour * HOURS}));
const AFTER_MIDNIGHT = {time_range: between(NOON + 13 * HOURS, NOON + 14 * HOURS)};
const MANY: readonly SegmentRow[] = Array.from({length: 30}, (_, i) => ({trace: `t${i}`, at: i, tags: ['k=v']}));

const TRACES: readonly (readonly [
  string,
  readonly SegmentRow[],
  OutgoingMessage<TraceQueryRequest>,
  string | number,
  FakeOptions?,
])[] = [
  ['come newest first, whole, without those of 1970', SEGMENTS, {}, 'z y x+x.10'],
  ['are found by one id', SEGMENTS, {criteria: where('trace_id', 'EQ', str('y')), order_by: null}, 'y'],
  [
    'are found by ids',
    SEGMENTS,
    {criteria: where('trace_id', 'IN', strings('z', 'no', 'x')), order_by: null},
    'z x+x.10',
  ],
  ['of 1970 are not found by id', SEGMENTS, {criteria: where('trace_id', 'EQ', str('old')), order_by: null}, ''],
  ['come whole for one row', SEGMENTS, {criteria: where('is_error', 'EQ', int(1))}, 'x+x.10'],
  ['have both tags on one row', SEGMENTS, {criteria: both(ofTag('http.method=GET'), ofTag('db.type=sql'))}, 'y'],
  ['are those of a time with both its ends', SEGMENTS, {time_range: between(NOON + 20, NOON + 30)}, 'z y'],
  ['have what was written twice twice', [...SEGMENTS, SEGMENTS[3] as SegmentRow], {}, 'z+z.30 y x+x.10'],
  ['without a limit are 20', MANY, {limit: 0}, 20],
  ['are cut at midnight of the node', OVER_MIDNIGHT, AFTER_MIDNIGHT, 'n'],
  [
    'are whole within a day of the node',
    OVER_MIDNIGHT,
    AFTER_MIDNIGHT,
    `n+n.${13 * HOURS}`,
    {nodeUtcOffset: 3 * HOURS},
  ],
  ['are lost on 0.9 by GE', SEGMENTS, {criteria: where('latency', 'GE', int(5))}, '', {release: '0.9'}],
  ['are not lost on 0.10 by GE', SEGMENTS, {criteria: where('latency', 'GE', int(5))}, 'y x+x.10', {release: '0.10'}],
  [
    'are lost on 0.9 by a time within a part',
    SEGMENTS,
    {time_range: between(NOON + 20, NOON + 30)},
    '',
    {release: '0.9'},
  ],
  [
    'are lost on 0.9 by two conditions',
    MANY,
    {criteria: both(where('service_id', 'EQ', str('a')), ofTag('k=v'))},
    24,
    {release: '0.9'},
  ],
];

for (const [title, rows, request, found, options] of TRACES) {
  test(`traces ${title}`, async t => {
    const {client, database} = await started(t, options);
    database.writeSpans(TRACE, rows.map(spanOf));
    const ids = await idsOf(client, request);
    if (typeof found === 'number') t.is(ids.length, found);
    else t.is(ids.join(' '), found);
  });
}

test('traces are asked for by id or in an order', async t => {
  const {client} = await started(t);
  await refuses(t, idsOf(client, {order_by: null}), status.UNKNOWN, /trace id condition or an order/);
});

/** Numbers that look random and are the same in each run. */
function mixed(i: number): number {
  let x = Math.imul(i + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return (x ^ (x >>> 13)) >>> 0;
}

/** 4,000 traces of 40 services in half an hour, as on the server where the order was measured. */
const MEASURED: readonly SegmentRow[] = Array.from({length: 4000}, (_, i) => ({
  trace: `t${i}`,
  at: i * 450,
  service: `s${mixed(i) % 40}`,
  error: mixed(i + 4000) % 25 === 0 && i < 3900,
}));

test('the newest traces with a limit are not the newest ones, unless they are of one service or all in the limit', async t => {
  const {client, database} = await started(t);
  database.writeSpans(TRACE, MEASURED.map(spanOf));
  const newest = MEASURED.toReversed();
  const right = async (limit: number, service?: string): Promise<number> => {
    const criteria = service === undefined ? null : where('service_id', 'EQ', str(service));
    const true20 = newest.filter(row => service === undefined || row.service === service).slice(0, limit);
    const ids = new Set(await idsOf(client, {limit, criteria}));
    return true20.filter(({trace}) => ids.has(trace)).length;
  };
  t.is(await right(20), 0);
  t.is(await right(20, 's7'), 20);
  t.is(await right(4001), 4000);
  t.notDeepEqual(
    await idsOf(client, {limit: 4001}),
    newest.map(({trace}) => trace),
    'and not sorted',
  );
});

// Releases.

const VERSIONS: readonly (readonly [FakeOptions, string, string])[] = [
  [{release: '0.8'}, '0.8', 'v0.8.0'],
  [{release: '0.10'}, '0.10', 'v0.10.0'],
  [{release: '0.11'}, '0.10', ''],
  [{release: '0.11', apiVersion: '0.12'}, '0.12', ''],
];

for (const [options, version, revision] of VERSIONS) {
  test(`a server ${JSON.stringify(options)} says version ${version}`, async t => {
    const {client} = await started(t, options);
    t.deepEqual(await client.call(GetAPIVersion, {}), {version: {version, revision}});
  });
}

test('before 0.8 nothing tells the version, and before 0.9 nothing has traces', async t => {
  for (const release of ['0.7', '0.8'] as const) {
    const {client} = await started(t, {release});
    if (release === '0.7') await refuses(t, client.call(GetAPIVersion, {}), status.UNIMPLEMENTED, /./);
    await refuses(t, client.call(traces.Exist, {}), status.UNIMPLEMENTED, /./);
    await refuses(t, idsOf(client, {}), status.UNIMPLEMENTED, /./);
  }
});
