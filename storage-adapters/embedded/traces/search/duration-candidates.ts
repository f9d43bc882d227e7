import type {OtlpFilter, OtlpSearchRequest} from '../../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/operations.js';

/** So many traces are listed at most: a few milliseconds of reading. */
const MOST = 8192;
const TRACES_BETWEEN_CHECKS = 1024;

/** Bounds of the duration of a whole trace in microseconds, both included. */
export interface DurationBounds {
  readonly min: number;
  readonly max: number;
}

/**
 * What a request says about the duration of whole traces; undefined when it says nothing. None of a trace's spans lasts
 * longer than the trace. The index has whole microseconds: where spans have more, the bounds are widened to those.
 */
export function durationBounds(
  {filter, traceDuration = {}}: OtlpSearchRequest,
  model: TraceModelName,
): DurationBounds | undefined {
  let {max = Number.POSITIVE_INFINITY} = traceDuration;
  let min = Math.max(traceDuration.min ?? 0, leastOf(filter));
  if (model === 'otlp') [min, max] = [Math.floor(min), Math.ceil(max)];
  return min <= 0 && max === Number.POSITIVE_INFINITY ? undefined : {min, max};
}

function leastOf(filter: OtlpFilter): number {
  let least = 0;
  for (const condition of filter) {
    if (condition.on !== 'duration' || condition.is === '<' || condition.is === '<=') continue;
    least = Math.max(least, condition.value);
  }
  return least;
}

interface Bounds {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The traces that are neither too short nor too long, of those that end last. */
export class DurationCandidates {
  readonly #traces: ReadonlyMap<number, Bounds>;
  /** Spans that start here or later belong to one of the traces, or to a trace that lasts too short or too long. */
  readonly #since: number;

  constructor(traces: readonly Bounds[], since: number) {
    this.#traces = new Map(traces.map(trace => [trace.number, trace]));
    this.#since = since;
  }

  /** Whether the trace, of which a span starts at `time`, lasts too short or too long. False: nobody knows. */
  excludes(trace: number, time: number): boolean {
    return time >= this.#since && !this.#traces.has(trace);
  }

  /** Whether that is so for all traces of which spans start in [from, to]. */
  excludesAll(from: number, to: number): boolean {
    if (from < this.#since) return false;
    for (const {start, end} of this.#traces.values()) if (start <= to && end >= from) return false;
    return true;
  }
}

/** Lists traces by their duration from an index that is ordered by hour first, so that the listing can end early. */
export class DurationIndex {
  readonly #hourBefore;
  readonly #traces;

  constructor(database: Database, model: TraceModelName) {
    this.#hourBefore = database
      .prepare<[number], number | null>(`SELECT max(hour) FROM ${model}_traces WHERE hour < ?`)
      .pluck();
    this.#traces = database.prepare<[number, number, number], Bounds>(
      `SELECT number, start, "end" FROM ${model}_traces
       WHERE hour = ? AND "end" - start >= ? AND "end" - start <= ?`,
    );
  }

  /** The traces that have a span in [from, to) and these bounds; from the last that end back, as far as they are few. */
  candidates(from: number, to: number, {min, max}: DurationBounds, checkpoint: Checkpoint): DurationCandidates {
    const found: Bounds[] = [];
    const first = Math.floor(from / MICROS_PER_HOUR);
    let read = 0;
    let hour = this.#hourBefore.get(Number.MAX_SAFE_INTEGER) ?? null;
    for (; hour !== null && hour >= first; hour = this.#hourBefore.get(hour) ?? null) {
      checkpoint();
      // A trace that began before the end of the window and ends in a later hour lasts at least until then.
      const least = Math.max(min, hour * MICROS_PER_HOUR - to);
      for (const trace of this.#traces.iterate(hour, least, max)) {
        if (++read > MOST) return new DurationCandidates(found, (hour + 1) * MICROS_PER_HOUR);
        if (read % TRACES_BETWEEN_CHECKS === 0) checkpoint();
        if (trace.start < to && trace.end >= from) found.push(trace);
      }
    }
    return new DurationCandidates(found, Number.NEGATIVE_INFINITY);
  }
}
