import type {KeyValue, NativeSpan, Segment, SegmentLog, SegmentReference} from '../../../../core/api/plugin.js';
import {MICROS_PER_MS} from '../../../../core/toolkit/time.js';
import {CUT} from '../../../../core/toolkit/traces/content-budget.js';
import type {RecordObject} from '../json/record-object.js';
import {readAttachedEvent} from './attached-event.js';
import {readKeyValues} from './key-values.js';

const SPAN_TYPES = ['Entry', 'Exit', 'Local'];
const SPAN_LAYERS = ['Unknown', 'Database', 'RPCFramework', 'Http', 'MQ', 'Cache', 'FAAS'];
const REFERENCE_TYPES = ['CrossProcess', 'CrossThread'];

const GREATEST_INT32 = 2 ** 31 - 1;

/** Times are asked for in microseconds, which must be exact. */
const GREATEST_MILLISECONDS = Math.floor(Number.MAX_SAFE_INTEGER / MICROS_PER_MS);

/**
 * Reads a segment of the SkyWalking report protocol. As everywhere in JSON of Protocol Buffers, what is absent has the
 * default of its type; keys that the protocol does not know are passed over.
 */
export function readSegment(segment: RecordObject): Segment {
  const traceId = segment.requiredName('traceId');
  if (!segment.has('traceSegmentId') && segment.has('id')) {
    segment.refuse('traceSegmentId', 'missing: this is a compat span, and no native segment');
  }
  const traceSegmentId = segment.requiredName('traceSegmentId');
  const spans = segment.objects('spans');
  if (spans.length === 0) segment.refuse('spans', 'empty; a segment has at least one span');
  const seen = new Set<number>();
  const layer = segment.name('layer');
  return {
    traceId,
    traceSegmentId,
    layer: layer === '' ? 'GENERAL' : layer,
    service: segment.name('service'),
    serviceInstance: segment.name('serviceInstance'),
    spans: spans.map(span => readSpan(span, seen)),
  };
}

function readSpan(span: RecordObject, seen: Set<number>): NativeSpan {
  const spanId = span.integer('spanId', 0, GREATEST_INT32);
  if (seen.has(spanId)) span.refuse('spanId', `found ${spanId} more than once in the segment`);
  seen.add(spanId);
  const startTime = readMilliseconds(span, 'startTime') ?? span.refuse('startTime', 'missing');
  const component = span.name('component');
  const marks: KeyValue[] = [];
  const list = <Item>(key: string, read: (object: RecordObject) => Item): readonly Item[] => {
    const {items, mark} = span.first(span.objects(key));
    if (mark !== undefined) marks.push({key: CUT + key, value: mark});
    return items.map(read);
  };
  const logs = list('logs', readLog);
  const refs = list('refs', readReference);
  const attachedEvents = list('attachedEvents', readAttachedEvent);
  return {
    spanId,
    parentSpanId: readParent(span, spanId),
    startTime,
    // Of a span that has not ended, or whose clock was set back.
    endTime: Math.max(startTime, readMilliseconds(span, 'endTime') ?? 0),
    operationName: span.name('operationName'),
    peer: span.name('peer'),
    spanType: span.word('spanType', SPAN_TYPES) ?? '',
    spanLayer: span.word('spanLayer', SPAN_LAYERS) || 'Unknown',
    componentId: span.integer('componentId', 0, GREATEST_INT32),
    ...(component === '' ? {} : {component}),
    isError: span.flag('isError'),
    skipAnalysis: span.flag('skipAnalysis'),
    tags: [...readKeyValues(span, 'tags'), ...marks],
    logs,
    refs,
    attachedEvents,
  };
}

/** A first span always says -1, for 0 is what is left out. */
function readParent(span: RecordObject, spanId: number): number {
  if (!span.has('parentSpanId') && spanId === 0) return -1;
  const parent = span.integer('parentSpanId', -1, GREATEST_INT32);
  if (parent === spanId)
    span.refuse('parentSpanId', `found ${parent}, which is the span itself; the first span has -1`);
  return parent;
}

/** Undefined when absent. A fraction is cut. */
function readMilliseconds(object: RecordObject, key: string): number | undefined {
  const number = object.number(key);
  if (number === undefined) return undefined;
  if (number < 0 || number > GREATEST_MILLISECONDS) {
    const hint = number > GREATEST_MILLISECONDS ? '; these look like microseconds or nanoseconds' : '';
    object.refuse(key, `found ${object.written(key)}, expected milliseconds from 0 to ${GREATEST_MILLISECONDS}${hint}`);
  }
  return Math.floor(number) + 0;
}

function readLog(log: RecordObject): SegmentLog {
  return {time: readMilliseconds(log, 'time') ?? 0, data: readKeyValues(log, 'data')};
}

function readReference(reference: RecordObject): SegmentReference {
  return {
    refType: reference.word('refType', REFERENCE_TYPES) ?? 'CrossProcess',
    traceId: reference.name('traceId'),
    parentTraceSegmentId: reference.name('parentTraceSegmentId'),
    parentSpanId: reference.integer('parentSpanId', 0, GREATEST_INT32),
    parentService: reference.name('parentService'),
    parentServiceInstance: reference.name('parentServiceInstance'),
    parentEndpoint: reference.name('parentEndpoint'),
    networkAddressUsedAtPeer: reference.name('networkAddressUsedAtPeer'),
  };
}
