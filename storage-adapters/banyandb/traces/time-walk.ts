import type {MillisRange} from '../client/criteria.js';
import {isTooMuch} from '../client/grpc-error.js';
import {wholeAnswer} from '../client/whole-answer.js';

export interface TimeSlice<Found> {
  readonly span: MillisRange;
  readonly found: readonly Found[];
  /** How long the next slice would be. */
  readonly next: number;
}

export interface TimeWalkOptions {
  readonly direction: 'newest first' | 'oldest first';
  /** The length of the first slice. */
  readonly first: number;
  /** How many one slice may have. */
  readonly limit: number;
  /** How many a slice of length 1 may have, which cannot be made smaller. */
  readonly most: number;
  /** The option that allows so many. */
  readonly option: string;
  /** What is found at one time, for the error that tells that there is more. */
  readonly what: (time: number) => string;
}

/** How often in a row a server that gives up is asked for less. */
const RETRIES = 6;

/**
 * Walks over a time, in whatever unit, in slices that each have fewer than the limit: then a slice is whole. They grow where there is
 * little and shrink where there is much.
 */
export async function* walkTime<Found>(
  ask: (span: MillisRange, limit: number) => Promise<readonly Found[]>,
  range: MillisRange,
  {direction, first, limit, most, option, what}: TimeWalkOptions,
): AsyncGenerator<TimeSlice<Found>> {
  let {begin, end} = range;
  let size = first;
  let retries = 0;
  while (begin <= end) {
    const span =
      direction === 'newest first'
        ? {begin: Math.max(begin, end - size + 1), end}
        : {begin, end: Math.min(end, begin + size - 1)};
    const length = span.end - span.begin + 1;
    let found: readonly Found[];
    try {
      found =
        length > 1
          ? await ask(span, limit)
          : await wholeAnswer(asked => ask(span, asked), {
              first: limit,
              most,
              option,
              what: what(span.begin),
            });
    } catch (error) {
      if (length === 1 || !isTooMuch(error) || retries++ >= RETRIES) throw error;
      size = Math.ceil(length / 8);
      continue;
    }
    if (length > 1 && found.length >= limit) {
      size = Math.ceil(length / 4);
      continue;
    }
    retries = 0;
    if (found.length === 0) size = length * 16;
    else size = found.length < limit / 8 ? length * 4 : length;
    yield {span, found, next: size};
    if (direction === 'newest first') end = span.begin - 1;
    else begin = span.end + 1;
  }
}
