/** So many agents may be answering, or have their answers read, at once. */
const PLACES = 32;

export interface Place {
  /** There is an answer: the place is kept until it has been read. */
  keep(): void;
  free(): void;
}

/**
 * Keeps answers from coming all at once: reading what a thousand agents send in the same moment would leave the event loop
 * to nothing else, and all of it would wait in memory.
 */
export class Pacer {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a place. Who is slow holds up no others: after `patience` milliseconds without an answer the place is free. */
  async place(patience: number): Promise<Place> {
    if (this.#taken < PLACES) this.#taken++;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    let isHeld = true;
    const free = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken--;
      else next();
    };
    const timer = setTimeout(free, patience);
    return {keep: () => clearTimeout(timer), free};
  }

  /** The patience with which `count` have all had a place when `time` milliseconds have passed. */
  static patience(count: number, time: number): number {
    return Math.max(1, (time * PLACES) / Math.max(count, PLACES));
  }
}
