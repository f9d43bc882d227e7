import {
  type AttachedEvent,
  compareNativeRoots,
  type KeyValue,
  type LocatedSpan,
  type NativeSpan,
  type NativeTrace,
  nativeParent,
  nativeSpanView,
  type Segment,
  type SegmentLog,
  type SegmentReference,
} from '../../api/adapter.js';
import type {IndexedSpan, TraceKind} from './model.js';

const MICROSECONDS = 1000;

/** Keys and values in turn. */
type Pairs = readonly string[];

/** By position, as compat spans are; 64-bit integers as decimal text. */
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

type Body = readonly [
  segmentId: string,
  layer: string,
  service: string,
  serviceInstance: string,
  spans: readonly SpanBody[],
];

export const nativeKind: TraceKind<Segment, NativeTrace> = {
  name: 'native',
  canonicalId: text => text.toWellFormed(),
  traceId: segment => segment.traceId,
  identity: segment => segment.traceSegmentId.toWellFormed(),

  encode({traceSegmentId, layer, service, serviceInstance, spans}) {
    const body: Body = [traceSegmentId, layer, service, serviceInstance, spans.map(encodeSpan)];
    return JSON.stringify(body);
  },

  decode(traceId, body) {
    const [traceSegmentId, layer, service, serviceInstance, spans] = body as Body;
    return {traceId, traceSegmentId, layer, service, serviceInstance, spans: spans.map(decodeSpan)};
  },

  spans(segment) {
    return segment.spans.map((span): IndexedSpan => {
      const {service, name, kind, status, duration} = nativeSpanView(segment, span);
      const tags = new Map(span.tags.map(({key, value}) => [key, value]));
      return {start: span.startTime * MICROSECONDS, duration, service, name, kind, status, tags};
    });
  },

  trace: (traceId, segments, summary) => (summary === undefined ? {traceId, segments} : {traceId, segments, summary}),

  parts: segment => segment.spans.map(span => ({...segment, spans: [span]})),

  hasParent(part, unit) {
    const parent = nativeParent(located(part));
    if (parent === undefined) return false;
    const {spans = []} = unit(parent.segmentId.toWellFormed()) ?? {};
    return spans.some(({spanId}) => spanId === parent.spanId);
  },

  compareRoots: (a, b) => compareNativeRoots(located(a), located(b)),
};

/** The one span of a part. */
function located(part: Segment): LocatedSpan {
  const [span] = part.spans;
  if (span === undefined) throw new Error('BUG: a part without a span');
  return {segment: part, span};
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
