import {randomInt} from 'node:crypto';

const WRITERS = 4096;

/**
 * Numbers for batches, of which a later one is always higher: microseconds, and below them a number of this writer, so
 * that two gateways never give the same. Between gateways the order is that of their clocks.
 */
export class VersionClock {
  readonly #now: () => number;
  readonly #writer = BigInt(randomInt(WRITERS));
  #last = 0;

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  next(): bigint {
    this.#last = Math.max(this.#last + 1, Math.floor(this.#now() * 1000));
    return BigInt(this.#last) * BigInt(WRITERS) + this.#writer;
  }
}
