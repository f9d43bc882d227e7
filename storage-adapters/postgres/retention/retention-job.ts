import type {Logger} from '../../../core/api/adapter.js';
import type {Database} from '../client/database.js';
import type {PostgresConfig} from '../config.js';
import type {Instruments} from '../instruments.js';
import {expireMetrics, expireRecords, refuseExpired} from './metric-retention.js';
import {expireTraces} from './trace-retention.js';

const MINUTE = 60_000;
const FIRST_AFTER = MINUTE;
const EVERY = 10 * MINUTE;

/**
 * Removes what has expired, from time to time. Each step is a transaction under the lock of the writers that it concerns,
 * so it does not matter how many gateways do the same.
 */
export class RetentionJob {
  readonly #database: Database;
  readonly #config: PostgresConfig;
  readonly #instruments: Instruments;
  readonly #log: Logger;
  readonly #clock: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database, config: PostgresConfig, instruments: Instruments, log: Logger, clock: () => number) {
    this.#database = database;
    this.#config = config;
    this.#instruments = instruments;
    this.#log = log;
    this.#clock = clock;
  }

  /** From here on what has expired is refused; what is there is removed later. */
  async begin(): Promise<void> {
    const {schema, retention = {}} = this.#config;
    await refuseExpired(this.#database, schema, retention, this.#clock());
    if (Object.keys(retention).length > 0) this.#schedule(FIRST_AFTER);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running.catch(() => undefined);
    clearTimeout(this.#timer);
  }

  /** Removes everything that has expired at the time of the clock. */
  async run(): Promise<void> {
    const {schema, retention = {}} = this.#config;
    const now = this.#clock();
    const dropped = [
      ...(await expireMetrics(this.#database, schema, retention, now)),
      ...(await expireRecords(this.#database, schema, retention.records, now)),
      ...(await expireTraces(this.#database, schema, retention.traces, now)),
    ];
    for (const name of dropped) this.#instruments.droppedPartition(name);
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.run()
        .catch(problem => this.#log.warn('what has expired could not be removed, and will be later', {err: problem}))
        .finally(() => this.#schedule(EVERY));
    }, delay);
    this.#timer.unref();
  }
}
