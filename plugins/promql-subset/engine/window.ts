import {type BucketWindow, GatewayError, STEP_SECONDS, type Step} from '../../../core/api/plugin.js';

export const MAX_BUCKETS = 11_000;
/** How far an instant query looks back: three minute buckets, the one of its time included. */
const LOOK_BACK_SECONDS = 120;

/** The buckets of [start, end], both end buckets included, at the step that fits the span. Whole seconds. */
export function fitWindow(start: number, end: number): BucketWindow {
  const step = stepOf(end - start);
  const seconds = STEP_SECONDS[step];
  const first = floor(start, seconds);
  const count = (floor(end, seconds) - first) / seconds + 1;
  if (count > MAX_BUCKETS) {
    throw new GatewayError(
      'bad_request',
      `the range covers ${count} buckets of a ${step}, and at most ${MAX_BUCKETS} are answered: ask for a shorter one`,
    );
  }
  return {step, first, count};
}

/** The length of the buckets that fit a span of seconds. */
export function stepOf(span: number): Step {
  if (span <= 3600) return 'minute';
  return span <= 86_400 ? 'hour' : 'day';
}

/** When an expression is evaluated: at one time, in whole seconds, or in each bucket of a range query. */
export type EvaluationTime = number | BucketWindow;

/** The buckets that are read for a selector: of an instant query those in which its newest sample may lie. */
export function windowOf(range: number | undefined, time: EvaluationTime): BucketWindow {
  if (typeof time !== 'number') return time;
  return range === undefined ? instantWindow(time) : rangeWindow(time, range);
}

function instantWindow(time: number): BucketWindow {
  const first = floor(time - LOOK_BACK_SECONDS, 60);
  return {step: 'minute', first, count: (floor(time, 60) - first) / 60 + 1};
}

/** The window of a range selector, which ends at `time`. */
function rangeWindow(time: number, milliseconds: number): BucketWindow {
  return fitWindow(Math.floor(time - milliseconds / 1000), time);
}

function floor(time: number, seconds: number): number {
  return Math.floor(time / seconds) * seconds;
}

/** The slot of the bucket that starts at `time`, or -1. */
export function slotAt(window: BucketWindow, time: number): number {
  const slot = (time - window.first) / STEP_SECONDS[window.step];
  return Number.isInteger(slot) && slot >= 0 && slot < window.count ? slot : -1;
}

export function bucketStart(window: BucketWindow, slot: number): number {
  return window.first + slot * STEP_SECONDS[window.step];
}
