import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../../../core/api/adapter.js';
import {every} from '../../../core/toolkit/periodic.js';
import {MICROS_PER_HOUR, MICROS_PER_MS, MICROS_PER_SECOND, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {MAINTENANCE, type PostgresDatabase} from '../client/database.js';
import {lock} from '../schema/locks.js';
import {periodOf} from './periods.js';
import {type ListLimits, makeLists} from './span-lists.js';
import type {TraceTables} from './tables.js';

/** How long after a period's end most of its spans have come. */
const GRACE = 30 * MICROS_PER_SECOND;
/** Until then so many late spans may add up before a period is listed anew. */
const SETTLED = 2 * MICROS_PER_HOUR;
const BEARABLY_LATE = 250;
const PERIODS_PER_RUN = 1000;
const EVERY = 30 * MS_PER_SECOND;

/**
 * Lists the tags of periods that have ended, the latest first, each in a turn of the writers of spans and then leaving them
 * as much time. All gateways do so: what one has listed is no longer pending for the others.
 */
export class PostgresListJob {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #tables: TraceTables;
  readonly #limits: ListLimits;
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #ending = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    database: PostgresDatabase,
    schema: string,
    tables: TraceTables,
    limits: ListLimits,
    log: Logger,
    clock: () => number,
  ) {
    this.#database = database;
    this.#schema = schema;
    this.#tables = tables;
    this.#limits = limits;
    this.#log = log;
    this.#clock = clock;
  }

  begin(): void {
    this.#running = every(EVERY, this.#ending.signal, () => this.#attempt(), {first: EVERY});
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Lists everything that is due at the time of the clock. */
  async run(pause = false): Promise<void> {
    const {signal} = this.#ending;
    for (let due = PERIODS_PER_RUN; due === PERIODS_PER_RUN; ) {
      const periods = await this.#due();
      for (const period of periods) {
        if (signal.aborted) return;
        const begun = performance.now();
        await this.#list(period);
        if (pause) await sleep(performance.now() - begun, undefined, {signal});
      }
      due = periods.length;
    }
  }

  async #due(): Promise<readonly number[]> {
    const now = this.#clock() * MICROS_PER_MS;
    const rows = await this.#database.query<[number]>(
      `SELECT period FROM ${this.#tables.periods}
       WHERE pending AND period < $1 AND (NOT listed OR cardinality(late) > ${BEARABLY_LATE} OR period < $2)
       ORDER BY listed, period DESC LIMIT ${PERIODS_PER_RUN}`,
      [periodOf(now - GRACE), periodOf(now - SETTLED)],
      this.#ending.signal,
    );
    return rows.map(([period]) => period);
  }

  async #list(period: number): Promise<void> {
    const tables = this.#tables;
    await this.#database.transaction(async transaction => {
      await lock(transaction, this.#schema, tables.lock);
      const text = `SELECT FROM ${tables.periods} WHERE period = $1 AND pending`;
      const pending = await transaction.query(text, [period]);
      if (pending.length > 0) await makeLists(transaction, tables, period, this.#limits);
    }, MAINTENANCE);
  }

  async #attempt(): Promise<void> {
    try {
      await this.run(true);
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#log.warn('tags could not be listed, and will be later', {err: error});
    }
  }
}
