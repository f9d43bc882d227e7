import type {Counter, Labelled, Logger} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR, MS_PER_DAY, MS_PER_HOUR} from '../../../core/toolkit/time.js';
import {TRACE_MODEL_NAMES} from '../../../core/toolkit/traces/model.js';
import type {ClickHouseClient} from '../client/client.js';
import {sql} from '../client/sql.js';
import type {Retention as Config} from '../config.js';
import type {BucketRange, CutOffs} from '../metrics/buckets.js';
import type {ClickHouseCatalog} from '../metrics/catalog.js';
import {everywhere} from '../schema/cluster.js';
import {dropPartition, LOCAL, type TablePlace} from '../schema/ddl.js';
import type {StoredCutOffs} from './cut-offs.js';
import {keepBuckets} from './kept-buckets.js';

/**
 * Between the time from which on late samples are refused and the making of the hours and days that take their place:
 * writes under way are stored by then, whatever gateway they go through.
 */
const GRACE = MS_PER_HOUR;

/** How long nodes are waited for, each time that something is removed. */
const DROP_PATIENCE = 10_000;

/** The first day that is kept. */
function dayBefore(now: number, keep: number): number {
  return Math.floor((now - keep - GRACE) / MS_PER_DAY);
}

interface Partitioned {
  readonly table: string;
  /** Days in a partition. */
  readonly days: number;
}

/**
 * Removes what is older than its retention, by whole partitions. Minutes are first made into days and hours, so
 * those stay what they were. All of it may be done by several gateways at once and again: what is made from all the minutes there
 * were stands over what is made from fewer.
 */
