import type {Call} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import type {PostgresDatabase, Transaction} from '../client/database.js';
import {lock} from '../schema/locks.js';
import {createPartition, partitionName} from '../schema/partitions.js';
import {readStore} from '../schema/store.js';
import {BatchTraces} from './batch-traces.js';
import {REST} from './hours.js';
import type {PostgresTraceModel} from './model.js';
import {noteSpans} from './periods.js';
import {type SpanRow, spanRow} from './row.js';

/** Spans of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 200_000;
/** What is written in one transaction, so that none takes long. */
const SPANS_TOGETHER = 5000;
const ROWS_PER_STATEMENT = 1000;

export interface PostgresTraceWriterOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The retention of traces, in milliseconds. */
  readonly keep: number | undefined;
  /** Told how many spans came after the retention of their trace. */
  readonly late: (spans: number) => void;
}

/**
 * Writes under a lock of the database, as the writer of metrics does, but batches that wait for their turn together: many
 * senders have small ones.
 */
export class PostgresTraceWriter<Span, Trace, Time> {
  readonly #model: PostgresTraceModel<Span, Trace, Time>;
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #options: PostgresTraceWriterOptions;
  /** Those that are known to be there. */
  readonly #partitions = new Set<string>();
  #epoch = '';
  readonly #queue = new BatchQueue<readonly Span[]>({
    storage: 'postgres',
    unit: 'spans',
    size: spans => spans.length,
    limit: QUEUE_LIMIT,
    together: SPANS_TOGETHER,
    store: batches => this.#write(batches.flat()),
  });

  constructor(
    model: PostgresTraceModel<Span, Trace, Time>,
    database: PostgresDatabase,
    schema: string,
    options: PostgresTraceWriterOptions,
  ) {
    this.#model = model;
    this.#database = database;
    this.#schema = schema;
    this.#options = options;
  }

  async write(spans: readonly Span[], call: Call): Promise<void> {
    if (spans.length === 0) return;
    call.signal.throwIfAborted();
    await this.#queue.write(spans);
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  async #write(spans: readonly Span[]): Promise<void> {
    const {tables, columns} = this.#model;
    const latest = new Map<string, SpanRow>();
    for (const span of spans) {
      const row = spanRow(this.#model, span);
      latest.set(`${row.traceId} ${row.identity}`, row);
    }
    const rows = [...latest.values()];
    const partitions = [...new Set(rows.map(({bucket}) => bucket))].filter(bucket => bucket !== REST);
    const {clock, keep = Number.POSITIVE_INFINITY, late} = this.#options;
    const spansLate = await this.#database.transaction(async transaction => {
      await lock(transaction, this.#schema, tables.lock);
      await this.#enter(transaction);
      for (const day of partitions) {
        if (!this.#partitions.has(partitionName(tables.spans, day)))
          await createPartition(transaction, tables.spans, day);
      }
      const now = clock();
      const traces = await BatchTraces.open(transaction, tables, rows, now);
      await insert(transaction, tables.spans.name, columns, traces.numbered(rows));
      await traces.close(now);
      await noteSpans(transaction, tables, withTime(rows.map(({start}) => start)), withTime(traces.removed));
      return traces.spansBefore(now - keep);
    });
    late(spansLate);
    for (const day of partitions) this.#partitions.add(partitionName(tables.spans, day));
  }

  async #enter(transaction: Transaction): Promise<void> {
    const {epoch} = await readStore(transaction);
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#partitions.clear();
  }
}

function withTime(starts: readonly (number | null)[]): readonly number[] {
  return starts.filter(start => start !== null);
}

async function insert(
  transaction: Transaction,
  table: string,
  columns: string,
  rows: readonly object[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await transaction.query(`INSERT INTO ${table} SELECT * FROM json_to_recordset($1) AS row(${columns})`, [
      JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT)),
    ]);
  }
}
