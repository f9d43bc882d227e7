import {MICROS_PER_HOUR, MICROS_PER_MS} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';
import {daysIn, hourOf} from './hours.js';
import type {SpanRow} from './row.js';
import type {TraceTables} from './tables.js';

/** A trace while a batch changes it. */
interface OpenTrace {
  number: string;
  start: number | null;
  finish: number | null;
  spans: number;
  readonly days: Set<number>;
  /** The hour in which it was last heard of; its retention counts from here. */
  latestHour: number;
}

type TraceRow = [id: string, number: string, days: number[]];
type NumberedTrace = [id: string, number: string, latestHour: number];
type RemovedSpan = [trace: string, start: number | null];

/** The rows of the traces that the spans of a batch belong to. */
export class BatchTraces {
  readonly #transaction: Transaction;
  readonly #tables: TraceTables;
  readonly #traces: ReadonlyMap<string, OpenTrace>;
  readonly #removed: readonly RemovedSpan[];

  private constructor(
    transaction: Transaction,
    tables: TraceTables,
    traces: ReadonlyMap<string, OpenTrace>,
    removed: readonly RemovedSpan[],
  ) {
    this.#transaction = transaction;
    this.#tables = tables;
    this.#traces = traces;
    this.#removed = removed;
  }

  /** When the spans that come anew had started. */
  get removed(): readonly (number | null)[] {
    return this.#removed.map(([, start]) => start);
  }

  /** Finds or makes the traces, and removes the spans of theirs that come anew. `now` dates those without a time. */
  static async open(
    transaction: Transaction,
    tables: TraceTables,
    rows: readonly SpanRow[],
    now: number,
  ): Promise<BatchTraces> {
    const traces = new Map<string, OpenTrace>();
    for (const row of rows) add(traces, row, now);
    const known = await transaction.query<TraceRow>(
      `SELECT id, number::text, days FROM ${tables.traces} WHERE id = ANY($1)`,
      [[...traces.keys()]],
    );
    const removed = known.length === 0 ? [] : await removeReplaced(transaction, tables, rows, known);
    const unnumbered = await upsert(transaction, tables, traces);
    for (const [id, number, latestHour] of unnumbered) {
      const trace = traces.get(id);
      if (trace === undefined) continue;
      trace.number = number;
      trace.latestHour = latestHour;
    }
    return new BatchTraces(transaction, tables, traces, removed);
  }

  /** How many spans of the batch belong to traces that were last heard of in an hour before that of `time` (milliseconds). */
  spansBefore(time: number): number {
    const hour = hourOf(time * MICROS_PER_MS);
    return [...this.#traces.values()].reduce((sum, {spans, latestHour}) => (latestHour < hour ? sum + spans : sum), 0);
  }

  numbered(rows: readonly SpanRow[]): object[] {
    return rows.map(({traceId, ...row}) => ({...row, trace: this.#traces.get(traceId)?.number}));
  }

  /**
   * Looks up the bounds of the traces whose spans were replaced, now that all spans are there. `now` dates those that no
   * longer have a span with a time.
   */
  async close(now: number): Promise<void> {
    if (this.#removed.length === 0) return;
    const {traces, spans, finish} = this.#tables;
    await this.#transaction.query(
      `UPDATE ${traces} t SET start = b.start, finish = b.finish, spans = b.spans, days = b.days,
         latest_hour = CASE WHEN b.finish IS NOT NULL THEN floor(b.finish / ${MICROS_PER_HOUR}.0)::int
           WHEN t.finish IS NULL THEN t.latest_hour ELSE $2 END
       FROM (
         SELECT t.number, min(s.start) AS start, max(${finish}) AS finish,
           count(*)::int AS spans, array_agg(DISTINCT s.bucket) AS days
         FROM ${traces} t JOIN ${spans.name} s ON s.trace = t.number AND s.bucket = ANY(t.days)
         WHERE t.number = ANY($1::bigint[]) GROUP BY t.number
       ) b
       WHERE t.number = b.number`,
      [[...new Set(this.#removed.map(([trace]) => trace))], hourOf(now * MICROS_PER_MS)],
    );
  }
}

function add(traces: Map<string, OpenTrace>, {traceId, bucket, start, finish}: SpanRow, now: number): void {
  let trace = traces.get(traceId);
  if (trace === undefined) {
    trace = {number: '', start: null, finish: null, spans: 0, days: new Set(), latestHour: Number.NEGATIVE_INFINITY};
    traces.set(traceId, trace);
  }
  trace.spans++;
  trace.days.add(bucket);
  if (start === null || finish === null) {
    if (trace.finish === null) trace.latestHour = hourOf(now * MICROS_PER_MS);
    return;
  }
  trace.start = Math.min(trace.start ?? start, start);
  trace.finish = Math.max(trace.finish ?? finish, finish);
  trace.latestHour = hourOf(trace.finish);
}

async function removeReplaced(
  transaction: Transaction,
  {spans}: TraceTables,
  rows: readonly SpanRow[],
  known: readonly TraceRow[],
): Promise<readonly RemovedSpan[]> {
  const numbers = new Map(known.map(([id, number]) => [id, number]));
  const days = known.flatMap(([, , days]) => days);
  const again = rows.filter(({traceId}) => numbers.has(traceId));
  // The partitions are named by a constant, so that the others are not looked at.
  return transaction.query<RemovedSpan>(
    `DELETE FROM ${spans.name} s USING unnest($1::bigint[], $2::uuid[]) AS a (trace, identity)
     WHERE s.${daysIn(days)} AND s.trace = a.trace AND s.identity = a.identity
     RETURNING s.trace::text, s.start::float8`,
    [again.map(({traceId}) => numbers.get(traceId)), again.map(({identity}) => identity)],
  );
}

function upsert(
  transaction: Transaction,
  tables: TraceTables,
  traces: ReadonlyMap<string, OpenTrace>,
): Promise<NumberedTrace[]> {
  const rows = [...traces].map(([id, {start, finish, spans, days, latestHour}]) => ({
    id,
    start,
    finish,
    spans,
    days: [...days],
    latest_hour: latestHour,
  }));
  return transaction.query<NumberedTrace>(
    `INSERT INTO ${tables.traces} AS t (id, start, finish, spans, days, latest_hour)
     SELECT id, start, finish, spans, days, latest_hour
     FROM json_to_recordset($1) AS row(id text, start bigint, finish bigint, spans int, days int[], latest_hour int)
     ON CONFLICT (id) DO UPDATE SET
       start = least(t.start, excluded.start), finish = greatest(t.finish, excluded.finish),
       spans = t.spans + excluded.spans,
       days = (SELECT array_agg(DISTINCT d) FROM unnest(t.days || excluded.days) d),
       latest_hour = CASE WHEN excluded.finish IS NULL AND t.finish IS NOT NULL THEN t.latest_hour
         WHEN excluded.finish IS NOT NULL AND t.finish IS NULL THEN excluded.latest_hour
         ELSE greatest(t.latest_hour, excluded.latest_hour) END
     RETURNING id, number::text, latest_hour`,
    [JSON.stringify(rows)],
  );
}
