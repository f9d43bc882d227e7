import type {Retention as Config} from '../config.js';
import {DAYS_PER_ROW} from '../disk/cell-blob.js';
import type {Database} from '../disk/database.js';
import {HOURS_PER_DAY, MINUTES_PER_DAY, MINUTES_PER_HOUR} from '../rollup.js';
import type {Expired} from '../worker/protocol.js';
import type {KnownMetrics} from './known-metrics.js';
import {RecordRetention} from './record-retention.js';

const MINUTE = 60_000;
const HOUR = MINUTE * MINUTES_PER_HOUR;
const DAY = MINUTE * MINUTES_PER_DAY;
/** Keys of `meta`. */
const MINUTES_BORDER = 'minutes_expired_before';
const HOURS_BORDER = 'hours_expired_before';
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
  readonly #records: RecordRetention;
  readonly #deletes;
  #expired: Expired;

  constructor(database: Database, known: KnownMetrics, config: Config) {
    this.#database = database;
    this.#known = known;
    this.#records = new RecordRetention(database, known);
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
    };
    const border = (key: string) =>
      database.prepare<[string], number>('SELECT value FROM meta WHERE key = ?').pluck().get(key) ??
      Number.NEGATIVE_INFINITY;
    this.#expired = {minutes: border(MINUTES_BORDER), hours: border(HOURS_BORDER)};
  }

  /**
   * Hours before `minutes` take no more samples, because their rollups could not be made again from what is left. Both
   * borders are stored: they stand when the retention is lengthened later.
   */
  get expired(): Expired {
    return this.#expired;
  }

  /** Moves the borders forward; what lies before them is removed by `step`. */
  advance(now: number): void {
    const minutes = Math.floor((now - this.#keep.minute) / HOUR);
    const hours = Math.floor((now - this.#keep.hour) / DAY) * HOURS_PER_DAY;
    this.#expired = {
      minutes: this.#advance(MINUTES_BORDER, this.#expired.minutes, minutes),
      hours: this.#advance(HOURS_BORDER, this.#expired.hours, hours),
    };
  }

  #advance(key: string, border: number, hour: number): number {
    if (!(hour > border)) return border;
    this.#database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, hour);
    return hour;
  }

  /** Does some work; false when nothing is due. `folded` is the oldest hour that still has hot rows. */
  step(now: number, folded: number): boolean {
    const limits = {
      minutes: Math.min(this.#expired.minutes, folded),
      hours: Math.floor(Math.min(this.#expired.hours, folded) / HOURS_PER_DAY),
      days: Math.min(
        Math.floor((now - this.#keep.day) / DAY / DAYS_PER_ROW),
        Math.floor(folded / HOURS_PER_DAY / DAYS_PER_ROW),
      ),
    };
    for (const [table, limit] of Object.entries(limits)) {
      if (!Number.isFinite(limit)) continue;
      for (const metric of this.#known.metrics()) {
        if (this.#deletes[table as keyof typeof limits].run(metric, limit).changes > 0) return true;
      }
    }
    return this.#records.step(Math.floor((now - this.#keep.records) / 1000));
  }

  /** Gives some free space back to the file system; false when little is free. What is due to be written may use it first. */
  giveBack(): boolean {
    const free = this.#database.pragma('freelist_count', {simple: true}) as number;
    if (free <= FREE_PAGES_KEPT) return false;
    this.#database.pragma(`incremental_vacuum(${Math.min(PAGES_PER_STEP, free - FREE_PAGES_KEPT)})`);
    return true;
  }
}
