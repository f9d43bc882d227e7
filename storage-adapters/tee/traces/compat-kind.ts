import {type CompatSpan, type CompatTrace, compatRoot, compatSpanView, matchesSpan} from '../../../core/api/adapter.js';
import {extentOf, isWithin, sortedBy, type TeeTraceKind} from './kind.js';

const keyOf = ({id, kind = '', shared = false}: CompatSpan): string => `${id} ${kind} ${shared}`;

const extent = ({spans, summary}: CompatTrace) =>
  summary ??
  extentOf(
    spans.flatMap(({timestamp, duration = 0}) =>
      timestamp === undefined ? [] : [[timestamp, timestamp + duration] as const],
    ),
    0,
  );

export const teeCompatKind: TeeTraceKind<CompatTrace> = {
  sizeOf: ({spans}) => spans.length,
  matches: (filter, window, {spans}) =>
    spans.some(span => isWithin(span.timestamp, window) && matchesSpan(filter, compatSpanView(span))),
  durationOf: trace => {
    const {start, end} = extent(trace);
    return end - start;
  },
  whole: ({traceId, spans}) => ({traceId, spans: sortedBy(spans, keyOf)}),
  matching: (filter, trace) => {
    const {start, end} = extent(trace);
    const found = trace.spans.filter(span => matchesSpan(filter, compatSpanView(span)));
    const root = trace.summary?.root ?? compatRoot(trace);
    return {traceId: trace.traceId, start, end, root, spans: sortedBy(found, keyOf)};
  },
};
