import test from 'ava';
import type {CompatSpan, NativeSpan, Segment} from '../../../core/api/adapter.js';
import {QueryMeasure, QueryTrace, type TraceSpan} from '../../../storage-adapters/banyandb/proto/methods.js';
import {
  ListOfSpans,
  SegmentObject,
  SpanAttachedEvent,
  SpanWrapper,
} from '../../../storage-adapters/banyandb/proto/payload.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import {Seeder, type SeederOptions} from '../../fixtures/banyandb/seed/seeder.js';
import {between, families, plain, str, tagsOf, where} from './support/queries.js';
import {type Started, startFake} from './support/start-fake.js';

/** Milliseconds. */
const T0 = Date.UTC(2026, 0, 5, 12);

async function rowsOf({client}: Started, group: string, name: string, traceId: string): Promise<readonly TraceSpan[]> {
  const {traces} = await client.call(QueryTrace, {
    groups: [group],
    name,
    criteria: where('trace_id', 'EQ', str(traceId)),
    limit: 1,
    tag_projection: name === 'segment' ? SEGMENT_TAGS : SPAN_TAGS,
  });
  return traces[0]?.spans ?? [];
}

const SEGMENT_TAGS = [
  'segment_id',
  'service_id',
  'service_instance_id',
  'endpoint_id',
  'start_time',
  'latency',
  'is_error',
  'tags',
];
const SPAN_TAGS = [
  'span_id',
  'parent_id',
  'name',
  'kind',
  'local_endpoint_service_name',
  'remote_endpoint_service_name',
].concat(['duration', 'timestamp_millis', 'debug', 'shared', 'query']);

const tagsIn = ({tags}: TraceSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    tags.map(({key, value}) => [key, value?.timestamp ? toMilliseconds(value.timestamp) : plain(value)]),
  );

const SPAN: CompatSpan = {
  traceId: '000000000000000000000000000000ab',
  id: '0000000000000001',
  parentId: '0000000000000002',
  kind: 'CLIENT',
  name: 'get /',
  timestamp: T0 * 1000 + 123,
  duration: 45,
  localEndpoint: {serviceName: 'shop', ipv4: '10.0.0.1', ipv6: '2001:db8::1', port: 80},
  remoteEndpoint: {serviceName: 'db'},
  annotations: [
    {timestamp: 5, value: 'first'},
    {timestamp: 5, value: 'second'},
  ],
  tags: new Map([
    ['error', ''],
    ['http.method', 'GET'],
    ['long', 'x'.repeat(300)],
  ]),
  debug: true,
  shared: true,
};

async function seedSpans(started: Started, spans: readonly CompatSpan[], options: SeederOptions = {}): Promise<void> {
  const seeder = await Seeder.open(started.fake.local, options);
  await seeder.spans(spans);
}

test('a compat span is a row with its tags, and its list of texts has no long ones', async t => {
  const started = await startFake(t);
  await seedSpans(started, [SPAN]);
  const [row, ...others] = await rowsOf(started, 'sw_zipkinTrace', 'zipkin_span', SPAN.traceId);
  t.is(others.length, 0);
  t.is(row?.span_id, SPAN.id);
  t.deepEqual(row && tagsIn(row), {
    span_id: SPAN.id,
    parent_id: SPAN.parentId,
    name: 'get /',
    kind: 'CLIENT',
    local_endpoint_service_name: 'shop',
    remote_endpoint_service_name: 'db',
    duration: 45n,
    timestamp_millis: T0,
    debug: 1n,
    shared: 1n,
    query: ['error', 'error=', 'http.method', 'http.method=GET', 'long', 'second'],
  });
});

test('the payload of a compat span is a list of one span that begins with the byte 0x0A, wrapped', async t => {
  const started = await startFake(t);
  await seedSpans(started, [SPAN]);
  const [row] = await rowsOf(started, 'sw_zipkinTrace', 'zipkin_span', SPAN.traceId);
  const wrapper = SpanWrapper.decode(row?.span ?? new Uint8Array());
  t.is(wrapper.source, 'ZIPKIN');
  t.is(wrapper.span[0], 0x0a);
  const {spans} = ListOfSpans.decode(wrapper.span);
  const [span] = spans;
  t.is(spans.length, 1);
  t.deepEqual(
    [span?.trace_id, span?.id, span?.parent_id].map(bytes => Buffer.from(bytes ?? []).toString('hex')),
    [SPAN.traceId, SPAN.id, SPAN.parentId],
  );
  t.deepEqual([span?.timestamp, span?.duration], [String(T0 * 1000 + 123), '45']);
  t.deepEqual(span?.tags, Object.fromEntries(SPAN.tags));
  t.deepEqual(Buffer.from(span?.local_endpoint?.ipv4 ?? []), Buffer.from([10, 0, 0, 1]));
  t.is(Buffer.from(span?.local_endpoint?.ipv6 ?? []).toString('hex'), '20010db8000000000000000000000001');
  t.deepEqual(span?.annotations, [{timestamp: '5', value: 'second'}]);
});

test('a span with nothing in it is rebuilt with a service, and is left as it is when asked for', async t => {
  const traceId = 'ab'.repeat(8);
  const bare: CompatSpan = {traceId, id: '0000000000000001', timestamp: 1000, annotations: [], tags: new Map()};
  for (const [rebuild, service] of [
    [true, 'Unknown'],
    [false, null],
  ] as const) {
    const started = await startFake(t);
    await seedSpans(started, [bare], {rebuild});
    const [row] = await rowsOf(started, 'sw_zipkinTrace', 'zipkin_span', bare.traceId);
    const {local_endpoint_service_name, query, duration, timestamp_millis} = row === undefined ? {} : tagsIn(row);
    t.deepEqual([local_endpoint_service_name, query, duration, timestamp_millis], [service, null, 0n, 1]);
  }
});

