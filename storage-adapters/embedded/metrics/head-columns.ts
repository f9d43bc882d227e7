import {type BucketWindow, type Column, type Rollup, rollupAt, STEP_SECONDS} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {Head} from '../head/head.js';
import type {HourBlock} from '../head/hour-block.js';
import {Accumulator} from '../values/accumulator.js';
import type {SeriesRecord} from './metric-records.js';
import {rows} from './tables/window-reader.js';

const partial = new Accumulator();
const day = new Accumulator();

/** A series over a window that the head covers; undefined when it has no value there. */
export function columnFromHead(head: Head, series: SeriesRecord, window: BucketWindow): Column | undefined {
  const values = new Float64Array(window.count);
  const present = new Uint8Array(window.count);
  let found = 0;
  const first = window.first / STEP_SECONDS[window.step];
  if (window.step === 'minute') {
    for (const {row, from, to} of rows(first, window.count, MINUTES_PER_HOUR)) {
      const at = row * MINUTES_PER_HOUR + from - first;
      found += head.block(row)?.copy(series.id, from, to, values, present, at) ?? 0;
    }
  } else {
    eachPartial(head.blocksOf(window), series, window.step, (bucket, made) => {
      values[bucket - first] = made.finish();
      present[bucket - first] = 1;
      found++;
    });
  }
  return found === 0 ? undefined : {labels: series.labels, values, present};
}

/**
 * Tells the hours or days, counted from the epoch, in which a series has a value. `blocks` are oldest first; the work is
 * in them, not in the length of the window, which may be decades.
 */
export function eachPartial(
  blocks: readonly HourBlock[],
  series: SeriesRecord,
  step: 'hour' | 'day',
  take: (bucket: number, made: Accumulator) => void,
): void {
  const {rollups} = series.metric;
  if (step === 'hour') {
    for (const block of blocks) {
      partial.reset(rollupAt(rollups, block.hour));
      if (block.readPartial(series.id, partial)) take(block.hour, partial);
    }
    return;
  }
  let bucket = Number.NaN;
  const finish = (): void => {
    if (day.count > 0) take(bucket, day);
  };
  let rollup: Rollup = 'avg';
  day.reset(rollup);
  for (const block of blocks) {
    const own = Math.floor(block.hour / HOURS_PER_DAY);
    if (own !== bucket) {
      finish();
      bucket = own;
      rollup = rollupAt(rollups, block.hour);
      day.reset(rollup);
    }
    partial.reset(rollup);
    if (block.readPartial(series.id, partial)) day.addPartial(partial.value, partial.count, partial.remainder);
  }
  finish();
}

/** Whether one of the blocks has a value of the series in a minute of [from, to]. */
export function isPresentIn(blocks: readonly HourBlock[], series: SeriesRecord, from: number, to: number): boolean {
  for (const block of blocks) {
    const start = block.hour * MINUTES_PER_HOUR;
    partial.reset('latest');
    block.addMinutes(series.id, Math.max(0, from - start), Math.min(MINUTES_PER_HOUR, to - start + 1), partial);
    if (partial.count > 0) return true;
  }
  return false;
}
