import {rollupAt} from '../../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {SeriesWindow} from '../../threads/reader-protocol.js';
import {Accumulator} from '../../values/accumulator.js';
import {DAYS_PER_ROW} from '../../values/partial-blob.js';
import type {HourReader} from './hour-reader.js';
import {dayRollup, type PartialReader} from './partial-reader.js';

/** How many series are read at a time: bounds both the memory and the time between two looks at the cancel flag. */
const SERIES_AT_A_TIME = 1024;

/** `partial` is what an hour or a day was made in, until the next one. */
type Emit = (series: number, bucket: number, value: number, partial?: Accumulator) => void;

/** Reads windows of any step, and hands over each bucket that has a value. */
export class WindowReader {
  readonly #hours: HourReader;
  readonly #partials: PartialReader;
  readonly #partial = new Accumulator();

  constructor(hours: HourReader, partials: PartialReader) {
    this.#hours = hours;
    this.#partials = partials;
  }

  read(window: SeriesWindow, emit: Emit, checkpoint: Checkpoint): void {
    for (let from = 0; from < window.series.length; from += SERIES_AT_A_TIME) {
      const part = {...window, series: window.series.subarray(from, from + SERIES_AT_A_TIME)};
      const emitPart: Emit =
        from === 0 ? emit : (series, bucket, value, partial) => emit(from + series, bucket, value, partial);
      if (window.step === 'minute') this.#readMinutes(part, emitPart, checkpoint);
      else this.#readPartials(part, emitPart, checkpoint);
    }
  }

  #readMinutes(window: SeriesWindow, emit: Emit, checkpoint: Checkpoint): void {
    const {metric, series, first, count} = window;
    const matrix = new Float64Array(series.length * MINUTES_PER_HOUR);
    for (const {row, from, to} of rows(first, count, MINUTES_PER_HOUR)) {
      checkpoint();
      this.#hours.read(metric, row, series, matrix);
      const start = row * MINUTES_PER_HOUR - first;
      for (let i = 0; i < series.length; i++) {
        for (let minute = from; minute < to; minute++) {
          const value = matrix[i * MINUTES_PER_HOUR + minute] as number;
          if (!Number.isNaN(value)) emit(i, start + minute, value);
        }
      }
    }
  }

  #readPartials(window: SeriesWindow, emit: Emit, checkpoint: Checkpoint): void {
    const {metric, series, rollups, step, first, count} = window;
    const width = step === 'hour' ? HOURS_PER_DAY : DAYS_PER_ROW;
    for (const {row, from, to} of rows(first, count, width)) {
      checkpoint();
      const partials =
        step === 'hour'
          ? this.#partials.hoursOf(metric, row, series, rollups, from, to)
          : this.#partials.daysOf(metric, row, series, rollups, from, to);
      for (let bucket = from; bucket < to; bucket++) {
        const absolute = row * width + bucket;
        const rollup = step === 'hour' ? rollupAt(rollups, absolute) : dayRollup(rollups, absolute);
        for (let i = 0; i < series.length; i++) {
          this.#partial.reset(rollup);
          partials.addTo(this.#partial, i * width + bucket);
          if (this.#partial.count > 0) emit(i, absolute - first, this.#partial.finish(), this.#partial);
        }
      }
    }
  }
}

/** The rows of `width` buckets that a window touches, with the part of each that lies within it. */
export function* rows(first: number, count: number, width: number) {
  const end = first + count;
  for (let row = Math.floor(first / width); row * width < end; row++) {
    yield {row, from: Math.max(0, first - row * width), to: Math.min(width, end - row * width)};
  }
}
