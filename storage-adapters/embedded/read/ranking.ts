import {
  type BucketWindow,
  compareNames,
  type Ranked,
  type RankingRequest,
  STEP_SECONDS,
} from '../../../core/api/adapter.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import type {SeriesRecord} from '../catalog/metrics.js';
import {rows} from '../disk/window-reader.js';
import type {Head} from '../head/head.js';
import {type Accumulator, MINUTES_PER_HOUR} from '../rollup.js';
import {TopList} from '../top-list.js';
import {eachCell} from './head-columns.js';

/** For each series the mean of its buckets in a window that the head covers; NaN for none. */
export function meansFromHead(head: Head, series: readonly SeriesRecord[], window: BucketWindow): Float64Array {
  const means = new Float64Array(series.length);
  const mean = new BucketMean();
  const add = (_bucket: number, made: Accumulator): void => made.addTo(mean);
  const hours = minutesOf(head, window);
  const blocks = window.step === 'minute' ? [] : head.blocksOf(window);
  for (const [i, one] of series.entries()) {
    mean.reset();
    if (window.step === 'minute') {
      for (const {block, from, to} of hours) block.addMinutes(one.id, from, to, mean);
    } else {
      eachCell(blocks, one, window.step, add);
    }
    means[i] = mean.finish();
  }
  return means;
}

/** The blocks of a window of minutes, each with the minutes of it that belong to the window. */
function minutesOf(head: Head, {step, first, count}: BucketWindow) {
  if (step !== 'minute') return [];
  return [...rows(first / STEP_SECONDS.minute, count, MINUTES_PER_HOUR)].flatMap(({row, from, to}) => {
    const block = head.block(row);
    return block === undefined ? [] : {block, from, to};
  });
}

interface Candidate {
  readonly series: SeriesRecord;
  readonly mean: number;
}

/** The series with the best means, ties by service and then by name. */
export function bestOf(
  series: readonly SeriesRecord[],
  means: Float64Array,
  request: RankingRequest,
): readonly Ranked[] {
  const descending = request.order === 'DES';
  const top = new TopList<Candidate>(request.limit, (a, b) => {
    if (a.mean !== b.mean) return a.mean < b.mean === descending ? 1 : -1;
    return (
      compareNames(a.series.entity.service.name, b.series.entity.service.name) ||
      compareNames(a.series.entity.name, b.series.entity.name)
    );
  });
  for (const [i, one] of series.entries()) {
    const mean = means[i] as number;
    if (!Number.isNaN(mean)) top.add({series: one, mean});
  }
  return top.finish().map(({series: {entity}, mean}) => ({entity: entity.entity, value: mean}));
}
