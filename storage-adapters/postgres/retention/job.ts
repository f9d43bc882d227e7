import type {Logger} from '../../../core/api/adapter.js';
import {every} from '../../../core/toolkit/periodic.js';
import {RetentionClock, type TimeSource} from '../../../core/toolkit/retention-clock.js';
import {MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import type {PostgresConfig} from '../config.js';
import type {PostgresInstruments} from '../instruments.js';
import {ALL_TRACE_TABLES} from '../traces/tables.js';
import {PostgresKeptClock} from './kept-clock.js';
import {bringCutoffBack, expireMetrics, expireRecords, refuseExpired} from './metric-retention.js';
import {expireTraces} from './trace-retention.js';

const FIRST_AFTER = MS_PER_MINUTE;
const EVERY = 10 * MS_PER_MINUTE;

/**
 * Removes what has expired, from time to time. Each step is a transaction under the lock of the writers that it concerns,
 * so it does not matter how many gateways do the same.
 */
export class PostgresRetentionJob {
  readonly #database: PostgresDatabase;
  readonly #config: PostgresConfig;
  readonly #instruments: PostgresInstruments;
  readonly #log: Logger;
  readonly #time: TimeSource;
  readonly #clock: RetentionClock;
  readonly #kept: PostgresKeptClock;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    database: PostgresDatabase,
    config: PostgresConfig,
    instruments: PostgresInstruments,
    log: Logger,
    time: TimeSource,
  ) {
    this.#database = database;
    this.#config = config;
    this.#instruments = instruments;
    this.#log = log;
    this.#time = time;
    this.#clock = new RetentionClock(time, log);
    this.#kept = new PostgresKeptClock(database);
  }

  /** From here on what has expired is refused; what is there is removed later. */
  async begin(): Promise<void> {
    const {schema, retention = {}} = this.#config;
    if (!this.#expires) return;
    const {state, newest} = await this.#kept.read();
    this.#clock.restore(state, newest);
    const now = this.#clock.now();
    if (await bringCutoffBack(this.#database, schema, now)) {
      this.#log.warn('a retention cut-off that lay in the future was brought back to the newest values');
    }
    await refuseExpired(this.#database, schema, retention, now);
    await this.#kept.write(this.#clock.state);
    this.#running = every(EVERY, this.#ending.signal, () => this.#attempt(), {first: FIRST_AFTER});
  }

  /** The time that retention goes by. */
  get now(): number {
    return this.#expires ? this.#clock.now() : this.#time.wall();
  }

  /** Why that is another one than the clock says. */
  get doubt(): string | undefined {
    return this.#clock.doubt;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Removes everything that has expired at the time of the clock. */
  async run(): Promise<void> {
    const {schema, retention = {}} = this.#config;
    const {now} = this;
    const dropped = [
      ...(await expireMetrics(this.#database, schema, retention, now)),
      ...(await expireRecords(this.#database, schema, retention.records, now)),
    ];
    for (const tables of ALL_TRACE_TABLES) {
      dropped.push(...(await expireTraces(this.#database, schema, tables, retention.traces, now)));
    }
    for (const partition of dropped) this.#instruments.droppedPartition(partition);
    if (this.#expires) await this.#kept.write(this.#clock.state);
  }

  get #expires(): boolean {
    return Object.keys(this.#config.retention ?? {}).length > 0;
  }

  async #attempt(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#log.warn('what has expired could not be removed, and will be later', {err: error});
    }
  }
}
