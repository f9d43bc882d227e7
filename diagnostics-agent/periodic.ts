import {setTimeout as sleep} from 'node:timers/promises';

/**
 * Does something at once and then in every interval (milliseconds) until the signal aborts. A turn that takes longer than
 * an interval delays the next one; turns never overlap. `work` must not reject.
 */
export async function every(interval: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    await work();
    const rest = Math.max(0, interval - (performance.now() - begun));
    await sleep(rest, undefined, {signal}).catch(() => undefined);
  }
}
