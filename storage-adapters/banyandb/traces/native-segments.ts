import type {AttachedEvent, NativeSpan, Segment} from '../../../core/api/adapter.js';
import type {SegmentObject, SpanAttachedEvent, SpanObject} from '../proto/methods.js';
import type {Payloads} from './payloads.js';

/** Payloads have no layer. It is what segments have that name none. */
const LAYER = 'GENERAL';

/** The segments of a trace with the events of their spans. Of a segment that was written twice the last stands. */
export function nativeSegments({segments, events}: Payloads): readonly Segment[] {
  const byId = new Map<string, SegmentObject>();
  for (const segment of segments) byId.set(segment.traceSegmentId, segment);
  const all = [...byId.values()];
  const eventsOf = events.length === 0 ? () => [] : attachedTo(all, events);
  return all.map(segment => ({
    traceId: segment.traceId,
    traceSegmentId: segment.traceSegmentId,
    layer: LAYER,
    service: segment.service,
    serviceInstance: segment.serviceInstance,
    spans: segment.spans.map(span => nativeSpan(span, eventsOf(segment.traceSegmentId, span.spanId))),
  }));
}

function nativeSpan(span: SpanObject, attachedEvents: readonly AttachedEvent[]): NativeSpan {
  const {spanId, parentSpanId, operationName, peer, componentId, isError, skipAnalysis, tags} = span;
  return {
    spanId,
    parentSpanId,
    startTime: Number(span.startTime),
    endTime: Number(span.endTime),
    operationName,
    peer,
    // A number, where the server's SkyWalking knows more words than we do.
    spanType: String(span.spanType),
    spanLayer: String(span.spanLayer),
    componentId,
    isError,
    skipAnalysis,
    tags,
    logs: span.logs.map(({time, data}) => ({time: Number(time), data})),
    refs: span.refs.map(reference => ({...reference, refType: String(reference.refType)})),
    attachedEvents,
  };
}

const keyOf = (segmentId: string, spanId: number): string => `${spanId} ${segmentId}`;

/**
 * The events of each span, by time. An event names a span of the side that it was seen on; a request that came in, or a
 * response that went out, belongs to the span of the called side, which is the child of the one that it names.
 */
function attachedTo(
  segments: readonly SegmentObject[],
  events: readonly SpanAttachedEvent[],
): (segmentId: string, spanId: number) => readonly AttachedEvent[] {
  const children = new Map<string, string>();
  for (const {traceSegmentId, spans} of segments) {
    for (const {spanId, spanType, refs} of spans) {
      if (spanType !== 'Entry') continue;
      for (const {parentTraceSegmentId, parentSpanId} of refs) {
        children.set(keyOf(parentTraceSegmentId, parentSpanId), keyOf(traceSegmentId, spanId));
      }
    }
  }
  const bySpan = new Map<string, AttachedEvent[]>();
  // The server keeps both of rows that were written twice.
  const distinct = new Map(events.map(event => [JSON.stringify(event), event]));
  for (const event of distinct.values()) {
    const {traceSegmentId = '', spanId = ''} = event.traceContext ?? {};
    const named = keyOf(traceSegmentId, Number(spanId));
    const span = isOfCalledSide(event) ? (children.get(named) ?? named) : named;
    const list = bySpan.get(span) ?? [];
    list.push(attachedEvent(event));
    bySpan.set(span, list);
  }
  for (const list of bySpan.values()) list.sort((a, b) => compareInstants(a.startTime, b.startTime));
  return (segmentId, spanId) => bySpan.get(keyOf(segmentId, spanId)) ?? [];
}

function isOfCalledSide({tags}: SpanAttachedEvent): boolean {
  const tag = (key: string): string | undefined => tags.find(one => one.key === key)?.value;
  const type = tag('data_type');
  const direction = tag('data_direction');
  return (type === 'request' && direction === 'inbound') || (type === 'response' && direction === 'outbound');
}

function attachedEvent({startTime, endTime, event, tags, summary}: SpanAttachedEvent): AttachedEvent {
  return {
    startTime: instant(startTime),
    endTime: instant(endTime),
    event,
    tags,
    summary: summary.map(({key, value}) => ({key, value: BigInt(value)})),
  };
}

function instant(given: SpanAttachedEvent['startTime']): AttachedEvent['startTime'] {
  return {seconds: BigInt(given?.seconds ?? 0), nanos: given?.nanos ?? 0};
}

function compareInstants(a: AttachedEvent['startTime'], b: AttachedEvent['startTime']): number {
  return a.seconds === b.seconds ? a.nanos - b.nanos : a.seconds < b.seconds ? -1 : 1;
}
