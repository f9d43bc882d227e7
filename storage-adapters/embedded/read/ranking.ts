import {
  type BucketWindow,
  compareNames,
  type Ranked,
  type RankingRequest,
  STEP_SECONDS,
} from '../../../core/api/adapter.js';
import type {SeriesRecord} from '../catalog/metrics.js';
import {rows} from '../disk/window-reader.js';
import type {Head} from '../head/head.js';
import {Accumulator, MINUTES_PER_HOUR} from '../rollup.js';
import {TopList} from '../top-list.js';
import {bucketFromHead} from './head-columns.js';

/** For each series the mean of its buckets in a window that the head covers; NaN for none. */
export function meansFromHead(head: Head, series: readonly SeriesRecord[], window: BucketWindow): Float64Array {
  const means = new Float64Array(series.length);
  const first = window.first / STEP_SECONDS[window.step];
  const mean = new Accumulator();
  const hours = [...rows(first, window.count, MINUTES_PER_HOUR)].flatMap(({row, from, to}) => {
    const block = window.step === 'minute' ? head.block(row) : undefined;
    return block === undefined ? [] : {block, from, to};
  });
  for (const [i, one] of series.entries()) {
    mean.reset('avg');
    if (window.step === 'minute') {
      for (const {block, from, to} of hours) block.addMinutes(one.id, from, to, mean);
    } else {
      for (let bucket = first; bucket < first + window.count; bucket++) {
        const value = bucketFromHead(head, one, window.step, bucket);
        if (!Number.isNaN(value)) mean.addCell(value, 1, 'sum');
      }
    }
    means[i] = mean.finish();
  }
  return means;
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
