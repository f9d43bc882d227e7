import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {PostgresDatabase} from '../client/database.js';
import {daysIn} from './hours.js';
import type {PostgresTraceModel} from './model.js';

export const ROWS_PER_READ = 500;

/** What the row of a trace says. */
export interface TraceRecord {
  readonly number: string;
  readonly id: string;
  readonly start: number;
  readonly finish: number;
  readonly spans: number;
  /** The partitions that its spans lie in. */
  readonly days: readonly number[];
}

type SpanColumns = [trace: string, ...body: unknown[]];

/** Reads whole traces, some rows at a time, so that a large one neither fills the memory nor holds up the others. */
export class PostgresTraceLoader<Span, Trace, Time> {
  readonly #model: PostgresTraceModel<Span, Trace, Time>;
  readonly #database: PostgresDatabase;

  constructor(model: PostgresTraceModel<Span, Trace, Time>, database: PostgresDatabase) {
    this.#model = model;
    this.#database = database;
  }

  async byId(id: string, signal: AbortSignal): Promise<Trace | undefined> {
    const [found] = await this.#database.query<[string, number, number[]]>(
      `SELECT number::text, spans, days FROM ${this.#model.tables.traces} WHERE id = $1`,
      [id],
      signal,
    );
    if (found === undefined) return undefined;
    const [number, spans, days] = found;
    const [trace] = await this.load([{number, id, start: 0, finish: 0, spans, days}], signal);
    return trace;
  }

  /** The traces in the order given, without those that have gone meanwhile. */
  async load(traces: readonly TraceRecord[], signal: AbortSignal): Promise<readonly Trace[]> {
    const model = this.#model;
    const found = new Map<string, {readonly traceId: string; readonly spans: Span[]}>();
    for (const {number, id} of traces) found.set(number, {traceId: id, spans: []});
    const text = `SELECT trace::text, ${model.body} FROM ${model.tables.spans.name}
      WHERE ${daysIn(traces.flatMap(({days}) => days))} AND trace = ANY($1::bigint[])`;
    const values = [traces.map(({number}) => number)];
    // Few are read with one exchange of messages, where a stream takes three.
    const isSmall = traces.reduce((sum, {spans}) => sum + spans, 0) <= ROWS_PER_READ;
    const pages = isSmall
      ? [await this.#database.query<SpanColumns>(text, values, signal)]
      : this.#database.pages<SpanColumns>(text, values, ROWS_PER_READ, signal);
    const take = ([number, ...body]: SpanColumns): void => {
      const trace = found.get(number);
      trace?.spans.push(model.decode(trace.traceId, body));
    };
    for await (const rows of pages) await forEachYielding(rows, take, {signal});
    const there = [...found.values()].filter(({spans}) => spans.length > 0);
    return there.map(({traceId, spans}) => model.trace(traceId, spans));
  }
}
