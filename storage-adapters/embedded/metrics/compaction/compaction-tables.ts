import type {RollupHistory} from '../../../../core/api/adapter.js';
import {rollupAt} from '../../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import {Accumulator} from '../../values/accumulator.js';
import {decodeMinutes, encodeMinutes, isSound} from '../../values/minute-blob.js';
import {DAYS_PER_ROW, decodePartials, emptyPartials, withPartial} from '../../values/partial-blob.js';
import {HourReader} from '../tables/hour-reader.js';
import {addDay, Partials} from '../tables/partial-reader.js';

/** The statements that compactions share. */
export class CompactionTables {
  readonly hours: HourReader;
  readonly #database: Database;
  readonly #accumulator = new Accumulator();
  readonly #partials = new Partials(HOURS_PER_DAY);
  readonly #scratch = new Float64Array(MINUTES_PER_HOUR);
  readonly #getMinutes;
  readonly #putMinutes;
  readonly #getHours;
  readonly #putHours;
  readonly #getDays;
  readonly #putDays;
  readonly #forget;

  constructor(database: Database) {
    this.#database = database;
    this.hours = new HourReader(database);
    const get = (sql: string) => database.prepare<[number, number, number], Buffer>(sql).pluck();
    this.#getMinutes = get('SELECT data FROM minutes WHERE metric = ? AND hour = ? AND series = ?');
    this.#putMinutes = database.prepare(
      'INSERT OR REPLACE INTO minutes (metric, hour, series, data) VALUES (?, ?, ?, ?)',
    );
    this.#getHours = get('SELECT data FROM hours WHERE metric = ? AND day = ? AND series = ?');
    this.#putHours = database.prepare('INSERT OR REPLACE INTO hours (metric, day, series, data) VALUES (?, ?, ?, ?)');
    this.#getDays = get('SELECT data FROM days WHERE metric = ? AND stretch = ? AND series = ?');
    this.#putDays = database.prepare('INSERT OR REPLACE INTO days (metric, stretch, series, data) VALUES (?, ?, ?, ?)');
    this.#forget = database.prepare('DELETE FROM hot WHERE metric = ? AND minute = ? AND series BETWEEN ? AND ?');
  }

  transaction(work: () => void): void {
    this.#database.transaction(work)();
  }

  /** Deletes the unmerged rows of one minute. */
  forget(metric: number, minute: number, series: Int32Array): void {
    this.#forget.run(metric, minute, series[0], series[series.length - 1]);
  }

  /** Puts the minutes of a series, 60 from `row` on, over what is there. */
  store(
    metric: number,
    hour: number,
    series: number,
    minutes: Float64Array,
    row: number,
    rollups: RollupHistory,
  ): void {
    const merged = this.#merge(
      metric,
      hour,
      series,
      minutes.subarray(row * MINUTES_PER_HOUR, (row + 1) * MINUTES_PER_HOUR),
    );
    if (merged === undefined) return;

    const day = Math.floor(hour / HOURS_PER_DAY);
    const hours = this.#getHours.get(metric, day, series) ?? emptyPartials(HOURS_PER_DAY);
    const rollup = rollupAt(rollups, hour);
    this.#accumulator.reset(rollup);
    this.#accumulator.addMinutes(merged, 0, MINUTES_PER_HOUR);
    const written = withPartial(hours, HOURS_PER_DAY, hour - day * HOURS_PER_DAY, this.#accumulator);
    this.#putHours.run(metric, day, series, written);

    const stretch = Math.floor(day / DAYS_PER_ROW);
    const days = this.#getDays.get(metric, stretch, series) ?? emptyPartials(DAYS_PER_ROW);
    this.#partials.remainders.clear();
    decodePartials(written, HOURS_PER_DAY, this.#partials, 0);
    addDay(this.#accumulator, this.#partials, 0, rollup);
    this.#putDays.run(
      metric,
      stretch,
      series,
      withPartial(days, DAYS_PER_ROW, day - stretch * DAYS_PER_ROW, this.#accumulator),
    );
  }

  /** The minutes with what was compacted before; undefined when there are none to add. */
  #merge(metric: number, hour: number, series: number, minutes: Float64Array): Float64Array | undefined {
    if (minutes.every(Number.isNaN)) return undefined;
    const compacted = this.#getMinutes.get(metric, hour, series);
    if (compacted !== undefined) {
      // What is left of a damaged hour cannot make its hour and its day anew: reading it goes on to fail.
      if (!isSound(compacted)) return undefined;
      const scratch = this.#scratch.fill(Number.NaN);
      decodeMinutes(compacted, scratch, 0);
      for (let i = 0; i < MINUTES_PER_HOUR; i++) if (Number.isNaN(minutes[i])) minutes[i] = scratch[i] ?? Number.NaN;
    }
    const blob = encodeMinutes(minutes, 0);
    if (blob !== undefined) this.#putMinutes.run(metric, hour, series, blob);
    return minutes;
  }
}
