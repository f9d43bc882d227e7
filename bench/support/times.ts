const LEAST_CALLS = 5;
/** The part of the time in which calls do not count, and how many of them there are at least. */
const UNCOUNTED_TIME = 0.25;
const UNCOUNTED_CALLS = 2;
/** Milliseconds in which programs compile what they run often. */
const WARM_UP = 4000;

type Work = (index: number) => Promise<unknown>;

/**
 * Milliseconds of the calls of both, which one caller makes in turns for so long, after some that do not count: what else
 * the machine does meanwhile meets both.
 */
export async function timesInTurns(
  seconds: number,
  one: Work,
  other: Work,
): Promise<readonly [readonly number[], readonly number[]]> {
  const times: [number[], number[]] = [[], []];
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  for (let i = 0, counted = 0; counted < LEAST_CALLS || elapsed() < seconds; i++) {
    const counts = i >= UNCOUNTED_CALLS && elapsed() >= seconds * UNCOUNTED_TIME;
    for (const [which, work] of [one, other].entries()) {
      const from = performance.now();
      await work(i);
      if (counts) times[which]?.push(performance.now() - from);
    }
    if (counts) counted++;
  }
  return times;
}

/** Does everything again and again for a while, so that nothing is asked for the first time when it is measured. */
export async function warmUp(works: readonly Work[]): Promise<void> {
  const end = performance.now() + WARM_UP;
  for (let i = 0; performance.now() < end; i++) for (const work of works) await work(i);
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
