import {setTimeout as sleep} from 'node:timers/promises';

/**
 * Generous, because a machine may be loaded: it tells what hangs from what is slow. The contract's 100 ms are what an
 * adapter should keep when nothing else runs.
 */
const BOUND = 20_000;

/** The outcome of work that was cancelled, or must end soon for another reason; throws when it does not end. */
export async function within<T>(what: string, work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const timer = new AbortController();
  const late = sleep(BOUND, undefined, {signal: timer.signal}).then(() => {
    throw new Error(`${what} has not ended ${BOUND / 1000} s after it should have`);
  });
  const [outcome] = await Promise.race([Promise.allSettled([work]), late]);
  timer.abort();
  await late.catch(() => undefined);
  return outcome as PromiseSettledResult<T>;
}

/** The outcomes of work that was cancelled at the same time. */
export function allWithin(
  what: string,
  work: readonly Promise<unknown>[],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  return Promise.all(work.map(one => within(what, one)));
}
