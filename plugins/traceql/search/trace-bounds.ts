import {compareNames} from '../../../core/api/plugin.js';
import type {FoundSpan} from '../source.js';

/** From the first start to the last end of the spans of a trace. Microseconds. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Children may lie outside their parents, so every span counts. Of spans that have a time there is at least one. */
export function extentOf(spans: readonly FoundSpan[]): Extent {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const {start, view} of spans) {
    if (start === undefined) continue;
    first = Math.min(first, start);
    last = Math.max(last, start, start + view.duration);
  }
  return {start: first, end: last};
}

/** The same order for every order in which a reader yields the spans. */
export function byStart(a: FoundSpan, b: FoundSpan): number {
  return (a.start ?? 0) - (b.start ?? 0) || byName(a, b);
}

/** Two spans of a trace may have one id: the two halves of a shared span. */
function byName(a: FoundSpan, b: FoundSpan): number {
  return (
    compareNames(a.spanId, b.spanId) ||
    compareNames(a.view.kind, b.view.kind) ||
    compareNames(a.serviceName, b.serviceName)
  );
}
