import {MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import {decodeMinutes} from '../../values/minute-blob.js';

/** Up to this number, series are looked up one by one rather than by a scan over their ids. */
const FEW = 64;

/** Reads the minutes of whole hours, compacted and unmerged ones, unmerged ones winning. */
export class HourReader {
  readonly #blob;
  readonly #blobs;
  readonly #unmergedMinute;
  readonly #unmergedValue;
  readonly #unmergedValues;

  constructor(database: Database) {
    this.#blob = database
      .prepare<[number, number, number], Buffer>(
        'SELECT data FROM minutes WHERE metric = ? AND hour = ? AND series = ?',
      )
      .pluck();
    this.#blobs = database
      .prepare<[number, number, number, number], [number, Buffer]>(
        'SELECT series, data FROM minutes WHERE metric = ? AND hour = ? AND series BETWEEN ? AND ?',
      )
      .raw();
    this.#unmergedMinute = database
      .prepare<[number, number, number], number>(
        'SELECT minute FROM hot WHERE metric = ? AND minute >= ? AND minute < ? ORDER BY minute LIMIT 1',
      )
      .pluck();
    this.#unmergedValue = database
      .prepare<[number, number, number], number>('SELECT value FROM hot WHERE metric = ? AND minute = ? AND series = ?')
      .pluck();
    this.#unmergedValues = database
      .prepare<[number, number, number, number], [number, number]>(
        'SELECT series, value FROM hot WHERE metric = ? AND minute = ? AND series BETWEEN ? AND ?',
      )
      .raw();
  }

  /** The first minute of [from, to) with an unmerged value. */
  firstUnmerged(metric: number, from: number, to: number): number | undefined {
    return this.#unmergedMinute.get(metric, from, to);
  }

  /** Fills 60 slots of `out` for each series (ascending ids); NaN is no value. */
  read(metric: number, hour: number, series: Int32Array, out: Float64Array): void {
    out.fill(Number.NaN, 0, series.length * MINUTES_PER_HOUR);
    this.#readCompacted(metric, hour, series, out);
    this.readUnmerged(metric, hour, series, out);
  }

  /** Overwrites what is unmerged. */
  readUnmerged(metric: number, hour: number, series: Int32Array, out: Float64Array): void {
    const end = (hour + 1) * MINUTES_PER_HOUR;
    let minute = this.firstUnmerged(metric, hour * MINUTES_PER_HOUR, end);
    while (minute !== undefined) {
      this.readUnmergedMinute(metric, minute, series, out);
      minute = this.firstUnmerged(metric, minute + 1, end);
    }
  }

  readUnmergedMinute(metric: number, minute: number, series: Int32Array, out: Float64Array): void {
    const slot = minute - Math.floor(minute / MINUTES_PER_HOUR) * MINUTES_PER_HOUR;
    if (isFew(series)) {
      for (let i = 0; i < series.length; i++) {
        const value = this.#unmergedValue.get(metric, minute, series[i] as number);
        if (value !== undefined) out[i * MINUTES_PER_HOUR + slot] = value;
      }
      return;
    }
    let i = 0;
    for (const [id, value] of this.#unmergedValues.iterate(metric, minute, ...bounds(series))) {
      i = skipTo(series, i, id);
      if (series[i] === id) out[i * MINUTES_PER_HOUR + slot] = value;
    }
  }

  #readCompacted(metric: number, hour: number, series: Int32Array, out: Float64Array): void {
    if (isFew(series)) {
      for (let i = 0; i < series.length; i++) {
        const blob = this.#blob.get(metric, hour, series[i] as number);
        if (blob !== undefined) decodeMinutes(blob, out, i * MINUTES_PER_HOUR);
      }
      return;
    }
    let i = 0;
    for (const [id, blob] of this.#blobs.iterate(metric, hour, ...bounds(series))) {
      i = skipTo(series, i, id);
      if (series[i] === id) decodeMinutes(blob, out, i * MINUTES_PER_HOUR);
    }
  }
}

export function isFew(series: Int32Array): boolean {
  return series.length <= FEW;
}

export function bounds(series: Int32Array): [number, number] {
  return [series[0] ?? 0, series[series.length - 1] ?? -1];
}

/** The first index from `i` on whose id is not below `id`; the scan and the list ascend together. */
export function skipTo(series: Int32Array, i: number, id: number): number {
  let next = i;
  while (next < series.length && (series[next] as number) < id) next++;
  return next;
}
