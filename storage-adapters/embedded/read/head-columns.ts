import {type BucketWindow, type Column, STEP_SECONDS} from '../../../core/api/adapter.js';
import type {SeriesRecord} from '../catalog/metrics.js';
import {rows} from '../disk/window-reader.js';
import type {Head} from '../head/head.js';
import type {HourBlock} from '../head/hour-block.js';
import {Accumulator, HOURS_PER_DAY, MINUTES_PER_HOUR, rollupAt} from '../rollup.js';

const cell = new Accumulator();
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
    for (let i = 0; i < window.count; i++) {
      const value = bucketFromHead(head, series, window.step, first + i);
      if (Number.isNaN(value)) continue;
      values[i] = value;
      present[i] = 1;
      found++;
    }
  }
  return found === 0 ? undefined : {labels: series.labels, values, present};
}

/** The value of an hour or a day, counted from the epoch; NaN for none. */
export function bucketFromHead(head: Head, series: SeriesRecord, step: 'hour' | 'day', bucket: number): number {
  const {rollups} = series.metric;
  if (step === 'hour') {
    cell.reset(rollupAt(rollups, bucket));
    head.block(bucket)?.readCell(series.id, cell);
    return cell.finish();
  }
  const first = bucket * HOURS_PER_DAY;
  day.reset(rollupAt(rollups, first + HOURS_PER_DAY - 1));
  for (let hour = first; hour < first + HOURS_PER_DAY; hour++) {
    const block = head.block(hour);
    if (block === undefined) continue;
    const rollup = rollupAt(rollups, hour);
    cell.reset(rollup);
    if (block.readCell(series.id, cell)) day.addCell(cell.value, cell.count, rollup);
  }
  return day.finish();
}

/** Whether one of the blocks has a value of the series in a minute of [from, to]. */
export function isPresentIn(blocks: readonly HourBlock[], series: SeriesRecord, from: number, to: number): boolean {
  for (const block of blocks) {
    const start = block.hour * MINUTES_PER_HOUR;
    cell.reset('latest');
    block.addMinutes(series.id, Math.max(0, from - start), Math.min(MINUTES_PER_HOUR, to - start + 1), cell);
    if (cell.count > 0) return true;
  }
  return false;
}
