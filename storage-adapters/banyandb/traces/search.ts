import {matchesSpan, type SpanFilter, type TimeWindow} from '../../../core/api/adapter.js';
import type {MillisRange} from '../client/criteria.js';
import {isTooMuch} from '../client/grpc-error.js';
import type {TraceTrace} from '../proto/methods.js';
import {groupBy} from './group-by.js';
import type {BanyanDBTraceLoader} from './loader.js';
import type {BanyanDBTraceModel, SearchedSpan} from './model.js';
import {type PendingTrace, PendingTraces} from './pending-traces.js';
import {type TimeSlice, walkTime} from './time-walk.js';
import {Turns} from './turns.js';

export interface TraceReadOptions<Trace> {
  readonly kind: BanyanDBTraceModel<Trace>;
  readonly rows: BanyanDBTraceLoader;
  readonly maxSliceTraces: number;
  readonly maxScannedTraces: number;
}

export type Direction = 'newest first' | 'oldest first';

/** Milliseconds. With conditions there are fewer traces, so that more time may be asked for at first. */
const FIRST_SLICE = 60_000;
const FIRST_SLICE_FILTERED = 240_000;
/** How far before the window rows are looked for first that last into it; then sixteen times as far. */
const FIRST_TAIL = 16_000;
/** How many traces are read again at once, the first time and later. Fewer where those are too much for one answer. */
const FIRST_AGAIN = 50;
const MOST_AGAIN = 500;

/** Reads traces by time. */
export class BanyanDBTraceSearch<Trace> {
  readonly #options: TraceReadOptions<Trace>;

  constructor(options: TraceReadOptions<Trace>) {
    this.#options = options;
  }

  /**
   * Traces with a matching span in the window, newest first. A slice shows of each trace all rows of the days that it
   * touches. Other days may have more of it, and when days begin is known to the server alone, so each trace is read again
   * by its id. It waits until the slice is reached that its start lies in; that of the whole trace may lie farther back.
   */
  async *search(filter: SpanFilter, window: TimeWindow, signal: AbortSignal): AsyncGenerator<Trace> {
    const pending = new PendingTraces<Trace>();
    const seen = new Set<string>();
    const turns = new Turns(signal);
    const again = {count: FIRST_AGAIN};
    for await (const {span, found} of this.slices(filter, window, 'newest first', signal)) {
      for (const raw of found) {
        const {kind} = this.#options;
        const id = kind.canonicalId(raw.trace_id);
        if (seen.has(id)) continue;
        const spans = kind.spansOf(this.#decode(id, [raw]));
        await turns.next();
        // Another day may have more spans of it, so one that does not match may still do so later.
        if (!hasMatch(spans, filter, window)) continue;
        seen.add(id);
        pending.push({id, start: startOf(spans)});
      }
      yield* this.#ready(pending, span.begin * 1000, again, signal);
    }
    yield* this.#ready(pending, Number.NEGATIVE_INFINITY, again, signal);
  }

  /** Slices of all rows that may have a span in the window. */
  async *slices(
    filter: SpanFilter,
    {from, to}: TimeWindow,
    direction: Direction,
    signal: AbortSignal,
  ): AsyncGenerator<TimeSlice<TraceTrace>> {
    const {maxSliceTraces: limit, maxScannedTraces: most} = this.#options;
    const {kind, rows} = this.#options;
    const range = {begin: Math.floor(from / 1000), end: Math.ceil(to / 1000) - 1};
    if (range.end < range.begin) return;
    const pushdown = kind.pushdown(filter);
    const ask = (span: MillisRange, asked: number): Promise<readonly TraceTrace[]> =>
      rows.between(span, pushdown, asked, signal);
    const first = pushdown.conditions.length === 0 ? FIRST_SLICE : FIRST_SLICE_FILTERED;
    const walk = walkTime(ask, range, {direction, first, limit, most});
    if (direction === 'newest first') yield* walk;
    yield* this.#tail(filter, range.begin, direction, signal);
    if (direction === 'oldest first') yield* walk;
  }

  /** Rows that begin before the window and last into it: the farther before, the longer they must be. */
  async *#tail(
    filter: SpanFilter,
    begin: number,
    direction: Direction,
    signal: AbortSignal,
  ): AsyncGenerator<TimeSlice<TraceTrace>> {
    const {kind, rows, maxSliceTraces: limit, maxScannedTraces: most} = this.#options;
    const {conditions, tags} = kind.pushdown(filter);
    let end = begin - 1;
    for (let length = FIRST_TAIL; end > begin - 1 - kind.longestRow; length *= 16) {
      const range = {begin: Math.max(begin - length, begin - kind.longestRow), end};
      const lasting = kind.lasting(begin - end);
      const pushdown = {conditions: [...conditions, ...lasting.conditions], tags: [...tags, ...lasting.tags]};
      const ask = (span: MillisRange, asked: number): Promise<readonly TraceTrace[]> =>
        rows.between(span, pushdown, asked, signal);
      yield* walkTime(ask, range, {direction, first: length, limit, most});
      end = range.begin - 1;
    }
  }

