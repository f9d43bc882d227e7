import type {OtlpFilter, TimeWindow} from '../../../core/api/adapter.js';

/** One of the kinds of traces: what of it is compared. */
export interface TeeTraceKind<Trace> {
  /** How many spans or segments are there. */
  sizeOf(trace: Trace): number;
  /** Whether a span that lies in the window satisfies the filter. */
  matches(filter: OtlpFilter, window: TimeWindow, trace: Trace): boolean;
  /** The time from the earliest start to the latest end of the whole trace, in microseconds. */
  durationOf(trace: Trace): number;
  /** Everything, in an order that does not depend on the storage. */
  whole(trace: Trace): unknown;
  /** What a search for what matches owes: the spans that satisfy the filter, the root and the extent. */
  matching(filter: OtlpFilter, trace: Trace): unknown;
}

/** Spans have a time in the window where they have one. */
export function isWithin(start: number | undefined, {from, to}: TimeWindow): boolean {
  return start !== undefined && start >= from && start < to;
}

/** Earliest start and latest end of some spans; zero where none has a time. */
export function extentOf<Time extends number | bigint>(
  times: Iterable<readonly [start: Time, end: Time]>,
  none: Time,
): {readonly start: Time; readonly end: Time} {
  let extent: {start: Time; end: Time} | undefined;
  for (const [start, end] of times) {
    extent ??= {start, end};
    if (start < extent.start) extent.start = start;
    if (end > extent.end) extent.end = end;
  }
  return extent ?? {start: none, end: none};
}

export function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...items].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}
