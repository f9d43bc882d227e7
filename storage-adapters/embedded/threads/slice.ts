import {performance} from 'node:perf_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';

const SLICE = 5;
const STEPS_BETWEEN_LOOKS = 4096;

/**
 * Calls `work` for consecutive parts of [0, count), and lets other events have their turn after each few milliseconds,
 * so that a large batch does not hold up queries. `steps` are done between two looks at the clock.
 */
export async function inSlices(
  count: number,
  work: (from: number, to: number) => void,
  steps = STEPS_BETWEEN_LOOKS,
): Promise<void> {
  let start = performance.now();
  for (let from = 0; from < count; from += steps) {
    const to = Math.min(count, from + steps);
    work(from, to);
    if (to === count || performance.now() - start < SLICE) continue;
    await nextTurn();
    start = performance.now();
  }
}
