import type {Call, ExportPage, ExportRequest, TraceExporter} from '../../../core/api/adapter.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {MICROS_PER_SECOND, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {EVER, type MillisRange} from '../client/criteria.js';
import {isTooMuch} from '../client/grpc-error.js';
import type {TraceTrace} from '../proto/methods.js';
import type {PendingTrace} from '../traces/pending-traces.js';
import {BanyanDBTraceSearch, PER_MILLISECOND, type TraceReadOptions} from '../traces/search.js';
import {type TimeSlice, walkTime} from '../traces/time-walk.js';

/** How many traces are read by their ids at once, at first and at most. Fewer where those are too much for one answer. */
const FIRST_AT_ONCE = 50;
const MOST_AT_ONCE = 500;
/** Clocks of senders may be ahead. What is later than that is looked for with one call. */
const AHEAD = MS_PER_HOUR;
const EVERY = {conditions: [], tags: []};

/**
 * Walks back over slices of time that are each answered whole, a page for each, and reads the traces with a row in it by their
 * ids. A trace with rows in several slices comes with each of them, whole: a row that is added to it meanwhile must not take
 * it out of sight.
 */
export class BanyanDBTraceExporter<Trace, Fragment> implements TraceExporter<Fragment> {
  readonly #kind: string;
  readonly #options: TraceReadOptions<Trace>;
  readonly #search: BanyanDBTraceSearch<Trace>;
  readonly #fragmentsOf: (trace: Trace) => readonly Fragment[];

  constructor(kind: string, options: TraceReadOptions<Trace>, fragmentsOf: (trace: Trace) => readonly Fragment[]) {
    this.#kind = kind;
    this.#options = options;
    this.#search = new BanyanDBTraceSearch(options);
    this.#fragmentsOf = fragmentsOf;
  }

  async *pages(request: ExportRequest, {signal}: Call): AsyncGenerator<ExportPage<readonly Fragment[]>> {
    const {after} = request;
    const latest = after === undefined ? EVER.end : Number(decodeResume(this.#kind, after, ['number'])[0]);
    const atOnce = {count: FIRST_AT_ONCE};
    for await (const {span, found} of this.#slices(request, latest, signal)) {
      if (found.length === 0) continue;
      const ids = [...new Set(found.map(({trace_id}) => this.#options.model.canonicalId(trace_id)))];
      const content: Fragment[] = [];
      for await (const one of this.#whole(ids, atOnce, signal)) {
        if (one.trace !== undefined && isIn(request, one.start)) content.push(...this.#fragmentsOf(one.trace));
      }
      yield {content, resume: encodeResume(this.#kind, [span.begin - 1])};
    }
  }

  /** Of rows up to `latest`, in milliseconds. The earliest row of a trace has the time of its earliest span. */
  async *#slices(
    {from, to}: ExportRequest,
    latest: number,
    signal: AbortSignal,
  ): AsyncGenerator<TimeSlice<TraceTrace>> {
    const {loader, maxSliceTraces: limit, maxScannedTraces: most} = this.#options;
    const begin = from === undefined ? EVER.begin : Math.floor(from * MS_PER_SECOND);
    const end = Math.min(latest, to === undefined ? latest : Math.ceil(to * MS_PER_SECOND) - 1);
    const ask = (span: MillisRange, asked: number): Promise<readonly TraceTrace[]> =>
      loader.between(span, EVERY, asked, signal);
    const ahead = Date.now() + AHEAD;
    for (const range of [
      {begin: Math.max(begin, ahead + 1), end},
      {begin, end: Math.min(end, ahead)},
    ]) {
      const first = range.begin > ahead ? Math.max(1, range.end - range.begin + 1) : MS_PER_MINUTE;
      yield* walkTime(ask, range, {direction: 'newest first', first, limit, most, ...PER_MILLISECOND});
    }
  }

  async *#whole(
    ids: readonly string[],
    atOnce: {count: number},
    signal: AbortSignal,
  ): AsyncGenerator<PendingTrace<Trace>> {
    for (let done = 0; done < ids.length; ) {
      const part = ids.slice(done, done + atOnce.count);
      try {
        yield* await this.#search.load(part, signal);
        done += part.length;
        atOnce.count = Math.min(atOnce.count * 4, MOST_AT_ONCE);
      } catch (error) {
        if (part.length === 1 || !isTooMuch(error)) throw error;
        atOnce.count = Math.ceil(part.length / 8);
      }
    }
  }
}

/** `start` is in microseconds, and 0 where no span has a time. */
function isIn({from, to}: ExportRequest, start: number): boolean {
  if (from === undefined && to === undefined) return true;
  if (start === 0) return false;
  return (
    (from === undefined || start >= from * MICROS_PER_SECOND) && (to === undefined || start < to * MICROS_PER_SECOND)
  );
}
