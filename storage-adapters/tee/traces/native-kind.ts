import {matchesSpan, type NativeTrace, nativeRoot, nativeSpanView, type Segment} from '../../../core/api/adapter.js';
import {extentOf, isWithin, sortedBy, type TeeTraceKind} from './kind.js';

const MICROS = 1000;

const keyOf = ({traceSegmentId}: Segment): string => traceSegmentId;

const extent = ({segments, summary}: NativeTrace) =>
  summary ??
  extentOf(
    segments.flatMap(({spans}) => spans.map(span => [span.startTime * MICROS, span.endTime * MICROS] as const)),
    0,
  );

const rootOf = (trace: NativeTrace): Segment => {
  const {segment, span} = nativeRoot(trace);
  return {...segment, spans: [span]};
};

const inOrder = (segment: Segment): Segment => ({
  ...segment,
  spans: [...segment.spans].sort((a, b) => a.spanId - b.spanId),
});

export const teeNativeKind: TeeTraceKind<NativeTrace> = {
  sizeOf: ({segments}) => segments.reduce((sum, {spans}) => sum + spans.length, 0),
  matches: (filter, window, {segments}) =>
    segments.some(segment =>
      segment.spans.some(
        span => isWithin(span.startTime * MICROS, window) && matchesSpan(filter, nativeSpanView(segment, span)),
      ),
    ),
  durationOf: trace => {
    const {start, end} = extent(trace);
    return end - start;
  },
  whole: ({traceId, segments}) => ({traceId, segments: sortedBy(segments.map(inOrder), keyOf)}),
  matching: (filter, trace) => {
    const {start, end} = extent(trace);
    const found = trace.segments.flatMap(segment => {
      const spans = segment.spans.filter(span => matchesSpan(filter, nativeSpanView(segment, span)));
      return spans.length === 0 ? [] : [inOrder({...segment, spans})];
    });
    const root = trace.summary?.root ?? rootOf(trace);
    return {traceId: trace.traceId, start, end, root, segments: sortedBy(found, keyOf)};
  },
};
