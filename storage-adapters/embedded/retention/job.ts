import type {Retention} from '../../../core/toolkit/retention.js';
import {
  HOURS_PER_DAY,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_SECOND,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
} from '../../../core/toolkit/time.js';
import type {Database} from '../disk/database.js';
import type {KnownMetrics} from '../metrics/tables/known-metrics.js';
import {NewestReader} from '../metrics/tables/newest-reader.js';
import type {KeptBorders, Removed, RemovedKind, RetentionCutOffs} from '../threads/writer-protocol.js';
import {DayRetention} from './days.js';
import {RecordRetention} from './records.js';

/** Keys of `meta`. */
const MINUTES_CUT_OFF = 'minutes_expired_before';
const HOURS_CUT_OFF = 'hours_expired_before';
const MINUTES_KEPT = 'minutes_kept_before';
const DAYS_KEPT = 'days_kept_before';
const ROWS_PER_STEP = 512;
const PAGES_PER_STEP = 64;
/** Free pages below this number wait for new rows rather than being given back. */
const FREE_PAGES_KEPT = 256;

/** Of each table: the bucket that its rows begin with, and how many seconds one takes. */
const TABLES = {
  minutes: {bucket: 'hour', seconds: SECONDS_PER_HOUR},
  hours: {bucket: 'day', seconds: SECONDS_PER_DAY},
} as const;
type TableName = keyof typeof TABLES;

/** The hours before which each has expired. */
type Expired = Readonly<Record<TableName, number>>;

/**
 * Removes what is older than its retention, some rows a step, and gives the space back some pages a step.
 *
 * Minutes go by whole hours, hours and days by whole days. Longer buckets are made from shorter ones, so each kind is
 * kept at least as long as the one before.
 */
export class EmbeddedRetentionJob {
  readonly #database: Database;
  readonly #known: KnownMetrics;
  readonly #keep: {readonly minute: number; readonly hour: number; readonly day: number; readonly records: number};
  readonly #days: DayRetention;
  readonly #records: RecordRetention;
  readonly #newest;
  readonly #deletes;
  readonly #removedRows = new Map<RemovedKind, {rows: number; before: number}>();
  /** What has been removed; stored. */
  #removed: Expired;
  /** What was taken back without its minutes, or its hours; stored. */
  #kept: KeptBorders;
  /** What is older than its retention. */
  #old: Expired = {minutes: Number.NEGATIVE_INFINITY, hours: Number.NEGATIVE_INFINITY};

