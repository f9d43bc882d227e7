/** How far back it looks, in milliseconds: what is longer ago counts less and less. */
const SPAN = 5000;
/** The share of time above which what can wait should. */
const HIGH = 0.25;

/**
 * How much of its time a thread has spent on writing lately. What saves room rather than time waits while that is much: a
 * burst is not slowed down by it, and it is done when the burst is over.
 */
export class WritingLoad {
  #spent = 0;
  #at = Number.NEGATIVE_INFINITY;

  /** Writing took so many milliseconds until `now`. */
  add(spent: number, now: number): void {
    this.#spent = this.#left(now) + spent;
    this.#at = now;
  }

  isHigh(now: number): boolean {
    return this.#left(now) / SPAN > HIGH;
  }

  #left(now: number): number {
    return this.#spent * Math.exp((this.#at - now) / SPAN);
  }
}
