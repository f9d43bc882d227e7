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
import type {Steps} from '../../../core/toolkit/yielder.js';
import type {Head} from '../head/head.js';
import type {HourBlock} from '../head/hour-block.js';
import {Accumulator} from '../values/accumulator.js';
import {eachPartial} from './head-columns.js';
import type {SeriesRecord} from './metric-records.js';
import {RoughMean} from './rough-mean.js';
import {TopList} from './tables/top-list.js';
import {rows} from './tables/window-reader.js';

const partial = new Accumulator();

/** How many values are looked at between two pauses, about: an hour of minutes or an hour's partial aggregate is one. */
const BLOCKS_A_STEP = 256;
/** How many means are compared between two pauses. */
const MEANS_A_STEP = 1024;

/** The entities with the best means in a window that the head covers when it begins; whether it still does at the end, ask then. */
export function* rankedFromHead(
  head: Head,
  series: readonly SeriesRecord[],
  request: RankingRequest,
): Steps<readonly Ranked[]> {
  return yield* bestOf(series, yield* meansFromHead(head, series, request), request);
}

/** For each series the mean of its buckets; NaN for none, and for those that are not among the first that are asked for. */
function* meansFromHead(head: Head, series: readonly SeriesRecord[], request: RankingRequest): Steps<Float64Array> {
  const {window} = request;
  if (window.step === 'minute') return yield* meansOfMinutes(head, series, window);
  const blocks = head.blocksOf(window);
  const contenders =
    window.step === 'hour' && series.length > request.limit
      ? yield* contendersByHours(blocks, series, request)
      : undefined;
  const means = new Float64Array(series.length).fill(Number.NaN);
  const mean = new BucketMean();
  const add = (_bucket: number, made: Accumulator): void => made.addTo(mean);
  const step = seriesAStep(blocks);
  for (let i = 0; i < means.length; i++) {
    if (i % step === 0) yield;
    if (contenders?.[i] === 0) continue;
    mean.reset();
    eachPartial(blocks, series[i] as SeriesRecord, window.step, add);
    means[i] = mean.finish();
  }
  return means;
}

function* meansOfMinutes(head: Head, series: readonly SeriesRecord[], window: BucketWindow): Steps<Float64Array> {
  const hours = minutesOf(head, window);
  const mean = new BucketMean();
  // Series may be added while this pauses.
  const means = new Float64Array(series.length);
  const step = seriesAStep(hours);
  for (let i = 0; i < means.length; i++) {
    if (i % step === 0) yield;
    mean.reset();
    for (const {block, from, to} of hours) block.addMinutes((series[i] as SeriesRecord).id, from, to, mean);
    means[i] = mean.finish();
  }
  return means;
}

/** 1 for each series that may be among the first by its exact mean. An exact mean costs several times a rough one. */
function* contendersByHours(
  blocks: readonly HourBlock[],
  series: readonly SeriesRecord[],
  {order, limit}: RankingRequest,
): Steps<Uint8Array> {
  const sign = order === 'ASC' ? 1 : -1;
  const best = new Float64Array(series.length);
  const worst = new Float64Array(series.length);
  const rough = new RoughMean();
  const step = seriesAStep(blocks);
  for (let i = 0; i < best.length; i++) {
    if (i % step === 0) yield;
    const {id, metric} = series[i] as SeriesRecord;
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

function seriesAStep({length}: readonly unknown[]): number {
  return Math.max(1, Math.floor(BLOCKS_A_STEP / length));
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

/** The series with the best means, of as many as there are means, ties by service and then by name. */
export function* bestOf(
  series: readonly SeriesRecord[],
  means: Float64Array,
  request: RankingRequest,
): Steps<readonly Ranked[]> {
  const descending = request.order === 'DES';
  const top = new TopList<Candidate>(request.limit, (a, b) => {
    if (a.mean !== b.mean) return a.mean < b.mean === descending ? 1 : -1;
    return (
      compareNames(a.series.entity.service.name, b.series.entity.service.name) ||
      compareNames(a.series.entity.name, b.series.entity.name)
    );
  });
  for (let i = 0; i < means.length; i++) {
    if (i % MEANS_A_STEP === MEANS_A_STEP - 1) yield;
    const mean = means[i] as number;
    if (Number.isNaN(mean)) continue;
    // Nearly all are worse: nothing is made of them.
    const edge = top.worst?.mean;
    if (edge !== undefined && (descending ? mean < edge : mean > edge)) continue;
    top.add({series: series[i] as SeriesRecord, mean});
  }
  return top.finish().map(({series: {entity}, mean}) => ({entity: entity.entity, value: mean}));
}
