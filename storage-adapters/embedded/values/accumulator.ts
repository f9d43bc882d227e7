import type {Rollup} from '../../../core/api/adapter.js';
import {type BucketMean, meanOf} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';

/** What the rounded sum of a partial aggregate has left out, as doubles whose sum it is; none for whole numbers. */
export type Remainder = readonly number[];

export const NO_REMAINDER: Remainder = [];

/**
 * Makes one longer bucket of minutes, or of shorter buckets that are not finished yet ("partial aggregates"). A partial
 * aggregate is a value, the number of minutes in it and, for sums, what the value has left out; for `avg` the value is
 * the sum, so that a day's mean is that of its minutes and not of its hours. Sums are exact, so a partial aggregate is
 * the same in whatever order and portions it was made. A bucket without minutes has the number 0.
 */
export class Accumulator {
  #rollup: Rollup = 'avg';
  readonly #sum = new ExactSum();
  #value = 0;
  count = 0;

  reset(rollup: Rollup): void {
    this.#rollup = rollup;
    this.#sum.reset();
    this.#value = 0;
    this.count = 0;
  }

  get value(): number {
    return isSum(this.#rollup) ? this.#sum.rounded() : this.#value;
  }

  get remainder(): Remainder {
    return isSum(this.#rollup) ? this.#sum.remainder() : NO_REMAINDER;
  }

  /** Adds minutes of `values` in the order of time; NaN is no value. */
  addMinutes(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const value = values[i] as number;
      if (!Number.isNaN(value)) this.addPartial(value, 1, NO_REMAINDER);
    }
  }

  /** Adds a minute, or the partial aggregate of an hour that was made with the same rollup. */
  addPartial(value: number, count: number, remainder: Remainder): void {
    if (count === 0) return;
    if (isSum(this.#rollup)) {
      this.#sum.add(value);
      for (const term of remainder) this.#sum.add(term);
    } else if (this.count === 0 || this.#rollup === 'latest') {
      this.#value = value;
    } else if (this.#rollup === 'min' ? value < this.#value : value > this.#value) {
      this.#value = value;
    }
    this.count += count;
  }

  /** The value of the bucket: NaN when it has no minutes. */
  finish(): number {
    if (this.count === 0) return Number.NaN;
    return this.#rollup === 'avg' ? meanOf(this.#sum, this.count) : this.value;
  }

  /** Adds the bucket to a mean of buckets. */
  addTo(mean: BucketMean): void {
    if (this.count === 0) return;
    if (this.#rollup === 'avg') mean.addBucket(this.#sum, this.count);
    else mean.add(this.value, 1);
  }
}

function isSum(rollup: Rollup): boolean {
  return rollup === 'avg' || rollup === 'sum';
}
