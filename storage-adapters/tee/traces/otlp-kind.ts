import {
  matchesSpan,
  type OtlpSpan,
  type OtlpTrace,
  otlpEnd,
  otlpMicros,
  otlpRoot,
  otlpSpanView,
  otlpStart,
} from '../../../core/api/adapter.js';
import {extentOf, isWithin, sortedBy, type TeeTraceKind} from './kind.js';

const NANOS_PER_MICRO = 1000;

const keyOf = ({spanId}: OtlpSpan): string => spanId;

const extent = ({spans, summary}: OtlpTrace) =>
  summary ??
  extentOf(
    spans.flatMap(span => (span.startTime === 0n ? [] : [[span.startTime, otlpEnd(span)] as const])),
    0n,
  );

export const teeOtlpKind: TeeTraceKind<OtlpTrace> = {
  sizeOf: ({spans}) => spans.length,
  matches: (filter, window, {spans}) =>
    spans.some(span => isWithin(otlpStart(span), window) && matchesSpan(filter, otlpSpanView(span))),
  durationOf: trace => {
    const {start, end} = extent(trace);
    return Number(end - start) / NANOS_PER_MICRO;
  },
  whole: ({traceId, spans}) => ({traceId, spans: sortedBy(spans, keyOf)}),
  matching: (filter, trace) => {
    // Whoever knows the extent from an index knows it in microseconds.
    const {start, end} = extent(trace);
    const found = trace.spans.filter(span => matchesSpan(filter, otlpSpanView(span)));
    const root = trace.summary?.root ?? otlpRoot(trace.spans);
    const bounds = {start: otlpMicros(start), end: otlpMicros(end)};
    return {traceId: trace.traceId, ...bounds, root, spans: sortedBy(found, keyOf)};
  },
};
