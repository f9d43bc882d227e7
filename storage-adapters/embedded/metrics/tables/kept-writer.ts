import {rollupAt} from '../../../../core/api/adapter.js';
import {HOURS_PER_DAY} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import type {KeptBorders, KeptColumns} from '../../threads/writer-protocol.js';
import {Accumulator} from '../../values/accumulator.js';
import {countIn, DAYS_PER_ROW, emptyPartials, withPartial} from '../../values/partial-blob.js';
import type {KnownMetrics} from './known-metrics.js';

/** Puts hours and days whose minutes are gone into the tables of partial aggregates. */
export class KeptWriter {
  readonly #known: KnownMetrics;
  readonly #tables;

  constructor(database: Database, known: KnownMetrics) {
    this.#known = known;
    const table = (name: string, key: string, width: number) => ({
      width,
      get: database
        .prepare<[number, number, number], Buffer>(
          `SELECT data FROM ${name} WHERE metric = ? AND ${key} = ? AND series = ?`,
        )
        .pluck(),
      put: database.prepare(`INSERT OR REPLACE INTO ${name} (metric, ${key}, series, data) VALUES (?, ?, ?, ?)`),
    });
    this.#tables = {hours: table('hours', 'day', HOURS_PER_DAY), days: table('days', 'stretch', DAYS_PER_ROW)};
  }

  /**
   * Before which hour no minutes can be taken any more, and before which days stand alone: a day that has hours here can be made
   * of them again, so it bounds nothing.
   */
  bordersOf({isDay, series, bucket}: KeptColumns): KeptBorders {
    const borders = {minutes: Number.NEGATIVE_INFINITY, days: Number.NEGATIVE_INFINITY};
    const hasHours = new Set<string>();
    for (const [i, at] of bucket.entries()) {
      if (isDay[i] === 1) continue;
      hasHours.add(`${series[i]} ${Math.floor(at / HOURS_PER_DAY)}`);
      borders.minutes = Math.max(borders.minutes, at + 1);
    }
    for (const [i, day] of bucket.entries()) {
      const id = series[i] ?? 0;
      if (isDay[i] !== 1 || hasHours.has(`${id} ${day}`)) continue;
      if (this.#tables.hours.get.get(this.#known.metricOf(id), day, id) !== undefined) continue;
      borders.days = Math.max(borders.days, (day + 1) * HOURS_PER_DAY);
    }
    return {...borders, minutes: Math.max(borders.minutes, borders.days)};
  }

  /** Inside a transaction of the caller. Of the same bucket the one of more minutes stands. */
  write({isDay, series, bucket, minutes, terms}: KeptColumns): void {
    const accumulator = new Accumulator();
    for (const [i, at] of bucket.entries()) {
      const {width, get, put} = isDay[i] === 1 ? this.#tables.days : this.#tables.hours;
      const id = series[i] ?? 0;
      const metric = this.#known.metricOf(id);
      const row = Math.floor(at / width);
      const slot = at - row * width;
      const blob = get.get(metric, row, id) ?? emptyPartials(width);
      if (countIn(blob, slot) >= (minutes[i] ?? 0)) continue;
      const [value = 0, ...remainder] = terms[i] ?? [];
      accumulator.reset(rollupAt(this.#known.rollups(metric), isDay[i] === 1 ? at * HOURS_PER_DAY : at));
      accumulator.addPartial(value, minutes[i] ?? 0, remainder);
      put.run(metric, row, id, withPartial(blob, width, slot, accumulator));
    }
  }
}
