import {forEachYielding} from '../../../core/toolkit/yielder.js';

const ITEMS_PER_RANGE = 4096;

/**
 * Calls `work` for consecutive parts of [0, count), of `size` each, and lets other events have their turn in between, so
 * that a large batch does not hold up queries.
 */
export function forEachRange(
  count: number,
  work: (from: number, to: number) => void,
  size = ITEMS_PER_RANGE,
): Promise<void> {
  return forEachYielding(rangesOf(count, size), ([from, to]) => work(from, to));
}

function* rangesOf(count: number, size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < count; from += size) yield [from, Math.min(count, from + size)];
}
