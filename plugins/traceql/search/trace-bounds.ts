import {nanosOfMicros} from '../otlp/nanos.js';
import type {CandidateBounds, CandidateSpan} from '../source.js';

/** Of a summary in microseconds. */
export function boundsOfMicros({start, end}: {readonly start: number; readonly end: number}): CandidateBounds {
  return {startNanos: nanosOfMicros(start), duration: end - start};
}

/** Children may lie outside their parents, so every span counts. Of spans that have a time there is at least one. */
export function boundsOf(spans: readonly CandidateSpan[]): CandidateBounds {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const {start, attributes} of spans) {
    if (start === undefined) continue;
    first = Math.min(first, start);
    last = Math.max(last, start, start + attributes.duration);
  }
  return boundsOfMicros({start: first, end: last});
}