const ENTRY: NativeSpan = {
  spanId: 0,
  parentSpanId: -1,
  startTime: T0,
  endTime: T0 + 30,
  operationName: '/home',
  peer: 'client:1',
  spanType: 'Entry',
  spanLayer: 'Http',
  componentId: 5,
  isError: false,
  skipAnalysis: false,
  tags: [
    {key: 'http.method', value: 'GET'},
    {key: 'url', value: '/home'},
  ],
  logs: [{time: T0 + 1, data: [{key: 'event', value: 'error'}]}],
  refs: [],
  attachedEvents: [
    {
      startTime: {seconds: BigInt(T0 / 1000), nanos: 5_000_001},
      endTime: {seconds: BigInt(T0 / 1000) + 1n, nanos: 0},
      event: 'read',
      tags: [{key: 'a', value: 'b'}],
      summary: [{key: 'bytes', value: 2n ** 60n}],
    },
  ],
};

const SEGMENT: Segment = {
  traceId: 'trace.1',
  traceSegmentId: 'segment.1',
  layer: 'GENERAL',
  service: 'shop',
  serviceInstance: 'one',
  spans: [
    {
      ...ENTRY,
      spanId: 1,
      parentSpanId: 0,
      spanType: 'Exit',
      startTime: T0 - 5,
      isError: true,
      attachedEvents: [],
      operationName: 'call',
    },
    ENTRY,
  ],
};

async function seedSegment(started: Started): Promise<readonly TraceSpan[]> {
  const seeder = await Seeder.open(started.fake.local);
  await seeder.segments([SEGMENT, {...SEGMENT, traceId: 'no spans', spans: []}]);
  return rowsOf(started, 'sw_trace', 'segment', SEGMENT.traceId);
}

test('a segment is a row with the tags by which it is searched', async t => {
  const started = await startFake(t);
  const [row] = await seedSegment(started);
  t.deepEqual(row && tagsIn(row), {
    segment_id: 'segment.1',
    service_id: 'c2hvcA==.1',
    service_instance_id: 'c2hvcA==.1_b25l',
    endpoint_id: 'c2hvcA==.1_L2hvbWU=',
    start_time: T0 - 5,
    latency: 35n,
    is_error: 1n,
    tags: ['http.method=GET'],
  });
  t.deepEqual(await rowsOf(started, 'sw_trace', 'segment', 'no spans'), []);
});

test('the payload of a segment is the report of an agent, wrapped', async t => {
  const [row] = await seedSegment(await startFake(t));
  const wrapper = SpanWrapper.decode(row?.span ?? new Uint8Array());
  t.is(wrapper.source, 'SKYWALKING');
  const segment = SegmentObject.decode(wrapper.span);
  t.deepEqual([segment.traceId, segment.service, segment.serviceInstance], ['trace.1', 'shop', 'one']);
  const [, entry] = segment.spans;
  t.deepEqual(
    [entry?.parentSpanId, entry?.startTime, entry?.spanType, entry?.spanLayer, entry?.componentId],
    [-1, String(T0), 'Entry', 'Http', 5],
  );
  t.deepEqual(entry?.tags, ENTRY.tags);
  t.deepEqual(entry?.logs, [{time: String(T0 + 1), data: [{key: 'event', value: 'error'}]}]);
});

test('an attached event is a row of its own, with hardly any tags', async t => {
  const [, row, ...others] = await seedSegment(await startFake(t));
  t.is(others.length, 0);
  const id = `segment.1_${T0 / 1000}_5000001_read`;
  t.deepEqual(row && tagsIn(row), {
    segment_id: id,
    service_id: null,
    service_instance_id: null,
    endpoint_id: null,
    start_time: T0 + 5,
    latency: null,
    is_error: null,
    tags: null,
  });
  const wrapper = SpanWrapper.decode(row?.span ?? new Uint8Array());
  t.is(wrapper.source, 'SKYWALKING_EVENT');
  const event = SpanAttachedEvent.decode(wrapper.span);
  t.deepEqual(event.summary, [{key: 'bytes', value: String(2n ** 60n)}]);
  t.deepEqual(event.traceContext, {type: 'SKYWALKING', traceId: 'trace.1', traceSegmentId: 'segment.1', spanId: '0'});
});

test('services, names and values of searchable tags are listed beside the traces', async t => {
  const started = await startFake(t);
  await seedSegment(started);
  await seedSpans(started, [SPAN]);
  const listed = async (name: string, searchable: readonly string[]): Promise<readonly unknown[]> => {
    const {data_points} = await started.client.call(QueryMeasure, {
      groups: ['sw_metadata'],
      name: `${name}_minute`,
      time_range: between(0, Date.UTC(2261, 0)),
      tag_projection: families({searchable}),
      limit: 100,
    });
    return data_points.map(point => Object.values(tagsOf(point)));
  };
  t.deepEqual(await listed('zipkin_service_traffic', ['service_name']), [['shop']]);
  t.deepEqual(await listed('zipkin_service_span_traffic', ['service_name', 'span_name']), [['shop', 'get /']]);
  t.deepEqual(await listed('zipkin_service_relation_traffic', ['service_name', 'remote_service_name']), [
    ['shop', 'db'],
  ]);
  t.deepEqual(await listed('tag_autocomplete', ['tag_type', 'tag_key', 'tag_value']), [
    ['TRACE', 'http.method', 'GET'],
    ['ZIPKIN', 'http.method', 'GET'],
  ]);
  t.deepEqual(await listed('service_traffic', ['service_traffic_name', 'layer']), [['shop', 2n]]);
  t.deepEqual(await listed('endpoint_traffic', ['endpoint_traffic_name']), [['/home']]);
});
