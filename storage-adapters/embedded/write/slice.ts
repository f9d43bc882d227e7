import {performance} from 'node:perf_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';

const SLICE = 5;
const STEPS_BETWEEN_LOOKS = 4096;

/**
 * Calls `work` for every number below `count`, and lets other events have their turn after each few milliseconds, so
 * that a large batch does not hold up queries.
 */
export async function forEachInSlices(count: number, work: (i: number) => void): Promise<void> {
  let start = performance.now();
  for (let i = 0; i < count; i++) {
    work(i);
    if (i % STEPS_BETWEEN_LOOKS !== STEPS_BETWEEN_LOOKS - 1 || performance.now() - start < SLICE) continue;
    await nextTurn();
    start = performance.now();
  }
}
