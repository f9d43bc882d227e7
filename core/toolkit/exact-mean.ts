import {ExactSum} from './exact-sum.js';
import {nearestDouble, unitsOf} from './rational.js';

/** Between these magnitudes the products below neither run over nor lose digits to the smallest doubles. */
const SMALL = 2 ** -900;
const LARGE = 2 ** 900;
/** Splits a double into two halves of 26 bits. */
const SPLITTER = 2 ** 27 + 1;

/**
 * The mean of `count` values whose sum is `sum`: the double nearest to the sum, divided by the count. Where no double
 * holds the sum, the double nearest to the mean.
 */
export function meanOf(sum: ExactSum, count: number): number {
  const total = sum.rounded();
  return isBeyond(total) ? nearestDouble(sum.units(), BigInt(count)) : total / count + 0;
}

/** Whether a rounded sum stands for one that no double holds. */
export function isBeyond(total: number): boolean {
  return Math.abs(total) === Number.MAX_VALUE;
}

/**
 * The mean of buckets, by which entities are ranked: the double nearest to the true mean, each bucket taken as its total
 * divided by its number of minutes without rounding. Means that are equal in mathematics are the same double therefore,
 * whatever the buckets are and in whatever order they come.
 */
export class BucketMean {
  #buckets = 0;
  readonly #first = new ExactSum();
  #firstMinutes = 0;
  /** The total and the number of minutes of each bucket that has another number than the first. */
  #others: (readonly [total: number, minutes: number])[] = [];

  reset(): void {
    this.#buckets = 0;
    this.#first.reset();
    if (this.#others.length > 0) this.#others = [];
  }

  /** Adds a bucket whose value is a sum divided by a number: of its minutes, or 1. */
  addBucket(sum: ExactSum, divisor: number): void {
    const total = sum.rounded();
    if (isBeyond(total)) this.add(meanOf(sum, divisor), 1);
    else this.add(total, divisor);
  }

  /** Adds `count` minutes, each a bucket, whose values have together the sum of the terms. */
  addTerms(terms: readonly number[], count: number): void {
    this.#buckets += count;
    this.#firstMinutes = 1;
    for (const term of terms) this.#first.add(term);
  }

  /** Adds a bucket: the total of its minutes and their number, or its value and 1. */
  add(total: number, minutes: number): void {
    if (this.#buckets++ === 0) this.#firstMinutes = minutes;
    if (minutes === this.#firstMinutes) this.#first.add(total);
    else this.#others.push([total, minutes]);
  }

  /** Adds minutes of `values`, each a bucket; NaN is no value. */
  addMinutes(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const value = values[i] as number;
      if (!Number.isNaN(value)) this.add(value, 1);
    }
  }

  /** NaN when there is no bucket. */
  finish(): number {
    if (this.#buckets === 0) return Number.NaN;
    const pair = this.#first.pair();
    if (this.#others.length === 0 && pair?.[1] === 0) return pair[0] / (this.#firstMinutes * this.#buckets) + 0;
    return this.#quickly() ?? this.#exactly();
  }

  /** In twice the precision of doubles; undefined where that does not tell which double is the nearest. */
  #quickly(): number | undefined {
    const pair = this.#first.pair();
    if (pair === undefined) return undefined;
    let mean = 0;
    let rest = 0;
    let size = 0;
    /** Adds a quotient; false where doubles lose digits. */
    const add = (high: number, low: number, minutes: number): boolean => {
      if (high === 0 && low === 0) return true;
      const divisor = minutes * this.#buckets;
      const quotient = high / divisor;
      const magnitude = Math.abs(quotient);
      if (magnitude < SMALL || Math.abs(high) > LARGE) return false;
      const product = quotient * divisor;
      rest += (high - product - productError(quotient, divisor, product) + low) / divisor;
      const added = mean + quotient;
      const part = added - mean;
      rest += mean - (added - part) + (quotient - part);
      mean = added;
      size += magnitude + Math.abs(low);
      return true;
    };
    if (!add(pair[0], pair[1], this.#firstMinutes)) return undefined;
    for (const [total, minutes] of this.#others) if (!add(total, 0, minutes)) return undefined;
    const bound = size * (this.#others.length + 2) ** 2 * 2 ** -100;
    const lowest = mean + (rest - bound);
    return lowest === mean + (rest + bound) ? lowest + 0 : undefined;
  }

  #exactly(): number {
    let numerator = this.#first.units();
    let denominator = BigInt(this.#firstMinutes);
    for (const [total, minutes] of this.#others) {
      const divisor = BigInt(minutes);
      if (denominator % divisor !== 0n) {
        numerator *= divisor;
        denominator *= divisor;
      }
      numerator += unitsOf(total) * (denominator / divisor);
    }
    return nearestDouble(numerator, denominator * BigInt(this.#buckets));
  }
}

/** What is missing in `product`, the rounded product of `a` and `b` (Dekker). */
function productError(a: number, b: number, product: number): number {
  const [aHigh, aLow] = halves(a);
  const [bHigh, bLow] = halves(b);
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function halves(value: number): readonly [number, number] {
  const scaled = SPLITTER * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}
