import {compareNames, type OtlpSearchRequest} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MICROS_PER_HOUR, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {dayRange, hourOf} from './hours.js';
import type {PostgresTraceLoader, TraceRecord} from './loader.js';
import {MatchingSpans} from './matching-spans.js';
import type {PostgresTraceModel} from './model.js';
import {PERIODS_PER_HOUR, periodOf} from './periods.js';
import {exactConditions, indexCondition} from './span-conditions.js';

/** The first slice of time that is looked at; it grows while little is found, up to a day. */
const FIRST_SLICE = MICROS_PER_HOUR / MINUTES_PER_HOUR;
const LAST_SLICE = MICROS_PER_HOUR * HOURS_PER_DAY;
const GROWTH = 4;
/** A slice with fewer traces than this makes the next one longer, one with more makes it shorter. */
const ENOUGH = 20;
const PLENTY = 2000;
/** What is loaded at once: so many traces, or fewer that have so many spans together. */
const TRACES_PER_PAGE = 20;
const SPANS_PER_PAGE = 5000;

/**
 * A search under way: it goes through time in slices, from the latest back. A trace starts no later than any of its
 * spans: so once every matching span that starts at `time` or later has been seen, the traces among them that start at
 * `time` or later are complete and in order, and can be handed out.
 */
export class PostgresTraceSearch<Span, Trace, Time> {
  readonly #model: PostgresTraceModel<Span, Trace, Time>;
  readonly #database: PostgresDatabase;
  readonly #loader: PostgresTraceLoader<Span, Trace, Time>;
  readonly #request: OtlpSearchRequest;
  readonly #signal: AbortSignal;
  /** Where no more is wanted of a trace than what matches. */
  readonly #matches: MatchingSpans<Span, Trace, Time> | undefined;
  readonly #seen = new Set<string>();
  /** Found and not handed out yet, in the order in which they are. */
  #ready: TraceRecord[] = [];

  constructor(
    model: PostgresTraceModel<Span, Trace, Time>,
    database: PostgresDatabase,
    loader: PostgresTraceLoader<Span, Trace, Time>,
    request: OtlpSearchRequest,
    signal: AbortSignal,
  ) {
    this.#model = model;
    this.#database = database;
    this.#loader = loader;
    this.#request = request;
    this.#signal = signal;
    this.#matches = request.matching === true ? new MatchingSpans(model, database, request.filter) : undefined;
  }

  async *run(): AsyncGenerator<Trace> {
    const {from, to} = this.#request;
    const hours = await this.#hours();
    let slice = FIRST_SLICE;
    let end = to;
    while (end > from) {
      const newest = hours.find(hour => hour * MICROS_PER_HOUR < end);
      if (newest === undefined) break;
      end = Math.min(end, (newest + 1) * MICROS_PER_HOUR);
      const begin = Math.max(from, end - slice);
      const found = await this.#find(begin, end, hours);
      yield* this.#handOut(begin);
      end = begin;
      if (found < ENOUGH) slice = Math.min(slice * GROWTH, LAST_SLICE);
      else if (found > PLENTY) slice = Math.max(Math.ceil(slice / GROWTH), 1);
    }
    yield* this.#handOut(Number.NEGATIVE_INFINITY);
  }

  /** The hours of the window that have spans, latest first. */
  async #hours(): Promise<readonly number[]> {
    const rows = await this.#database.query<[number]>(
      `SELECT DISTINCT floor(period / ${PERIODS_PER_HOUR}.0)::int AS hour FROM ${this.#model.tables.periods}
       WHERE period >= $1::float8 AND period <= $2::float8 ORDER BY hour DESC`,
      [periodOf(this.#request.from), periodOf(this.#request.to)],
      this.#signal,
    );
    return rows.map(([hour]) => hour);
  }

  /** Notes the traces with a matching span from `begin` on and before `end`; gives their number. */
  async #find(begin: number, end: number, hours: readonly number[]): Promise<number> {
    const {filter, traceDuration: {min = 0, max = Number.POSITIVE_INFINITY} = {}} = this.#request;
    const {tables, storedText} = this.#model;
    const parameters = new PostgresParameters();
    const first = hourOf(begin);
    const last = hourOf(end - 1);
    const within = hours.filter(hour => hour >= first && hour <= last);
    const conditions = [
      `(${dayRange(first, last)})`,
      `start >= ${parameters.add(begin, 'bigint')} AND start < ${parameters.add(end, 'bigint')}`,
      indexCondition(filter, within, parameters) ?? 'true',
      ...exactConditions(filter, parameters, storedText),
    ];
    const rows = await this.#database.query<[string, string, number, number, number, number[]]>(
      `SELECT t.number::text, t.id, t.start::float8, t.finish::float8, t.spans, t.days
       FROM (SELECT DISTINCT trace FROM ${tables.spans.name} WHERE ${conditions.join(' AND ')}) s
         JOIN ${tables.traces} t ON t.number = s.trace
       WHERE (t.finish - t.start)::float8 BETWEEN ${parameters.add(min, 'float8')} AND ${parameters.add(max, 'float8')}`,
      parameters.values,
      this.#signal,
    );
    for (const [number, id, start, finish, spans, days] of rows) {
      if (this.#seen.has(number)) continue;
      this.#seen.add(number);
      this.#ready.push({number, id, start, finish, spans, days});
    }
    this.#ready.sort((a, b) => b.start - a.start || compareNames(a.id, b.id));
    return rows.length;
  }

  async *#handOut(from: number): AsyncGenerator<Trace> {
    for (;;) {
      const [next] = this.#ready;
      if (next === undefined || next.start < from) return;
      if (this.#matches?.suits(next)) {
        this.#ready.shift();
        const trace = await this.#matches.load(next, this.#signal);
        if (trace !== undefined) yield trace;
        continue;
      }
      const page = this.#page(from);
      this.#ready = this.#ready.slice(page.length);
      yield* await this.#loader.load(page, this.#signal);
    }
  }

  /** The traces to be read whole that come next. */
  #page(from: number): readonly TraceRecord[] {
    let spans = 0;
    const page: TraceRecord[] = [];
    for (const stored of this.#ready) {
      if (stored.start < from || page.length === TRACES_PER_PAGE || this.#matches?.suits(stored)) break;
      spans += stored.spans;
      if (spans > SPANS_PER_PAGE && page.length > 0) break;
      page.push(stored);
    }
    return page;
  }
}
