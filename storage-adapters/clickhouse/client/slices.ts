import {performance} from 'node:perf_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';

/** How long encoding goes on before other events have their turn, in milliseconds. */
const SLICE = 5;
const ITEMS_BETWEEN_LOOKS = 64;

/** Calls `take` for every item, with pauses in which the process serves others. */
export async function inSlices<Item>(items: Iterable<Item>, take: (item: Item) => void | Promise<void>): Promise<void> {
  let begun = performance.now();
  let count = 0;
  for (const item of items) {
    const waits = take(item);
    if (waits !== undefined) await waits;
    if (++count % ITEMS_BETWEEN_LOOKS !== 0 || performance.now() - begun < SLICE) continue;
    await nextTurn();
    begun = performance.now();
  }
}
