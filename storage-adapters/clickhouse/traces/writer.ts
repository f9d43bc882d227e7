import type {Call} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import {MS_PER_DAY} from '../../../core/toolkit/time.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {ClickHouseClient} from '../client/client.js';
import {ClickHouseInserter, ROWS_TOGETHER, ROWS_WAITING} from '../client/inserter.js';
import type {RateLimiter} from '../client/rate-limiter.js';
import type {RowWriter} from '../client/row-writer.js';
import {Sql, sql} from '../client/sql.js';
import type {VersionClock} from '../client/version-clock.js';
import type {ClickHouseInstruments} from '../instruments.js';
import {HourValues} from './hour-values.js';
import type {ClickHouseFragmentModel} from './model.js';
import {dayOf, type PreparedFragment, prepareFragment, spanColumns, writeFragment, writeSpans} from './row.js';

export interface ClickHouseTraceWriterOptions {
  readonly client: ClickHouseClient;
  readonly instruments: ClickHouseInstruments;
  readonly clock: VersionClock;
  readonly rate: RateLimiter;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The day before which spans come too late; -Infinity without a retention. */
  readonly firstDay: () => number;
  /** Told how many spans came too late. */
  readonly late: (spans: number) => void;
}

/** Writes fragments of one kind: first whole, by trace, then their spans, so that a search finds nothing that is not there. */
export class ClickHouseTraceWriter<Fragment> {
  readonly #model: ClickHouseFragmentModel<Fragment>;
  readonly #options: ClickHouseTraceWriterOptions;
  readonly #fragments: ClickHouseInserter;
  readonly #spans: ClickHouseInserter;
  readonly #values: ClickHouseInserter;
  readonly #queue: BatchQueue<readonly Fragment[]>;

  constructor(model: ClickHouseFragmentModel<Fragment>, options: ClickHouseTraceWriterOptions) {
    this.#model = model;
    this.#options = options;
    const {client, instruments, rate} = options;
    const fragmentColumns = sql`trace_id, identity, version, digest, day, timed, start, finish, body`;
    const valueColumns = sql`attribute, hour, value, start, rank, digest, trace_id`;
    const [fragments, spans, values] = [`${model.name}_units`, `${model.name}_spans`, `${model.name}_values`];
    this.#fragments = new ClickHouseInserter(
      client,
      instruments,
      fragments,
      sql`${new Sql(fragments)} (${fragmentColumns})`,
    );
    this.#spans = new ClickHouseInserter(client, instruments, spans, sql`${new Sql(spans)} (${spanColumns(model)})`);
    this.#values = new ClickHouseInserter(client, instruments, values, sql`${new Sql(values)} (${valueColumns})`);
    this.#queue = new BatchQueue({
      storage: 'clickhouse',
      unit: 'rows',
      limit: ROWS_WAITING,
      together: ROWS_TOGETHER,
      size: batch => batch.length,
      store: batches => this.#store(batches),
      pace: () => rate.turn(),
      queued: batches => instruments.queued.with({writer: model.name}).set(batches),
    });
  }

  async write(fragments: readonly Fragment[], call: Call): Promise<void> {
    call.signal.throwIfAborted();
    if (fragments.length > 0) await this.#queue.write(fragments);
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** They are stored, and gone with the next run of the retention. */
  #countLate(fragments: readonly PreparedFragment[]): void {
    const {firstDay, late} = this.#options;
    const cutOff = firstDay();
    const spans = fragments.reduce(
      (sum, fragment) => ((dayOf(fragment) ?? cutOff) < cutOff ? sum + fragment.spans.length : sum),
      0,
    );
    if (spans > 0) late(spans);
  }

  async #store(batches: readonly (readonly Fragment[])[]): Promise<void> {
    // Of fragments that replace each other the last one stands.
    const latest = new Map<string, PreparedFragment>();
    await forEachYielding(batches.flat(), fragment => {
      const prepared = prepareFragment(this.#model, fragment);
      latest.set(`${prepared.traceId.length}:${prepared.traceId}${prepared.identity}`, prepared);
    });
    const version = this.#options.clock.next();
    const today = Math.floor(this.#options.now() / MS_PER_DAY);
    const prepared = [...latest.values()];
    await this.#fragments.insert(
      prepared.map(fragment => (rows: RowWriter) => {
        writeFragment(rows, fragment, version, today);
        return 1;
      }),
    );
    const values = new HourValues();
    await forEachYielding(prepared, fragment => values.add(fragment));
    await Promise.all([
      this.#spans.insert(prepared.map(fragment => (rows: RowWriter) => writeSpans(rows, fragment))),
      this.#values.insert(values.writers()),
    ]);
    this.#countLate(prepared);
  }
}
