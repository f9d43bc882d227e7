import {compareNames} from './names.js';
import {compatKind, nativeKind} from './span-matching.js';
import type {CompatSpan, CompatTrace, NativeSpan, NativeTrace, Segment} from './traces.js';

/**
 * The root of a trace, for both kinds of traces: the span that a trace is called after. It is the one definition that
 * plugins share with the readers that know a root without reading the whole trace (`TraceSummary`).
 *
 * It is the earliest span that has no parent; where every span has one, the earliest of all. Spans that start at the same
 * time come by id, then by kind and service. One whose start is not known comes last.
 */

/** A native span with the segment that it is in. */
export interface LocatedSpan {
  readonly segment: Segment;
  readonly span: NativeSpan;
}

/** The spans of a trace in the order in which they are its root; negative when `a` comes first. */
export function compareCompatRoots(a: CompatSpan, b: CompatSpan): number {
  return (
    Number(a.parentId !== undefined) - Number(b.parentId !== undefined) ||
    compareStarts(a.timestamp, b.timestamp) ||
    compareNames(a.id, b.id) ||
    compareNames(compatKind(a.kind), compatKind(b.kind)) ||
    compareNames(a.localEndpoint?.serviceName ?? '', b.localEndpoint?.serviceName ?? '')
  );
}

/** A parent that was never received leaves its children without a root: only a span that names none is one. */
export function compatRoot({spans}: CompatTrace): CompatSpan {
  return spans.reduce((first, span) => (compareCompatRoots(span, first) < 0 ? span : first));
}

/** As `compareCompatRoots`, for native spans of which both have a parent in the trace, or neither. */
export function compareNativeRoots(a: LocatedSpan, b: LocatedSpan): number {
  return (
    a.span.startTime - b.span.startTime ||
    compareNames(nameOf(a), nameOf(b)) ||
    compareNames(nativeKind(a.span.spanType), nativeKind(b.span.spanType)) ||
    compareNames(a.segment.service, b.segment.service)
  );
}

/**
 * The parent of a span: in its segment; for a segment's first span the caller's, by the first reference of this trace. A
 * batch's consumer has references of several traces: the others are no parents here. The parent need not have been
 * stored. A span that names itself has none.
 */
export function nativeParent({segment, span}: LocatedSpan): {segmentId: string; spanId: number} | undefined {
  const {traceId, traceSegmentId} = segment;
  const reference = span.parentSpanId >= 0 ? undefined : span.refs.find(ref => ref.traceId === traceId);
  const parent =
    span.parentSpanId >= 0
      ? {segmentId: traceSegmentId, spanId: span.parentSpanId}
      : reference && {segmentId: reference.parentTraceSegmentId, spanId: reference.parentSpanId};
  return parent?.segmentId === traceSegmentId && parent.spanId === span.spanId ? undefined : parent;
}

/**
 * A root is a span whose parent is not among the spans, because the segment that called it may belong to a system that
 * reports elsewhere.
 */
export function nativeRoot({segments}: NativeTrace): LocatedSpan {
  const spans = segments.flatMap(segment => segment.spans.map(span => ({segment, span})));
  const known = new Set(spans.map(nameOf));
  const roots = spans.filter(each => {
    const parent = nativeParent(each);
    return parent === undefined || !known.has(spanName(parent.segmentId, parent.spanId));
  });
  const candidates = roots.length > 0 ? roots : spans;
  return candidates.reduce((first, each) => (compareNativeRoots(each, first) < 0 ? each : first));
}

function nameOf({segment, span}: LocatedSpan): string {
  return spanName(segment.traceSegmentId, span.spanId);
}

/** The text that plugins make public ids of. */
function spanName(segmentId: string, spanId: number): string {
  return `${segmentId}S${spanId}`;
}

function compareStarts(a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY): number {
  return a === b ? 0 : a - b;
}
