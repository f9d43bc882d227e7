import type {Retention as Config} from '../config.js';
import {DAYS_PER_ROW} from '../disk/cell-blob.js';
import type {Database} from '../disk/database.js';
import {MINUTES_PER_DAY, MINUTES_PER_HOUR} from '../rollup.js';
import type {KnownMetrics} from './known-metrics.js';
import {readExpiredBefore, writeExpiredBefore} from './stored-catalog.js';

const MINUTE = 60_000;
const HOUR = MINUTE * MINUTES_PER_HOUR;
const DAY = MINUTE * MINUTES_PER_DAY;
const ROWS_PER_STEP = 512;
const PAGES_PER_STEP = 64;
/** Free pages below this number wait for new rows rather than being given back. */
const FREE_PAGES_KEPT = 1024;

/**
 * Removes what is older than its retention, some rows a step, and gives the space back some pages a step.
 *
 * Minutes go by whole hours, hours by whole days, days by whole stretches of 32 days. Longer buckets are made from
 * shorter ones, so each kind is kept at least as long as the one before.
 */
export class Retention {
  readonly #database: Database;
  readonly #known: KnownMetrics;
  readonly #keep: {readonly minute: number; readonly hour: number; readonly day: number; readonly records: number};
  readonly #deletes;
  #expiredBefore: number;

  constructor(database: Database, known: KnownMetrics, config: Config) {
    this.#database = database;
    this.#known = known;
    const minute = config.minute ?? Number.POSITIVE_INFINITY;
    const hour = Math.max(minute, config.hour ?? Number.POSITIVE_INFINITY);
    const day = Math.max(hour, config.day ?? Number.POSITIVE_INFINITY);
    this.#keep = {minute, hour, day, records: config.records ?? Number.POSITIVE_INFINITY};
    const remove = (table: string, key: string) =>
      database.prepare<[number, number]>(`DELETE FROM ${table} WHERE metric = ? AND ${key} < ? LIMIT ${ROWS_PER_STEP}`);
    this.#deletes = {
      minutes: remove('minutes', 'hour'),
      hours: remove('hours', 'day'),
      days: remove('days', 'stretch'),
      records: remove('records', 'time'),
    };
    this.#expiredBefore = readExpiredBefore(database);
  }

  /** Hours before this one take no more samples: their rollups could not be made again from what is left. */
  get expiredBefore(): number {
    return this.#expiredBefore;
  }

  /** Moves the border of expired minutes forward; what lies before it is removed by `step`. */
  advance(now: number): void {
    const hour = Math.floor((now - this.#keep.minute) / HOUR);
    if (!(hour > this.#expiredBefore)) return;
    writeExpiredBefore(this.#database, hour);
    this.#expiredBefore = hour;
  }

  /** Does some work; false when nothing is due. `folded` is the oldest hour that still has hot rows. */
  step(now: number, folded: number): boolean {
    const limits = {
      minutes: Math.min(this.#expiredBefore, folded),
      hours: Math.min(Math.floor((now - this.#keep.hour) / DAY), Math.floor(folded / 24)),
      days: Math.min(Math.floor((now - this.#keep.day) / DAY / DAYS_PER_ROW), Math.floor(folded / 24 / DAYS_PER_ROW)),
      records: Math.floor((now - this.#keep.records) / 1000),
    };
    for (const [table, limit] of Object.entries(limits)) {
      if (!Number.isFinite(limit)) continue;
      for (const metric of this.#known.metrics()) {
        if (this.#deletes[table as keyof typeof limits].run(metric, limit).changes > 0) return true;
      }
    }
    return this.#giveBack();
  }

  #giveBack(): boolean {
    const free = this.#database.pragma('freelist_count', {simple: true}) as number;
    if (free <= FREE_PAGES_KEPT) return false;
    this.#database.pragma(`incremental_vacuum(${Math.min(PAGES_PER_STEP, free - FREE_PAGES_KEPT)})`);
    return true;
  }
}
