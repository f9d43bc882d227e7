import {matchesSpan, type SpanFilter, type TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_MS, MS_PER_MINUTE, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {MillisRange} from '../client/criteria.js';
import {isTooMuch} from '../client/grpc-error.js';
import type {TraceTrace} from '../proto/methods.js';
import {groupBy} from './group-by.js';
import type {BanyanDBTraceLoader} from './loader.js';
import type {BanyanDBTraceModel, SearchedSpan} from './model.js';
import {type PendingTrace, PendingTraces} from './pending-traces.js';
import {type TimeSlice, walkTime} from './time-walk.js';

export interface TraceReadOptions<Trace> {
  readonly model: BanyanDBTraceModel<Trace>;
  readonly loader: BanyanDBTraceLoader;
  readonly maxSliceTraces: number;
  readonly maxScannedTraces: number;
}

export type Direction = 'newest first' | 'oldest first';

/** Milliseconds. With conditions there are fewer traces, so that more time may be asked for at first. */
const FIRST_SLICE = MS_PER_MINUTE;
const FIRST_SLICE_FILTERED = 4 * MS_PER_MINUTE;
/** How far before the window rows are looked for first that last into it; then sixteen times as far. */
const FIRST_TAIL = 16 * MS_PER_SECOND;
/** How many traces are read again at once, the first time and later. Fewer where those are too much for one answer. */
const FIRST_AGAIN = 50;
const MOST_AGAIN = 500;

/** What a walk over milliseconds says where one of them has too many traces. */
export const PER_MILLISECOND = {
  option: 'maxScannedTraces',
  what: (time: number) => `traces in the millisecond ${new Date(time).toISOString()}`,
} as const;

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
    const again = {count: FIRST_AGAIN};
    const {model} = this.#options;
    for await (const {span, found} of this.timeSlices(filter, window, 'newest first', signal)) {
      const take = (raw: TraceTrace): void => {
        const id = model.canonicalId(raw.trace_id);
        if (seen.has(id)) return;
        const spans = model.spansOf(this.#decode(id, [raw]));
        // Another day may have more spans of it, so one that does not match may still do so later.
        if (!hasMatch(spans, filter, window)) return;
        seen.add(id);
        pending.push({id, start: startOf(spans)});
      };
      await forEachYielding(found, take, {signal});
      yield* this.#ready(pending, span.begin * MICROS_PER_MS, again, signal);
    }
    yield* this.#ready(pending, Number.NEGATIVE_INFINITY, again, signal);
  }

  /** Slices of all rows that may have a span in the window. */
  async *timeSlices(
    filter: SpanFilter,
    {from, to}: TimeWindow,
    direction: Direction,
    signal: AbortSignal,
  ): AsyncGenerator<TimeSlice<TraceTrace>> {
    const {maxSliceTraces: limit, maxScannedTraces: most} = this.#options;
    const {model, loader} = this.#options;
    const range = {begin: Math.floor(from / MICROS_PER_MS), end: Math.ceil(to / MICROS_PER_MS) - 1};
    if (range.end < range.begin) return;
    const pushdown = model.pushdown(filter);
    const ask = (span: MillisRange, asked: number): Promise<readonly TraceTrace[]> =>
      loader.between(span, pushdown, asked, signal);
    const first = pushdown.conditions.length === 0 ? FIRST_SLICE : FIRST_SLICE_FILTERED;
    const walk = walkTime(ask, range, {direction, first, limit, most, ...PER_MILLISECOND});
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
    const {model, loader, maxSliceTraces: limit, maxScannedTraces: most} = this.#options;
    const {conditions, tags} = model.pushdown(filter);
    let end = begin - 1;
    for (let length = FIRST_TAIL; end > begin - 1 - model.longestRow; length *= 16) {
      const range = {begin: Math.max(begin - length, begin - model.longestRow), end};
      const lasting = model.lasting(begin - end);
      const pushdown = {conditions: [...conditions, ...lasting.conditions], tags: [...tags, ...lasting.tags]};
      const ask = (span: MillisRange, asked: number): Promise<readonly TraceTrace[]> =>
        loader.between(span, pushdown, asked, signal);
      yield* walkTime(ask, range, {direction, first: length, limit, most, ...PER_MILLISECOND});
      end = range.begin - 1;
    }
  }

  /** All of a trace, from every day; undefined where there is nothing. */
  async load(ids: readonly string[], signal: AbortSignal): Promise<readonly PendingTrace<Trace>[]> {
    const {model, loader} = this.#options;
    const stored = ids.flatMap(id => model.storedIds(id));
    if (stored.length === 0) return [];
    const byId = groupBy(await loader.withIds(stored, signal), ({trace_id}) => model.canonicalId(trace_id));
    const found: PendingTrace<Trace>[] = [];
    const take = ([id, parts]: readonly [string, readonly TraceTrace[]]): void => {
      const trace = this.#decode(id, parts);
      found.push({id, start: startOf(model.spansOf(trace)), trace});
    };
    await forEachYielding(byId, take, {signal});
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
      for (let next = pending.first; next?.trace === undefined; next = pending.first) {
        if (next === undefined || next.start < since || parts.length === again.count) break;
        pending.pop();
        parts.push(next);
      }
      try {
        const ids = parts.map(({id}) => id);
        for (const one of await this.load(ids, signal)) pending.push(one);
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
    return this.#options.model.decode(id, rows);
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
