import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';

/** A value that is loaded once for all who ask at the same time, and again when it is too old. */
export class Cached<T> {
  readonly #load: () => Promise<T>;
  readonly #maxAge: number;
  #loading: Promise<T> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  /** Whoever asks may be cancelled; the load goes on for the others. Ages are milliseconds. */
  constructor(load: () => Promise<T>, maxAge: number) {
    this.#load = load;
    this.#maxAge = maxAge;
  }

  get(signal: AbortSignal, maxAge = this.#maxAge): Promise<T> {
    const isTooOld = performance.now() - this.#loadedAt > maxAge;
    const loading = this.#loading === undefined || isTooOld ? this.#begin() : this.#loading;
    return unlessAborted(loading, signal);
  }

  #begin(): Promise<T> {
    // While it loads it counts as young, so that nobody begins again.
    this.#loadedAt = Number.POSITIVE_INFINITY;
    const loading = this.#load();
    this.#loading = loading;
    loading.then(
      () => {
        this.#loadedAt = performance.now();
      },
      () => {
        if (this.#loading === loading) this.#loading = undefined;
      },
    );
    return loading;
  }
}
