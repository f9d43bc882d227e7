import {
  type AttachedEvent,
  inTraceOrder,
  type KeyValue,
  type NativeSpan,
  type NativeTrace,
  nativeKind,
  nativePlace,
  type Segment,
  type SegmentLog,
} from '../../core/api/plugin.js';
import type {
  ConvertedEvent,
  ConvertedScope,
  ConvertedSpan,
  ConvertedStatus,
  ConvertedTrace,
} from '../traceql/otlp/model.js';
import {nanosOfInstant, nanosOfMillis} from '../traceql/otlp/nanos.js';
import {resourcesOf} from '../traceql/otlp/resources.js';
import {uniqueByKey} from '../traceql/otlp/unique-by-key.js';
import {COMPONENT_NAMES} from './component-names.js';
import {SpanIds} from './span-ids.js';
import {encodeId} from './trace-id.js';

const SCOPE: ConvertedScope = {name: 'native-tracer', version: '0.1.0'};
const OK: ConvertedStatus = {code: 'OK'};
const FAILED: ConvertedStatus = {code: 'ERROR', message: 'Error occurred'};

/**
 * Segments as OTLP.
 *
 * The order is that of `trace-order.ts`, whatever the order of the segments given. Attributes are the tags in the sender's order, then `peer.address`,
 * `component` and `layer`; events are the logs, then the attached events. A parent that the trace does not have is kept.
 */
export function convertNativeTrace(trace: NativeTrace): ConvertedTrace {
  const spans = trace.segments.flatMap(segment => segment.spans.map(span => ({segment, span})));
  const ids = new SpanIds();
  const resources = resourcesOf(inTraceOrder(spans, nativePlace), ({segment, span}) => convertSpan(segment, span, ids));
  return {traceId: encodeId(trace.traceId), scope: SCOPE, resources};
}

/** The name that the converted span has. Never empty. */
export function nativeSpanName(span: NativeSpan): string {
  return span.operationName || span.spanType || 'unknown';
}

function convertSpan(segment: Segment, span: NativeSpan, ids: SpanIds): ConvertedSpan {
  return {
    spanId: ids.of(segment.traceSegmentId, span.spanId),
    parentSpanId: ids.parentOf(segment, span),
    name: nativeSpanName(span),
    kind: nativeKind(span.spanType),
    startTimeUnixNano: nanosOfMillis(span.startTime),
    endTimeUnixNano: nanosOfMillis(span.endTime),
    attributes: attributesOf(span),
    events: span.logs.map(convertLog).concat(span.attachedEvents.map(convertAttached)),
    status: span.isError ? FAILED : OK,
  };
}

/** A tag wins over an added attribute of the same key. */
function attributesOf(span: NativeSpan): readonly KeyValue[] {
  const attributes = [...span.tags];
  const add = (key: string, value: string): void => {
    if (!span.tags.some(tag => tag.key === key)) attributes.push({key, value});
  };
  if (span.peer !== '') add('peer.address', span.peer);
  add('component', (span.componentId === 0 ? span.component : COMPONENT_NAMES.get(span.componentId)) || 'N/A');
  add('layer', span.spanLayer);
  return uniqueByKey(attributes);
}

function convertLog(log: SegmentLog): ConvertedEvent {
  return {timeUnixNano: nanosOfMillis(log.time), name: 'log', attributes: uniqueByKey(log.data)};
}

/** When it ended has no place in OTLP. */
function convertAttached(event: AttachedEvent): ConvertedEvent {
  const summary = event.summary.map(({key, value}) => ({key, value: String(value)}));
  return {
    timeUnixNano: nanosOfInstant(event.startTime),
    name: event.event,
    attributes: uniqueByKey([...event.tags, ...summary]),
  };
}
