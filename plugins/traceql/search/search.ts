import {type Call, matchesSpan, type SpanFilter, type TimeWindow} from '../../../core/api/plugin.js';
import type {FoundSpan, FoundTrace, TraceSource} from '../source.js';
import {byStart} from './trace-bounds.js';

export interface SearchRequest extends TimeWindow {
  readonly filter: SpanFilter;
  /** Bounds of the duration of the whole trace in microseconds, both included. */
  readonly traceDuration: {readonly min?: number; readonly max?: number};
  /** The largest number of traces. */
  readonly limit: number;
}

/** A trace that a search has found: its spans that satisfy the filter, by their start. */
export interface Match {
  readonly trace: FoundTrace;
  readonly spans: readonly FoundSpan[];
}

/**
 * The newest traces that match, newest first. A reader may yield traces that do not, so each is looked at; it stops
 * reading at the limit, when the call is cancelled and when the consumer ends.
 */
export async function* search(request: SearchRequest, source: TraceSource, call: Call): AsyncGenerator<Match> {
  const {limit, ...wanted} = request;
  let count = 0;
  for await (const trace of source.search({...wanted, matching: true}, call)) {
    call.signal.throwIfAborted();
    const match = matchOf(trace, request);
    if (match === undefined) continue;
    yield match;
    if (++count >= limit) return;
  }
}

function matchOf(trace: FoundTrace, {filter, traceDuration, from, to}: SearchRequest): Match | undefined {
  const spans = trace.spans.filter(span => matchesSpan(filter, span.view));
  if (!spans.some(({start}) => start !== undefined && start >= from && start < to)) return undefined;
  const {start, end} = trace.extent;
  const duration = end - start;
  if (duration < (traceDuration.min ?? 0) || duration > (traceDuration.max ?? Number.POSITIVE_INFINITY)) {
    return undefined;
  }
  return {trace, spans: spans.sort(byStart)};
}
