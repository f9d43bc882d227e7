import {compareNames} from '../../../core/api/plugin.js';
import type {CandidateSpan} from '../source.js';

/** By start; the digits of equal microseconds are as many. The same order for every order in which a reader yields the spans. */
export function compareSpans(a: CandidateSpan, b: CandidateSpan): number {
  return (a.start ?? 0) - (b.start ?? 0) || compareNames(a.startNanos, b.startNanos) || compareIds(a, b);
}

/** Two spans of a trace may have one id: the two halves of a shared span. */
function compareIds(a: CandidateSpan, b: CandidateSpan): number {
  return (
    compareNames(a.spanId, b.spanId) ||
    compareNames(a.attributes.kind, b.attributes.kind) ||
    compareNames(a.serviceName, b.serviceName)
  );
}