  /** All of a trace, from every day; undefined where there is nothing. */
  async whole(ids: readonly string[], signal: AbortSignal): Promise<readonly PendingTrace<Trace>[]> {
    const {kind, rows} = this.#options;
    const stored = ids.flatMap(id => kind.storedIds(id));
    if (stored.length === 0) return [];
    const byId = groupBy(await rows.withIds(stored, signal), ({trace_id}) => kind.canonicalId(trace_id));
    const turns = new Turns(signal);
    const found: PendingTrace<Trace>[] = [];
    for (const [id, parts] of byId) {
      const trace = this.#decode(id, parts);
      found.push({id, start: startOf(kind.spansOf(trace)), trace});
      await turns.next();
    }
    return found;
  }

  /** Takes those out that begin at `since` or later: what is found from now on begins before. */
  async *#ready(
    pending: PendingTraces<Trace>,
    since: number,
    again: {count: number},
    signal: AbortSignal,
  ): AsyncGenerator<Trace> {
    for (;;) {
      const {first} = pending;
      if (first === undefined || first.start < since) return;
      if (first.trace !== undefined) {
        pending.pop();
        yield first.trace;
        continue;
      }
      const parts: PendingTrace<Trace>[] = [];
      while (parts.length < again.count && pending.first !== undefined && pending.first.start >= since) {
        const next = pending.pop() as PendingTrace<Trace>;
        if (next.trace === undefined) parts.push(next);
        else {
          pending.push(next);
          break;
        }
      }
      try {
        const ids = parts.map(({id}) => id);
        for (const one of await this.whole(ids, signal)) pending.push(one);
        again.count = Math.min(again.count * 4, MOST_AGAIN);
      } catch (error) {
        if (parts.length === 1 || !isTooMuch(error)) throw error;
        again.count = Math.ceil(parts.length / 8);
        for (const part of parts) pending.push(part);
      }
    }
  }

  #decode(id: string, parts: readonly TraceTrace[]): Trace {
    const rows = parts.flatMap(({spans}) => spans.map(({span}) => span));
    return this.#options.kind.decode(id, rows);
  }
}

/** 0 for spans without a time. */
function startOf(spans: readonly SearchedSpan[]): number {
  const start = spans.reduce((least, span) => Math.min(least, span.start ?? least), Number.POSITIVE_INFINITY);
  return Number.isFinite(start) ? start : 0;
}

export function hasMatch(spans: readonly SearchedSpan[], filter: SpanFilter, window: TimeWindow): boolean {
  return spans.some(span => isWithin(span, window) && matchesSpan(filter, span.view));
}

export function isWithin({start}: SearchedSpan, {from, to}: TimeWindow): boolean {
  return start !== undefined && start >= from && start < to;
}
