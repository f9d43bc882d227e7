import type {Rollup, RollupHistory} from '../../../../core/api/adapter.js';
import {rollupAt} from '../../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_DAY, MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import {Accumulator, NO_REMAINDER} from '../../values/accumulator.js';
import {DAYS_PER_ROW, decodePartials, type Remainders} from '../../values/partial-blob.js';
import {bounds, type HourReader, isFew, skipTo} from './hour-reader.js';

/** Partials of several series, row by row: `width` buckets for each. */
export class Partials {
  readonly values: Float64Array;
  readonly counts: Uint16Array;
  /** By index, for the partial aggregates that have one. */
  readonly remainders: Remainders = new Map();

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.counts = new Uint16Array(size);
  }

  set(index: number, {value, count, remainder}: Accumulator): void {
    this.values[index] = value;
    this.counts[index] = count;
    if (remainder.length > 0) this.remainders.set(index, remainder);
    else this.remainders.delete(index);
  }

  addTo(accumulator: Accumulator, index: number): void {
    const count = this.counts[index] as number;
    if (count === 0) return;
    accumulator.addPartial(this.values[index] as number, count, this.remainders.get(index) ?? NO_REMAINDER);
  }
}

/**
 * Reads the partial aggregates of hours and days. Those of buckets that have unmerged minutes are made from the
 * minutes, because compaction has not brought them up to date yet.
 */
export class PartialReader {
  readonly #hours: HourReader;
  readonly #tables;
  readonly #accumulator = new Accumulator();

  constructor(database: Database, hours: HourReader) {
    this.#hours = hours;
    const statements = (table: string, key: string) => ({
      one: database
        .prepare<[number, number, number], Buffer>(
          `SELECT data FROM ${table} WHERE metric = ? AND ${key} = ? AND series = ?`,
        )
        .pluck(),
      range: database
        .prepare<[number, number, number, number], [number, Buffer]>(
          `SELECT series, data FROM ${table} WHERE metric = ? AND ${key} = ? AND series BETWEEN ? AND ?`,
        )
        .raw(),
    });
    this.#tables = {hours: statements('hours', 'day'), days: statements('days', 'stretch')};
  }

  /** The 24 hours of a day; only hours of [from, to) need be right. */
  hoursOf(
    metric: number,
    day: number,
    series: Int32Array,
    rollups: RollupHistory,
    from = 0,
    to = HOURS_PER_DAY,
  ): Partials {
    const partials = this.#read('hours', metric, day, series, HOURS_PER_DAY);
    const first = day * HOURS_PER_DAY;
    let minutes: Float64Array | undefined;
    for (const hour of this.#hotBuckets(metric, first + from, first + to, MINUTES_PER_HOUR)) {
      minutes ??= new Float64Array(series.length * MINUTES_PER_HOUR);
      this.#hours.read(metric, hour, series, minutes);
      for (let i = 0; i < series.length; i++) {
        this.#accumulator.reset(rollupAt(rollups, hour));
        this.#accumulator.addMinutes(minutes, i * MINUTES_PER_HOUR, (i + 1) * MINUTES_PER_HOUR);
        partials.set(i * HOURS_PER_DAY + hour - first, this.#accumulator);
      }
    }
    return partials;
  }

  /** The 32 days of a stretch; only days of [from, to) need be right. */
  daysOf(
    metric: number,
    stretch: number,
    series: Int32Array,
    rollups: RollupHistory,
    from = 0,
    to = DAYS_PER_ROW,
  ): Partials {
    const partials = this.#read('days', metric, stretch, series, DAYS_PER_ROW);
    const first = stretch * DAYS_PER_ROW;
    for (const day of this.#hotBuckets(metric, first + from, first + to, MINUTES_PER_DAY)) {
      const hours = this.hoursOf(metric, day, series, rollups);
      for (let i = 0; i < series.length; i++) {
        addDay(this.#accumulator, hours, i * HOURS_PER_DAY, dayRollup(rollups, day));
        partials.set(i * DAYS_PER_ROW + day - first, this.#accumulator);
      }
    }
    return partials;
  }

  /** The buckets of [from, to) that have unmerged minutes. */
  *#hotBuckets(metric: number, from: number, to: number, minutesPerBucket: number): Iterable<number> {
    let bucket = from;
    while (bucket < to) {
      const minute = this.#hours.firstUnmerged(metric, bucket * minutesPerBucket, to * minutesPerBucket);
      if (minute === undefined) return;
      bucket = Math.floor(minute / minutesPerBucket);
      yield bucket++;
    }
  }

  #read(table: 'hours' | 'days', metric: number, row: number, series: Int32Array, width: number): Partials {
    const partials = new Partials(series.length * width);
    const statements = this.#tables[table];
    if (isFew(series)) {
      for (let i = 0; i < series.length; i++) {
        const blob = statements.one.get(metric, row, series[i] as number);
        if (blob !== undefined) decodePartials(blob, width, partials, i * width);
      }
      return partials;
    }
    let i = 0;
    for (const [id, blob] of statements.range.iterate(metric, row, ...bounds(series))) {
      i = skipTo(series, i, id);
      if (series[i] === id) decodePartials(blob, width, partials, i * width);
    }
    return partials;
  }
}

export function dayRollup(rollups: RollupHistory, day: number): Rollup {
  return rollupAt(rollups, day * HOURS_PER_DAY);
}

/** Makes the partial aggregate of a day from the partial aggregates of its hours, of which the first is at `from`. */
export function addDay(accumulator: Accumulator, hours: Partials, from: number, rollup: Rollup): void {
  accumulator.reset(rollup);
  for (let i = from; i < from + HOURS_PER_DAY; i++) hours.addTo(accumulator, i);
}
