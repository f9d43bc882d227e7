import {setTimeout as sleep} from 'node:timers/promises';

/**
 * Tries up to three times, waiting `wait` milliseconds and then twice as long, while failures may pass. Rejects with the
 * last failure.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  {
    wait,
    mayPass,
    signal,
  }: {readonly wait: number; readonly mayPass: (error: unknown) => boolean; readonly signal: AbortSignal},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 3 || signal.aborted || !mayPass(error)) throw error;
    }
    await sleep(wait * tries, undefined, {signal});
  }
}
