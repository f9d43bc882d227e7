/** Lets a bounded number of tasks run at once. The others wait in the order in which they came. */
export class Lane {
  readonly #places: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(places: number) {
    this.#places = places;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs the task in its turn. Rejects without running it when `signal` aborts before. */
  async run<Result>(task: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    if (this.#running < this.#places) this.#running++;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      // Whoever waits takes over the place.
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else next();
    }
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
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, {once: true});
      this.#waiting.add(admit);
    });
  }
}
