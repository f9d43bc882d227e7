/** Gives a place back. Only the first call counts. */
export type Release = () => void;

/** Lets a bounded number of tasks run at once. The others wait in the order in which they came. */
export class Semaphore {
  readonly #places: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** Throws a `RangeError` for fewer than one place: nothing would ever run. */
  constructor(places: number) {
    if (!(places >= 1)) throw new RangeError(`found ${places} places, expected at least 1`);
    this.#places = places;
  }

  /** Tasks that have a place. */
  get running(): number {
    return this.#running;
  }

  /** Tasks that wait for one. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves with a place. Rejects with the signal's reason when it aborts before; whoever waits leaves the queue then. */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#running < this.#places) this.#running++;
    else await this.#turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  /** Runs the task in its turn; rejects as the task does, or as `acquire` does without running it. */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(signal);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Whoever waits longest takes over the place: it is never free in between for one that has just come. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running--;
    else next();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(admit);
        reject(signal?.reason);
      };
      const admit = (): void => {
        this.#waiting.delete(admit);
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, {once: true});
      this.#waiting.add(admit);
    });
  }
}
