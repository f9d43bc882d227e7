import type {Rollup, RollupHistory} from '../../core/api/adapter.js';

export const MINUTES_PER_HOUR = 60;
export const HOURS_PER_DAY = 24;
export const MINUTES_PER_DAY = 1440;

/** The rollup that counts for an hour. All hours of a day have the same one, so it is that of the day too. */
export function rollupAt(history: RollupHistory, hour: number): Rollup {
  for (let i = history.length - 1; i > 0; i--) {
    const entry = history[i];
    if (entry !== undefined && entry.from <= hour) return entry.rollup;
  }
  return history[0]?.rollup ?? 'avg';
}

/**
 * Makes one longer bucket of minutes, or of shorter buckets that are not finished yet ("cells"). A cell is the pair of
 * a value and the number of minutes in it; for `avg` the value is the sum, so that a day's mean is that of its minutes
 * and not of its hours. A bucket without minutes has the number 0.
 */
export class Accumulator {
  #rollup: Rollup = 'avg';
  value = 0;
  count = 0;

  reset(rollup: Rollup): void {
    this.#rollup = rollup;
    this.value = 0;
    this.count = 0;
  }

  /** Adds minutes of `values` in the order of time; NaN is no value. */
  addMinutes(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const value = values[i] as number;
      if (!Number.isNaN(value)) this.#add(value, 1);
    }
  }

  /** Adds the cell of an hour that was made with the same rollup. */
  addCell(value: number, count: number): void {
    if (count > 0) this.#add(value, count);
  }

  finish(): number {
    return finish(this.value, this.count, this.#rollup);
  }

  #add(value: number, count: number): void {
    if (this.count === 0) {
      this.value = value;
    } else if (this.#rollup === 'avg' || this.#rollup === 'sum') {
      this.value += value;
    } else if (this.#rollup === 'latest') {
      this.value = value;
    } else if (this.#rollup === 'min' ? value < this.value : value > this.value) {
      this.value = value;
    }
    this.count += count;
  }
}

/** The value of a bucket: NaN when it has no minutes. */
export function finish(value: number, count: number, rollup: Rollup): number {
  if (count === 0) return Number.NaN;
  return rollup === 'avg' ? value / count : value;
}
