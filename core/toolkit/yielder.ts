/**
 * How long computations share the one thread that also accepts connections and answers health checks.
 *
 * Whatever takes more than a few milliseconds is written as steps, a generator that yields wherever it may pause, and is
 * run by `cooperate`; a plain loop is a call of `forEachYielding`; one that awaits anyway asks `pause` now and then. In each turn of the event loop all of them
 * together have one slice of time; those that want more wait in a queue and are continued in the order in which they
 * came, one a turn. So a turn stays short however many computations are under way, each of them goes on, and a small
 * request that arrives in between is served at once.
 */

/** How long the thread is held in one turn of the event loop, in milliseconds. */
const SLICE_MS = 2;

/** Most computations end within a few steps, and need not ask for the time. */
const FREE_STEPS = 4;

/** Whoever may be told to give up. Work that nobody waits for, such as what a timer began, has none. */
export type Cancellable = {readonly signal: AbortSignal} | undefined;

/** A computation that may pause wherever it yields. */
export type Steps<Result> = Generator<void, Result, void>;

/** There is one thread, and so one queue for whoever waits for it. */
const waiting: (() => void)[] = [];
let sliceEnd = 0;
let isTurning = false;

function turn(): void {
  const next = waiting.shift();
  isTurning = next !== undefined;
  if (next === undefined) return;
  sliceEnd = performance.now() + SLICE_MS;
  setImmediate(turn);
  next();
}

/** Whether this turn's slice is used up. The first to ask in a turn begins it. */
function isOver(): boolean {
  const now = performance.now();
  if (isTurning) return now >= sliceEnd;
  isTurning = true;
  sliceEnd = now + SLICE_MS;
  setImmediate(turn);
  return false;
}

/**
 * Lets others have their turn when this one's slice is used up, else goes on at once. Rejects with the signal's reason
 * when it has aborted meanwhile. The signal is asked for only then, because asking may create it: a loop that awaits other
 * things between its pauses has a new slice each time, and looks at the signal itself.
 */
export async function pause(call?: Cancellable): Promise<void> {
  if (!isOver()) return;
  const signal = call?.signal;
  await new Promise<void>(resolve => waiting.push(resolve));
  signal?.throwIfAborted();
}

/**
 * Runs a computation to its end, with pauses. Rejects with the signal's reason when it finds at a pause that it has aborted;
 * the steps are ended then, so that their `finally` runs. What is short has no pause, and so is not ended.
 */
export async function cooperate<Result>(steps: Steps<Result>, call?: Cancellable): Promise<Result> {
  for (let taken = 1; ; taken++) {
    const {done, value} = steps.next();
    if (done) return value;
    if (taken <= FREE_STEPS || !isOver()) continue;
    try {
      await pause(call);
    } catch (error) {
      steps.return(undefined as Result);
      throw error;
    }
  }
}

/**
 * A plain loop with pauses: calls `take` for each item, and awaits what it gives when that is a promise. An item is worth a
 * look at the clock, some 50 ns: where it takes less, let an item be a chunk. Rejects with the signal's reason when it finds
 * at a pause, or after a promise, that it has aborted.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  take: (item: Item) => void | Promise<void>,
  call?: Cancellable,
): Promise<void> {
  let taken = 0;
  for (const item of items) {
    const waits = take(item);
    if (waits !== undefined) {
      await waits;
      call?.signal.throwIfAborted();
    }
    if (++taken > FREE_STEPS && isOver()) await pause(call);
  }
}

/** Runs a computation to its end without a pause: one that is known to be short. */
export function complete<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}