export class ClickHouseRetentionJob {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #cutOffs: StoredCutOffs;
  readonly #place: TablePlace;
  readonly #log: Logger;
  readonly #removed: Labelled<Counter>;
  readonly #keep: {
    readonly minute: number;
    readonly hour: number;
    readonly day: number;
    readonly records: number;
    readonly traces: number;
  };

  constructor(
    client: ClickHouseClient,
    catalog: ClickHouseCatalog,
    cutOffs: StoredCutOffs,
    place: TablePlace,
    config: Config,
    {log, removed}: {readonly log: Logger; readonly removed: Labelled<Counter>},
  ) {
    this.#client = client;
    this.#catalog = catalog;
    this.#cutOffs = cutOffs;
    this.#place = place;
    this.#log = log;
    this.#removed = removed;
    // Longer buckets are made from shorter ones, so each kind is kept at least as long as the one before.
    const minute = config.minute ?? Number.POSITIVE_INFINITY;
    const hour = Math.max(minute, config.hour ?? Number.POSITIVE_INFINITY);
    const day = Math.max(hour, config.day ?? Number.POSITIVE_INFINITY);
    const {records = Number.POSITIVE_INFINITY, traces = Number.POSITIVE_INFINITY} = config;
    this.#keep = {minute, hour, day, records, traces};
  }

  /** The minute before which samples come too late at `now` (milliseconds): their hours stand in a table. */
  firstMinute(now: number): number {
    const expired = Math.floor((now - this.#keep.minute) / MS_PER_DAY) * HOURS_PER_DAY;
    return Math.max(expired, this.#cutOffs.known.hours) * MINUTES_PER_HOUR;
  }

  /** The day before which spans come too late at `now` (milliseconds): the next run removes them. */
  firstDayOfTraces(now: number): number {
    return dayBefore(now, this.#keep.traces);
  }

  /** Does everything that is due. `wait` is how long readers may still rely on the cut-offs before. */
  async run(now: number, pause: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const {minute, hour, day, records, traces} = this.#keep;
    const due = (keep: number) => dayBefore(now, keep);
    let moved = false;
    if (Number.isFinite(minute)) {
      // Days first, from the minutes as well: the hours that stay are rounded.
      moved = (await this.#makeDays(due(minute), signal)) || moved;
      moved = (await this.#makeHours(due(minute), signal)) || moved;
    }
    if (moved) await pause();
    await this.#drop({table: 'minutes', days: 1}, due(minute), signal);
    await this.#drop({table: 'hours', days: 32}, due(hour), signal);
    await this.#drop({table: 'days', days: 512}, due(day), signal);
    await this.#drop({table: 'records', days: 1}, due(records), signal);
    for (const kind of TRACE_MODEL_NAMES) {
      await this.#drop({table: `${kind}_units`, days: 1}, due(traces), signal);
      await this.#drop({table: `${kind}_spans`, days: 1}, due(traces), signal);
      await this.#drop({table: `${kind}_values`, days: 1}, due(traces), signal);
    }
  }

  /**
   * Makes the hours before `hours` and the days before `days` of the minutes that are here, so that from then on they are read
   * from the tables in which others may stand beside them. Nothing is removed.
   */
  async keepBefore(borders: CutOffs, signal: AbortSignal): Promise<void> {
    const cutOffs = await this.#cutOffs.read();
    const {days} = borders;
    const reached = Math.max(borders.hours, cutOffs.hours);
    // Nothing is known of the hours of a day that begins behind them all.
    const hours = (days - 1) * HOURS_PER_DAY >= reached ? days * HOURS_PER_DAY : reached;
    // A day of which hours are still made of minutes is made of its hours.
    const whole = Math.min(days, Math.floor(hours / HOURS_PER_DAY));
    if (whole > cutOffs.days) await this.#makeDays(whole, signal);
    if (hours > cutOffs.hours) {
      for (const hour of await this.#hoursWithMinutes({first: cutOffs.hours, end: hours}, signal)) {
        await this.#keepBuckets('hour', {first: hour, end: hour + 1}, signal);
      }
      await this.#cutOffs.move('hours', hours);
    }
  }

  /** Makes the hours of all days before `cutOff` that still have only minutes. */
  async #makeHours(cutOff: number, signal: AbortSignal): Promise<boolean> {
    const cutOffs = await this.#cutOffs.read();
    if (cutOffs.hours >= cutOff * HOURS_PER_DAY) return false;
    for (const day of await this.#daysWith('minutes', cutOff, signal)) {
      const first = day * HOURS_PER_DAY;
      const range = {first: Math.max(first, cutOffs.hours), end: first + HOURS_PER_DAY};
      if (range.first < range.end) await this.#keepBuckets('hour', range, signal);
    }
    await this.#cutOffs.move('hours', cutOff * HOURS_PER_DAY);
    return true;
  }

  async #makeDays(cutOff: number, signal: AbortSignal): Promise<boolean> {
    const cutOffs = await this.#cutOffs.read();
    if (cutOffs.days >= cutOff) return false;
    const due = new Set([
      ...(await this.#daysWith('minutes', cutOff, signal)),
      ...(await this.#daysWith('hours', cutOff, signal)),
    ]);
    for (const day of due) {
      if (day >= cutOffs.days) await this.#keepBuckets('day', {first: day, end: day + 1}, signal);
    }
    await this.#cutOffs.move('days', cutOff);
    return true;
  }

  /** Stores the hours or days of a range, of every metric. */
  async #keepBuckets(step: 'hour' | 'day', range: BucketRange, signal: AbortSignal): Promise<void> {
    const cutOffs = await this.#cutOffs.get();
    for (const metric of (await this.#catalog.readNow()).values()) {
      await keepBuckets(this.#client, metric, cutOffs, step, range, signal);
    }
  }

  async #daysWith(table: 'minutes' | 'hours', cutOff: number, signal: AbortSignal): Promise<readonly number[]> {
    const from = table === 'minutes' ? sql`minutes` : sql`hours`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), toInt32(floor(hour / 24)) AS day FROM ${from} WHERE hour < ${cutOff * HOURS_PER_DAY} GROUP BY day ORDER BY day`,
      row => row.int32(),
      signal,
    );
  }

  #hoursWithMinutes({first, end}: BucketRange, signal: AbortSignal): Promise<readonly number[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), hour FROM minutes WHERE hour >= ${first} AND hour < ${end} GROUP BY hour ORDER BY hour`,
      row => row.int32(),
      signal,
    );
  }

  /** The end of the newest day that has minutes, in milliseconds; undefined without any. */
  async newestDay(signal: AbortSignal): Promise<number | undefined> {
    const partitions = await this.#partitions('minutes', signal);
    return partitions.length === 0 ? undefined : ((partitions.at(-1)?.days ?? 0) + 1) * MS_PER_DAY;
  }

  /** Removes the partitions whose days are all before `cutOff`. */
  async #drop({table, days}: Partitioned, cutOff: number, signal: AbortSignal): Promise<void> {
    if (!Number.isFinite(cutOff)) return;
    for (const {days: partition, rows, bytes} of await this.#partitions(table, signal)) {
      const before = (partition + 1) * days;
      if (before > cutOff) continue;
      const end = new Date(before * MS_PER_DAY).toISOString();
      this.#log.info('removing what is older than its retention', {table, partition, rows, bytes, before: end});
      const statement = dropPartition(table, partition, this.#place);
      const silent = await everywhere(this.#client, statement, this.#place, {patience: DROP_PATIENCE, signal});
      if (silent.length > 0) this.#log.warn('nodes that do not answer remove old data when they are back', {silent});
      this.#removed.with({table}).add(rows);
    }
  }

  /** Those of a table that are numbered by days, oldest first, with the rows and bytes of all nodes. */
  async #partitions(
    table: string,
    signal: AbortSignal,
  ): Promise<readonly {readonly days: number; readonly rows: number; readonly bytes: number}[]> {
    const {cluster, database} = this.#place;
    const local = cluster === undefined ? table : table + LOCAL;
    const parts = cluster === undefined ? sql`system.parts` : sql`cluster(${cluster}, system, parts)`;
    const found = await this.#client.rows(
      sql`SELECT toUInt8(1), partition, toInt64(sum(rows)), toInt64(sum(bytes_on_disk)) FROM ${parts}
        WHERE database = ${database} AND table = ${local} AND active = 1 GROUP BY partition`,
      row => ({days: Number(row.string()), rows: row.int64(), bytes: row.int64()}),
      signal,
    );
    return found.filter(({days}) => Number.isInteger(days)).sort((a, b) => a.days - b.days);
  }
}
