import type {Call, ExportPage, ExportRequest, TraceExporter} from '../../../core/api/adapter.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {MICROS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {decodeText} from '../client/text.js';
import {PostgresTraceLoader, type TraceRecord} from '../traces/loader.js';
import type {PostgresTraceModel} from '../traces/model.js';

/** A page ends when it has as much of either. */
const TRACES = 500;
const SPANS = 2000;

type ExportedModel<Span> = PostgresTraceModel<Span, {readonly spans: readonly Span[]}, unknown>;
type Row = [number: string, id: string, start: number | null, finish: number | null, spans: number, days: number[]];

/** Reads traces in the order in which they came, the last first: their numbers never change, so that none is missed. */
export class PostgresTraceExporter<Span> implements TraceExporter<Span> {
  readonly #model: ExportedModel<Span>;
  readonly #database: PostgresDatabase;
  readonly #loader: PostgresTraceLoader<Span, {readonly spans: readonly Span[]}, unknown>;

  constructor(model: ExportedModel<Span>, database: PostgresDatabase) {
    this.#model = model;
    this.#database = database;
    this.#loader = new PostgresTraceLoader(model, database);
  }

  async *pages(request: ExportRequest, {signal}: Call): AsyncGenerator<ExportPage<readonly Span[]>> {
    const {after} = request;
    const {name} = this.#model;
    let before = after === undefined ? '9223372036854775807' : String(decodeResume(name, after, ['string'])[0]);
    for (;;) {
      const traces = await this.#next(request, before, signal);
      if (traces.length === 0) return;
      before = traces.at(-1)?.number ?? before;
      const content = (await this.#loader.load(traces, signal)).flatMap(({spans}) => spans);
      yield {content, resume: encodeResume(name, [before])};
    }
  }

  async #next({from, to}: ExportRequest, before: string, signal: AbortSignal): Promise<readonly TraceRecord[]> {
    const parameters = new PostgresParameters();
    const conditions = [`number < ${parameters.add(before, 'bigint')}`];
    if (from !== undefined) conditions.push(`start >= ${parameters.add(from * MICROS_PER_SECOND, 'bigint')}`);
    if (to !== undefined) conditions.push(`start < ${parameters.add(to * MICROS_PER_SECOND, 'bigint')}`);
    const rows = await this.#database.query<Row>(
      `SELECT number::text, id, start::float8, finish::float8, spans, days FROM ${this.#model.tables.traces}
       WHERE ${conditions.join(' AND ')} ORDER BY number DESC LIMIT ${TRACES}`,
      parameters.values,
      signal,
    );
    const traces: TraceRecord[] = [];
    let total = 0;
    for (const [number, id, start, finish, spans, days] of rows) {
      traces.push({number, id: decodeText(id), start: start ?? 0, finish: finish ?? 0, spans, days});
      total += spans;
      if (total >= SPANS) break;
    }
    return traces;
  }
}
