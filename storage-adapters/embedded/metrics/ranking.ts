import {
  type BucketWindow,
  compareNames,
  type Ranked,
  type RankingRequest,
  rollupAt,
  STEP_SECONDS,
} from '../../../core/api/adapter.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {Head} from '../head/head.js';
import type {HourBlock} from '../head/hour-block.js';
import {Accumulator} from '../values/accumulator.js';
import {eachPartial} from './head-columns.js';
import type {SeriesRecord} from './metric-records.js';
import {RoughMean} from './rough-mean.js';
import {TopList} from './tables/top-list.js';
import {rows} from './tables/window-reader.js';

const partial = new Accumulator();

/**
 * For each series the mean of its buckets in a window that the head covers; NaN for none, and for those that are not among
 * the first that are asked for.
 */
export function meansFromHead(head: Head, series: readonly SeriesRecord[], request: RankingRequest): Float64Array {
  const {window} = request;
  if (window.step === 'minute') return meansOfMinutes(head, series, window);
  const blocks = head.blocksOf(window);
  const contenders =
    window.step === 'hour' && series.length > request.limit ? contendersByHours(blocks, series, request) : undefined;
  const means = new Float64Array(series.length).fill(Number.NaN);
  const mean = new BucketMean();
  const add = (_bucket: number, made: Accumulator): void => made.addTo(mean);
  for (const [i, one] of series.entries()) {
    if (contenders?.[i] === 0) continue;
    mean.reset();
    eachPartial(blocks, one, window.step, add);
    means[i] = mean.finish();
  }
  return means;
}

function meansOfMinutes(head: Head, series: readonly SeriesRecord[], window: BucketWindow): Float64Array {
  const hours = minutesOf(head, window);
  const mean = new BucketMean();
  return Float64Array.from(series, one => {
    mean.reset();
    for (const {block, from, to} of hours) block.addMinutes(one.id, from, to, mean);
    return mean.finish();
  });
}

/** 1 for each series that may be among the first by its exact mean. An exact mean costs several times a rough one. */
function contendersByHours(
  blocks: readonly HourBlock[],
  series: readonly SeriesRecord[],
  {order, limit}: RankingRequest,
): Uint8Array {
  const sign = order === 'ASC' ? 1 : -1;
  const best = new Float64Array(series.length);
  const worst = new Float64Array(series.length);
  const rough = new RoughMean();
  for (const [i, {id, metric}] of series.entries()) {
    rough.reset();
    for (const block of blocks) {
      const rollup = rollupAt(metric.rollups, block.hour);
      partial.reset(rollup);
      block.addValueTo(id, partial, rollup === 'avg', rough);
    }
    best[i] = sign * rough.mean - rough.error;
    worst[i] = sign * rough.mean + rough.error;
  }
  // NaN is sorted behind all numbers, and no comparison with it holds.
  const edge = worst.toSorted()[limit - 1] ?? Number.NaN;
  return Uint8Array.from(best, one => (one > edge ? 0 : 1));
}

/** The blocks of a window of minutes, each with the minutes of it that belong to the window. */
function minutesOf(head: Head, {first, count}: BucketWindow) {
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
    const mean = means[i] ?? Number.NaN;
    if (!Number.isNaN(mean)) top.add({series: one, mean});
  }
  return top.finish().map(({series: {entity}, mean}) => ({entity: entity.entity, value: mean}));
}
