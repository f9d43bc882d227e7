/**
 * The mean of buckets in the rounded arithmetic of doubles, with a bound of its error: tells cheaply which entities cannot
 * be among the first, so that the exact means of the others are enough.
 */
export class RoughMean {
  #sum = 0;
  #size = 0;
  #buckets = 0;

  reset(): void {
    this.#sum = 0;
    this.#size = 0;
    this.#buckets = 0;
  }

  /** Adds a bucket: the total of its minutes and their number, or its value and 1. */
  add(total: number, minutes: number): void {
    const value = total / minutes;
    this.#sum += value;
    this.#size += Math.abs(value);
    this.#buckets++;
  }

  /** NaN when there is no bucket. */
  get mean(): number {
    return this.#sum / this.#buckets;
  }

  /**
   * The rounded exact mean is at most so far from `mean`: one rounding for each quotient and each addition, three for the
   * two means, each 2^-53 of the size at most, and as much again for what this itself rounds. Infinite where sums run over.
   */
  get error(): number {
    const error = (this.#size / this.#buckets) * (this.#buckets + 16) * 2 ** -52 + 1e-300;
    return this.#size < LARGE ? error : Number.POSITIVE_INFINITY;
  }
}

/** Below it, totals of minutes are sums that doubles hold. */
const LARGE = 2 ** 900;
