import {setTimeout as sleep} from 'node:timers/promises';

/** A timer that is set for longer fires at once. Milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Does something in every interval (milliseconds) until the signal aborts, for the first time after `first`. A turn that
 * takes longer than an interval delays the next one; turns never overlap. Resolves when the last turn has ended. `work` must
 * not reject: what failed is logged, and done in the next turn.
 */
export async function every(
  interval: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  {first = 0}: {readonly first?: number | undefined} = {},
): Promise<void> {
  const rest = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left >= 0 && !signal.aborted; left -= LONGEST_TIMER)
      await sleep(Math.min(left, LONGEST_TIMER), undefined, {signal}).catch(() => undefined);
  };
  if (first > 0) await rest(first);
  while (!signal.aborted) {
    const begun = performance.now();
    await work();
    await rest(Math.max(0, interval - (performance.now() - begun)));
  }
}
