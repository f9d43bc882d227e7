import type {Database} from '../disk/database.js';
import type {KnownMetrics} from '../metrics/tables/known-metrics.js';
import {NO_REMAINDER} from '../values/accumulator.js';
import {DAYS_PER_ROW, decodePartials, type Remainders, withPartial} from '../values/partial-blob.js';

const ROWS_PER_STEP = 256;
const NO_PARTIAL = {value: 0, count: 0, remainder: NO_REMAINDER};

interface Row {
  readonly stretch: number;
  readonly series: number;
  readonly data: Buffer;
}

/**
 * Removes old day values, day by day. A row holds those of 32 days: the partial aggregates of days that have expired
 * are emptied, and a row goes with its last partial aggregate. So each day the rows of one stretch are written once,
 * which compaction does every hour.
 */
export class DayRetention {
  readonly #database: Database;
  readonly #known: KnownMetrics;
  readonly #rows;
  readonly #put;
  readonly #delete;
  /** What is left of the sweep that goes on: the metrics to come, and where it has come to in the first. */
  #metrics: number[] = [];
  #stretch = Number.MIN_SAFE_INTEGER;
  #series = -1;
  #cutOff = Number.NEGATIVE_INFINITY;
  #removed = 0;

  constructor(database: Database, known: KnownMetrics) {
    this.#database = database;
    this.#known = known;
    this.#rows = database.prepare<[number, number, number, number], Row>(
      `SELECT stretch, series, data FROM days WHERE metric = ? AND (stretch, series) > (?, ?) AND stretch <= ?
       ORDER BY stretch, series LIMIT ${ROWS_PER_STEP}`,
    );
    this.#put = database.prepare('UPDATE days SET data = ? WHERE metric = ? AND stretch = ? AND series = ?');
    this.#delete = database.prepare('DELETE FROM days WHERE metric = ? AND stretch = ? AND series = ?');
  }

  /** Removes some days of before `cutOff` (days since 1970); false when nothing is due. */
  step(cutOff: number): boolean {
    const metric = this.#metrics[0];
    if (metric === undefined) return this.#begin(cutOff);
    const rows = this.#rows.all(metric, this.#stretch, this.#series, Math.floor((this.#cutOff - 1) / DAYS_PER_ROW));
    this.#database.transaction(() => {
      for (const row of rows) this.#expire(metric, row);
    })();
    const last = rows.at(-1);
    if (rows.length === ROWS_PER_STEP && last !== undefined) this.#moveTo(last.stretch, last.series);
    else {
      this.#metrics.shift();
      this.#moveTo(Number.MIN_SAFE_INTEGER, -1);
    }
    return true;
  }

  /** How many days of series were removed since it was last asked. */
  takeRemoved(): number {
    const removed = this.#removed;
    this.#removed = 0;
    return removed;
  }

  #begin(cutOff: number): boolean {
    // The cut-off goes back with the clock.
    if (!Number.isFinite(cutOff) || cutOff === this.#cutOff) return false;
    this.#cutOff = cutOff;
    this.#metrics = [...this.#known.metrics()];
    return true;
  }

  #moveTo(stretch: number, series: number): void {
    this.#stretch = stretch;
    this.#series = series;
  }

  #expire(metric: number, {stretch, series, data}: Row): void {
    const partials = {
      values: new Float64Array(DAYS_PER_ROW),
      counts: new Uint16Array(DAYS_PER_ROW),
      remainders: new Map() as Remainders,
    };
    decodePartials(data, DAYS_PER_ROW, partials, 0);
    let kept: Uint8Array = data;
    let removed = 0;
    for (let day = 0; day < DAYS_PER_ROW && stretch * DAYS_PER_ROW + day < this.#cutOff; day++) {
      if (partials.counts[day] === 0) continue;
      kept = withPartial(kept, DAYS_PER_ROW, day, NO_PARTIAL);
      partials.counts[day] = 0;
      removed++;
    }
    if (partials.counts.every(count => count === 0)) this.#delete.run(metric, stretch, series);
    else if (removed > 0) this.#put.run(kept, metric, stretch, series);
    this.#removed += removed;
  }
}