  constructor(database: Database, known: KnownMetrics, config: Retention) {
    this.#database = database;
    this.#known = known;
    this.#days = new DayRetention(database, known);
    this.#records = new RecordRetention(database, known);
    const minute = config.minute ?? Number.POSITIVE_INFINITY;
    const hour = Math.max(minute, config.hour ?? Number.POSITIVE_INFINITY);
    const day = Math.max(hour, config.day ?? Number.POSITIVE_INFINITY);
    this.#keep = {minute, hour, day, records: config.records ?? Number.POSITIVE_INFINITY};
    const each = <Statement>(make: (table: TableName, bucket: string) => Statement) => ({
      minutes: make('minutes', TABLES.minutes.bucket),
      hours: make('hours', TABLES.hours.bucket),
    });
    this.#newest = each((table, bucket) =>
      database
        .prepare<[number, number], number | null>(
          `SELECT max(${bucket}) FROM ${table} WHERE metric = ? AND ${bucket} < ?`,
        )
        .pluck(),
    );
    this.#deletes = each((table, bucket) =>
      database.prepare<[number, number]>(
        `DELETE FROM ${table} WHERE metric = ? AND ${bucket} < ? LIMIT ${ROWS_PER_STEP}`,
      ),
    );
    const cutOff = (key: string) =>
      database.prepare<[string], number>('SELECT value FROM meta WHERE key = ?').pluck().get(key) ??
      Number.NEGATIVE_INFINITY;
    this.#removed = {minutes: cutOff(MINUTES_CUT_OFF), hours: cutOff(HOURS_CUT_OFF)};
    this.#kept = {minutes: cutOff(MINUTES_KEPT), days: cutOff(DAYS_KEPT)};
  }

  /**
   * Hours before `minutes` take no more samples: they are older than the retention, or minutes of theirs are gone, so
   * that their rollups could not be made again. The latter stands when the retention is lengthened later, or the clock
   * goes back.
   */
  get cutOffs(): RetentionCutOffs {
    const {minutes, hours} = this.#expired;
    return {minutes: Math.max(minutes, this.#kept.minutes), hours, daysAlone: Math.max(hours, this.#kept.days)};
  }

  /** Takes no more samples of before `minutes`. Nothing is removed for that. */
  keep({minutes, days}: KeptBorders): void {
    this.#kept = {minutes: Math.max(minutes, this.#kept.minutes), days: Math.max(days, this.#kept.days)};
    const put = this.#database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    if (Number.isFinite(this.#kept.minutes)) put.run(MINUTES_KEPT, this.#kept.minutes);
    if (Number.isFinite(this.#kept.days)) put.run(DAYS_KEPT, this.#kept.days);
  }

  get #expired(): Expired {
    return {
      minutes: Math.max(this.#old.minutes, this.#removed.minutes),
      hours: Math.max(this.#old.hours, this.#removed.hours),
    };
  }

  /** Moves the cut-offs to what is old at `now`; what lies before them is removed by `step`. */
  advance(now: number): void {
    this.#bringBack(now);
    this.#old = {
      minutes: Math.floor((now - this.#keep.minute) / MS_PER_HOUR),
      hours: Math.floor((now - this.#keep.hour) / MS_PER_DAY) * HOURS_PER_DAY,
    };
  }

  /** What was removed since it was last asked. */
  takeRemoved(): readonly Removed[] {
    const removed = [...this.#removedRows].map(([kind, rest]): Removed => ({kind, ...rest}));
    this.#removedRows.clear();
    return removed;
  }

  /** Does some work; false when nothing is due. `unmerged` is the oldest hour that still has unmerged rows. */
  step(now: number, unmerged: number): boolean {
    const limits = {
      minutes: Math.min(this.#expired.minutes, unmerged),
      hours: Math.floor(Math.min(this.#expired.hours, unmerged) / HOURS_PER_DAY),
    };
    for (const table of ['minutes', 'hours'] as const) {
      if (!Number.isFinite(limits[table])) continue;
      for (const metric of this.#known.metrics()) if (this.#remove(table, metric, limits[table])) return true;
    }
    const firstDay = Math.min(Math.floor((now - this.#keep.day) / MS_PER_DAY), Math.floor(unmerged / HOURS_PER_DAY));
    const isDayDue = this.#days.step(firstDay);
    this.#count('days', this.#days.takeRemoved(), firstDay * SECONDS_PER_DAY);
    if (isDayDue) return true;
    const cutOff = Math.floor((now - this.#keep.records) / MS_PER_SECOND);
    const isDue = this.#records.step(cutOff);
    this.#count('records', this.#records.takeRemoved(), cutOff);
    return isDue;
  }

  /**
   * Gives some free space back to the file system; false when little is free. What is due to be written may use it
   * first.
   */
  giveBack(): boolean {
    const free = this.#database.pragma('freelist_count', {simple: true}) as number;
    if (free <= FREE_PAGES_KEPT) return false;
    this.#database.pragma(`incremental_vacuum(${Math.min(PAGES_PER_STEP, free - FREE_PAGES_KEPT)})`);
    return true;
  }

  /** Removes some rows of before `limit`; false when there are none. The cut-off moves no further than what was there. */
  #remove(table: TableName, metric: number, limit: number): boolean {
    const newest = this.#newest[table].get(metric, limit);
    if (newest === undefined || newest === null) return false;
    this.#database.transaction(() => {
      if (table === 'minutes') this.#store({...this.#removed, minutes: Math.max(this.#removed.minutes, newest + 1)});
      const hours = (newest + 1) * HOURS_PER_DAY;
      if (table === 'hours') this.#store({...this.#removed, hours: Math.max(this.#removed.hours, hours)});
      this.#count(table, this.#deletes[table].run(metric, limit).changes, limit * TABLES[table].seconds);
    })();
    return true;
  }

  #count(kind: RemovedKind, rows: number, before: number): void {
    if (rows > 0) this.#removedRows.set(kind, {rows: (this.#removedRows.get(kind)?.rows ?? 0) + rows, before});
  }

  #store(removed: Expired): void {
    if (removed.minutes === this.#removed.minutes && removed.hours === this.#removed.hours) return;
    this.#removed = removed;
    const put = this.#database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    if (Number.isFinite(removed.minutes)) put.run(MINUTES_CUT_OFF, removed.minutes);
    if (Number.isFinite(removed.hours)) put.run(HOURS_CUT_OFF, removed.hours);
  }

  /**
   * A cut-off in the future was set by a clock that was wrong, and every sample would be refused until then. What it stands
   * for are hours that have values, so it comes back to the end of those.
   */
  #bringBack(now: number): void {
    const present = Math.floor(now / MS_PER_HOUR) + 1;
    if (this.#removed.minutes <= present) return;
    const newest = new NewestReader(this.#database).hourBefore(present, 'hour');
    const minutes = newest === null ? Number.NEGATIVE_INFINITY : newest + 1;
    this.#database.prepare('DELETE FROM meta WHERE key IN (?, ?)').run(MINUTES_CUT_OFF, HOURS_CUT_OFF);
    this.#removed = {minutes: Number.NEGATIVE_INFINITY, hours: Number.NEGATIVE_INFINITY};
    this.#store({minutes, hours: Math.min(this.#removed.hours, minutes)});
  }
}
