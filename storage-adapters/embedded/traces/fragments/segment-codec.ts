import type {
  AttachedEvent,
  KeyValue,
  NativeSpan,
  Segment,
  SegmentLog,
  SegmentReference,
} from '../../../../core/api/adapter.js';

/** Segments as JSON arrays, by position, as compat spans are; 64-bit integers as decimal text. */

/** Keys and values in turn. */
type Pairs = readonly string[];

type EventBody = readonly [
  startSeconds: string,
  startNanos: number,
  endSeconds: string,
  endNanos: number,
  event: string,
  tags: Pairs,
  summary: Pairs,
];

type SpanBody = readonly [
  spanId: number,
  parentSpanId: number,
  startTime: number,
  endTime: number,
  operationName: string,
  peer: string,
  spanType: string,
  spanLayer: string,
  componentId: number,
  component: string | null,
  isError: boolean,
  skipAnalysis: boolean,
  tags: Pairs,
  logs: readonly (readonly [number, Pairs])[],
  refs: readonly SegmentReference[],
  events: readonly EventBody[],
];

export type SegmentBody = readonly [
  segmentId: string,
  layer: string,
  service: string,
  serviceInstance: string,
  spans: readonly SpanBody[],
];

export function encodeSegment({traceSegmentId, layer, service, serviceInstance, spans}: Segment): SegmentBody {
  return [traceSegmentId, layer, service, serviceInstance, spans.map(encodeSpan)];
}

/** `body` is what `encodeSegment` gave. */
export function decodeSegment(traceId: string, body: SegmentBody): Segment {
  const [traceSegmentId, layer, service, serviceInstance, spans] = body;
  return {traceId, traceSegmentId, layer, service, serviceInstance, spans: spans.map(decodeSpan)};
}

function encodeSpan(span: NativeSpan): SpanBody {
  return [
    span.spanId,
    span.parentSpanId,
    span.startTime,
    span.endTime,
    span.operationName,
    span.peer,
    span.spanType,
    span.spanLayer,
    span.componentId,
    span.component ?? null,
    span.isError,
    span.skipAnalysis,
    encodePairs(span.tags),
    span.logs.map(({time, data}) => [time, encodePairs(data)] as const),
    span.refs,
    span.attachedEvents.map(encodeEvent),
  ];
}

function decodeSpan(body: SpanBody): NativeSpan {
  const [spanId, parentSpanId, startTime, endTime, operationName, peer, spanType, spanLayer] = body;
  const [, , , , , , , , componentId, component, isError, skipAnalysis, tags, logs, refs, events] = body;
  return {
    spanId,
    parentSpanId,
    startTime,
    endTime,
    operationName,
    peer,
    spanType,
    spanLayer,
    componentId,
    ...(component === null ? {} : {component}),
    isError,
    skipAnalysis,
    tags: decodePairs(tags),
    logs: logs.map(([time, data]): SegmentLog => ({time, data: decodePairs(data)})),
    refs,
    attachedEvents: events.map(decodeEvent),
  };
}

function encodeEvent({startTime, endTime, event, tags, summary}: AttachedEvent): EventBody {
  return [
    String(startTime.seconds),
    startTime.nanos,
    String(endTime.seconds),
    endTime.nanos,
    event,
    encodePairs(tags),
    summary.flatMap(({key, value}) => [key, String(value)]),
  ];
}

function decodeEvent([startSeconds, startNanos, endSeconds, endNanos, event, tags, summary]: EventBody): AttachedEvent {
  return {
    startTime: {seconds: BigInt(startSeconds), nanos: startNanos},
    endTime: {seconds: BigInt(endSeconds), nanos: endNanos},
    event,
    tags: decodePairs(tags),
    summary: decodePairs(summary).map(({key, value}) => ({key, value: BigInt(value)})),
  };
}

function encodePairs(pairs: readonly KeyValue[]): Pairs {
  const flat: string[] = [];
  for (const {key, value} of pairs) flat.push(key, value);
  return flat;
}

function decodePairs(flat: Pairs): readonly KeyValue[] {
  const pairs: KeyValue[] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push({key: flat[i] as string, value: flat[i + 1] as string});
  return pairs;
}
