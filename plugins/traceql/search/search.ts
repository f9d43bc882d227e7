import {type Call, matchesSpan, type OtlpFilter, type TimeWindow} from '../../../core/api/plugin.js';
import type {CandidateSpan, CandidateTrace, TraceSource} from '../source.js';
import {compareSpans} from './span-order.js';

export interface SearchParameters extends TimeWindow {
  readonly filter: OtlpFilter;
  /** Limits on the duration of the whole trace in microseconds, both included. */
  readonly traceDuration: {readonly min?: number; readonly max?: number};
  /** The largest number of traces. */
  readonly limit: number;
}

/** A trace that a search has found: its spans that satisfy the filter, by their start. */
export interface TraceMatch {
  readonly trace: CandidateTrace;
  readonly spans: readonly CandidateSpan[];
}

/**
 * The newest traces that match, newest first. A reader may yield traces that do not, so each is looked at; it stops
 * reading at the limit, when the call is cancelled and when the consumer ends.
 */
export async function* searchTraces<Trace>(
  search: SearchParameters,
  source: TraceSource<Trace>,
  call: Call,
): AsyncGenerator<TraceMatch> {
  const {limit, ...wanted} = search;
  let count = 0;
  for await (const trace of source.reader.search({...wanted, matching: true}, call)) {
    call.signal.throwIfAborted();
    const match = matchOf(source.candidate(trace), search);
    if (match === undefined) continue;
    yield match;
    if (++count >= limit) return;
  }
}

function matchOf(trace: CandidateTrace, {filter, traceDuration, from, to}: SearchParameters): TraceMatch | undefined {
  const spans = trace.spans.filter(span => matchesSpan(filter, span.attributes));
  if (!spans.some(({start}) => start !== undefined && start >= from && start < to)) return undefined;
  const {duration} = trace.bounds;
  if (duration < (traceDuration.min ?? 0) || duration > (traceDuration.max ?? Number.POSITIVE_INFINITY)) {
    return undefined;
  }
  return {trace, spans: spans.sort(compareSpans)};
}
