import type {RollupHistory} from '../../../../core/api/adapter.js';
import {MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {CompactionTables} from './compaction-tables.js';

/** How many series one step writes: each step is a transaction of a few milliseconds. */
const SERIES_PER_STEP = 96;

/**
 * Compacts one hour of some series of one metric, in steps between which batches are written:
 *
 * 1. reads the unmerged minutes, one minute a step,
 * 2. writes the blobs and the partial aggregates of hour and day, some series a step, over what was compacted before,
 * 3. deletes the unmerged rows, one minute a step.
 *
 * A crash at any point loses nothing: the unmerged rows stay until the blobs hold them, and what 2 writes does not
 * depend on what it wrote before. A sample that comes in between for the same hour makes the compaction start anew (the
 * owner drops it), because 3 would delete what 1 has not seen.
 */
export class HourCompaction {
  readonly metric: number;
  readonly hour: number;
  readonly #tables: CompactionTables;
  readonly #series: Int32Array;
  readonly #rollups: RollupHistory;
  readonly #minutes: Float64Array;
  #phase: 'read' | 'write' | 'delete' = 'read';
  #next: number;

  constructor(tables: CompactionTables, metric: number, hour: number, series: Int32Array, rollups: RollupHistory) {
    this.metric = metric;
    this.hour = hour;
    this.#tables = tables;
    this.#series = series;
    this.#rollups = rollups;
    this.#minutes = new Float64Array(series.length * MINUTES_PER_HOUR);
    this.#next = hour * MINUTES_PER_HOUR;
    this.#minutes.fill(Number.NaN);
  }

  /** Does one step; true when the compaction is complete. */
  step(): boolean {
    if (this.#phase === 'read') this.#read();
    else if (this.#phase === 'write') this.#write();
    else return this.#delete();
    return false;
  }

  #unmergedMinute(): number | undefined {
    return this.#tables.hours.firstUnmerged(this.metric, this.#next, (this.hour + 1) * MINUTES_PER_HOUR);
  }

  #read(): void {
    const minute = this.#unmergedMinute();
    if (minute === undefined) {
      this.#phase = 'write';
      this.#next = 0;
      return;
    }
    this.#tables.hours.readUnmergedMinute(this.metric, minute, this.#series, this.#minutes);
    this.#next = minute + 1;
  }

  #write(): void {
    const end = Math.min(this.#series.length, this.#next + SERIES_PER_STEP);
    this.#tables.transaction(() => {
      for (let i = this.#next; i < end; i++) {
        this.#tables.store(this.metric, this.hour, this.#series[i] ?? 0, this.#minutes, i, this.#rollups);
      }
    });
    this.#next = end;
    if (end < this.#series.length) return;
    this.#phase = 'delete';
    this.#next = this.hour * MINUTES_PER_HOUR;
  }

  #delete(): boolean {
    const minute = this.#unmergedMinute();
    if (minute === undefined) return true;
    this.#tables.forget(this.metric, minute, this.#series);
    this.#next = minute + 1;
    return false;
  }
}
