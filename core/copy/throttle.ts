import {setTimeout as sleep} from 'node:timers/promises';
import {MS_PER_SECOND} from '../toolkit/time.js';

/** Keeps to so many units a second, on the whole. Without a rate it never waits. */
export class Throttle {
  readonly #rate: number;
  readonly #begun = performance.now();
  #units = 0;

  constructor(rate = Number.POSITIVE_INFINITY) {
    this.#rate = rate;
  }

  /** Waits until so many more may have been done. Rejects when `signal` aborts. */
  async spend(units: number, signal: AbortSignal): Promise<void> {
    this.#units += units;
    const early = (this.#units / this.#rate) * MS_PER_SECOND - (performance.now() - this.#begun);
    if (early > 0) await sleep(early, undefined, {signal});
  }
}
