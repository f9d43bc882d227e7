/** Something that waits for its turn. */
export interface Waiter {
  admit(): void;
}

/** How many waiters there may be for each place. */
const WAITING_FACTOR = 4;

/** Lets a bounded number of queries run at once, a bounded number wait in order of arrival, and refuses the rest. */
export class Gate {
  readonly #places: number;
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(places: number) {
    this.#places = places;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** `in`: has a place, and must `leave`. `waits`: will be admitted, or calls `forget`. */
  enter(waiter: Waiter): 'in' | 'waits' | 'full' {
    if (this.#running < this.#places) {
      this.#running++;
      return 'in';
    }
    if (this.#waiting.size >= WAITING_FACTOR * this.#places) return 'full';
    this.#waiting.add(waiter);
    return 'waits';
  }

  /** Gives a place back; the first waiter takes it. */
  leave(): void {
    const [next] = this.#waiting.size === 0 ? [] : this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }

  /** Whether the waiter was still waiting; it will not be admitted then. */
  forget(waiter: Waiter): boolean {
    return this.#waiting.delete(waiter);
  }
}
