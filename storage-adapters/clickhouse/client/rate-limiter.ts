import {setTimeout as wait} from 'node:timers/promises';

/**
 * Keeps the number of inserts down, because the server merges the parts that they make in the background: some may go
 * at once, and further ones at this many a second. What waits meanwhile goes together with the next.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
    this.#tokens = burst;
    this.#at = now();
  }

  async turn(): Promise<void> {
    const now = this.#now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    this.#tokens -= 1;
    if (this.#tokens < 0) await wait((-this.#tokens / this.#perSecond) * 1000);
  }
}
