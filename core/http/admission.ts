/** Something that waits for its turn. */
export interface Waiter {
  admit(): void;
}

/** How many waiters there may be for each place. */
const WAITING_FACTOR = 4;

/** How long requests may be begun in one turn of the event loop, in milliseconds, before others have theirs. */
const SLICE_MS = 10;

/**
 * Lets a bounded number of requests run at once, a bounded number wait in order of arrival, and refuses the rest.
 *
 * It also spreads them over time. Hundreds of requests can be read from their connections in one turn of the event loop;
 * begun one after the other they would hold the thread for the sum of their costs, and clients that have left meanwhile
 * would be noticed only then. So once a turn's slice is used up they wait, and are begun one a turn.
 */
export class AdmissionLimiter {
  #places = 0;
  #capacity = 0;
  readonly #waiting = new Set<Waiter>();
  #running = 0;
  #sliceEnd = 0;
  #isScheduled = false;

  /** Room for `places` that run and `WAITING_FACTOR` times `base` that wait. */
  constructor(places: number, base = places) {
    this.resize(places, base);
  }

  /** Gives it other bounds; who runs and who waits stays. */
  resize(places: number, base = places): void {
    this.#places = places;
    this.#capacity = places + WAITING_FACTOR * base;
    this.#schedule();
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** `in`: has a place, and must `leave`. `waits`: will be admitted, or calls `forget`. */
  enter(waiter: Waiter): 'in' | 'waits' | 'full' {
    if (this.#running < this.#places && this.#waiting.size === 0 && this.#hasTime()) {
      this.#running++;
      return 'in';
    }
    if (this.#running + this.#waiting.size >= this.#capacity) return 'full';
    this.#waiting.add(waiter);
    this.#schedule();
    return 'waits';
  }

  /** Gives a place back. */
  leave(): void {
    this.#running--;
    this.#schedule();
  }

  /** Whether the waiter was still waiting; it will not be admitted then. */
  forget(waiter: Waiter): boolean {
    return this.#waiting.delete(waiter);
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#sliceEnd > 0) return now < this.#sliceEnd;
    this.#sliceEnd = now + SLICE_MS;
    setImmediate(this.#endSlice);
    return true;
  }

  readonly #endSlice = (): void => {
    this.#sliceEnd = 0;
  };

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0 || this.#running >= this.#places) return;
    this.#isScheduled = true;
    setImmediate(this.#admitNext);
  }

  /** One a turn: what its handler does after its first pause counts too, and only then is it known what it took. */
  readonly #admitNext = (): void => {
    this.#isScheduled = false;
    if (this.#running >= this.#places) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.#running++;
    this.#schedule();
    next.admit();
  };
}
