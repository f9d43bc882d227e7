import type {
  AttachedEvent,
  CompatEndpoint,
  CompatSpan,
  KeyValue,
  NativeSpan,
  Segment,
  SegmentLog,
  SegmentReference,
} from '../../../core/api/adapter.js';

/**
 * Spans and segments that have every member of the contract, none of them with the value that it has when it is left out.
 * A member that the contract gains does not compile until it is here, so that no storage can lose it unnoticed.
 */

function endpoint(name: string, last: number): Required<CompatEndpoint> {
  return {serviceName: name, ipv4: `10.0.0.${last}`, ipv6: `2001:db8::${last.toString(16)}`, port: 65_000 + last};
}

/** `time` in microseconds. */
export function fullCompatSpan(traceId: string, id: number, time: number): Required<CompatSpan> {
  return {
    traceId,
    id: id.toString(16).padStart(16, '0'),
    parentId: (id + 0xff).toString(16).padStart(16, '0'),
    kind: 'SERVER',
    name: `get /${id}`,
    timestamp: time,
    duration: 123_450 + id,
    localEndpoint: endpoint('here', (id % 99) + 1),
    remoteEndpoint: endpoint('there', (id % 99) + 101),
    annotations: [
      {timestamp: time + 1, value: 'first'},
      {timestamp: time + 1, value: 'second'},
      {timestamp: time + 2, value: "it's \n\u{1F600}"},
    ],
    tags: new Map([
      ['', 'empty key'],
      ['a', ''],
      ['number', String(id)],
    ]),
    debug: true,
    shared: true,
  };
}

const pairs = (...values: readonly string[]): readonly KeyValue[] => values.map(value => ({key: 'k', value}));

/** `time` in milliseconds. With the name of a component, and so without its id. */
export function fullNativeSpan(spanId: number, time: number): Required<NativeSpan> {
  const log: Required<SegmentLog> = {time: time + 5, data: pairs('error', '\u{1F600}')};
  const reference: Required<SegmentReference> = {
    refType: 'CrossThread',
    traceId: 'kit-caller',
    parentTraceSegmentId: 'kit-caller.1',
    parentSpanId: 3,
    parentService: "it's",
    parentServiceInstance: 'i',
    parentEndpoint: '/caller',
    networkAddressUsedAtPeer: '10.0.0.1:80',
  };
  const event: Required<AttachedEvent> = {
    startTime: {seconds: 1_700_000_040n, nanos: 999_999_999},
    endTime: {seconds: 1_700_000_041n, nanos: 1},
    event: 'tcp connect',
    tags: pairs('v'),
    summary: [
      {key: 'n', value: 9_007_199_254_740_993n},
      {key: 'm', value: -9_223_372_036_854_775_808n},
    ],
  };
  return {
    spanId,
    parentSpanId: spanId - 1,
    startTime: time,
    endTime: time + 123,
    operationName: `GET:/${spanId}`,
    peer: '10.0.0.1:80',
    spanType: 'Entry',
    spanLayer: 'Http',
    componentId: 0,
    component: 'MyThing',
    isError: true,
    skipAnalysis: true,
    tags: pairs('first', '', 'last'),
    logs: [log, {time: time + 1, data: []}],
    refs: [reference, {...reference, refType: 'CrossProcess', parentSpanId: 0}],
    attachedEvents: [event],
  };
}

/** Two spans: one that names its component, and one that gives its id. */
export function fullSegment(traceId: string, traceSegmentId: string, time: number): Required<Segment> {
  const {component: _, ...numbered} = fullNativeSpan(1, time + 1);
  return {
    traceId,
    traceSegmentId,
    layer: 'MESH',
    service: 'Full "Service"',
    serviceInstance: 'instance\n1',
    spans: [fullNativeSpan(0, time), {...numbered, componentId: 2_147_483_647}],
  };
}
