/** How long a worker must have served for its end to count as none of its own, in milliseconds. */
const STEADY = 1000;
/** So many may end sooner, one after the other, without a pause: what kills them may be something else. */
const FREE = 2;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;

/** When a worker that has ended is started again: at once, and ever later while it ends at once. */
export class RestartPauses {
  #readyAt: number | undefined;
  #inRow = 0;
  #count = 0;

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** The worker serves now. */
  ready(): void {
    this.#readyAt = performance.now();
  }

  /** The worker has ended. Gives the pause before the next one, in milliseconds. */
  ended(): number {
    const isSteady = this.#readyAt !== undefined && performance.now() - this.#readyAt >= STEADY;
    this.#readyAt = undefined;
    this.#count++;
    this.#inRow = isSteady ? 0 : this.#inRow + 1;
    return this.#inRow <= FREE ? 0 : Math.min(FIRST_PAUSE * 2 ** (this.#inRow - FREE - 1), LONGEST_PAUSE);
  }
}
