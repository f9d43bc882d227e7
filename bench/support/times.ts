const LEAST_CALLS = 5;
const UNCOUNTED_CALLS = 2;

type Work = (index: number) => Promise<unknown>;

/**
 * Milliseconds of the calls of both, which one caller makes in turns for so long, after a few that do not count: what else
 * the machine does meanwhile meets both.
 */
export async function timesInTurns(
  seconds: number,
  one: Work,
  other: Work,
): Promise<readonly [readonly number[], readonly number[]]> {
  const times: [number[], number[]] = [[], []];
  let end = Number.POSITIVE_INFINITY;
  for (let i = -UNCOUNTED_CALLS; i < LEAST_CALLS || performance.now() < end; i++) {
    if (i === 0) end = performance.now() + seconds * 1000;
    for (const [which, work] of [one, other].entries()) {
      const begun = performance.now();
      await work(Math.max(i, 0));
      if (i >= 0) times[which]?.push(performance.now() - begun);
    }
  }
  return times;
}

export function p50(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** Works on all items, so many under way at a time, and sums the results. */
export async function inTurn<Item>(
  items: Iterable<Item>,
  underWay: number,
  work: (item: Item) => Promise<number>,
): Promise<number> {
  const running = new Set<Promise<void>>();
  let sum = 0;
  for (const item of items) {
    const one: Promise<void> = work(item).then(result => {
      sum += result;
      running.delete(one);
    });
    running.add(one);
    if (running.size === underWay) await Promise.race(running);
  }
  await Promise.all(running);
  return sum;
}
