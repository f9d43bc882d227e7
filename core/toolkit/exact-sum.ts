import {nearestDouble, unitsOf} from './rational.js';

/** Below this, additions cannot run over. */
const LARGE = 2 ** 1022;

/**
 * Adds doubles without rounding, so that the outcome does not depend on their order. The sum is kept as two doubles,
 * which hold almost any sum of values of a metric; what they do not hold stands beside them, term by term.
 */
export class ExactSum {
  #high = 0;
  #low = 0;
  #rest: number[] = [];

  reset(): void {
    this.#high = 0;
    this.#low = 0;
    if (this.#rest.length > 0) this.#rest = [];
  }

  /** Adds a finite double. */
  add(term: number): void {
    const high = this.#high + term;
    if (Math.abs(high) > LARGE) {
      this.#rest.push(term);
      return;
    }
    const lost = roundingError(this.#high, term, high);
    this.#high = high;
    if (lost === 0) return;
    const low = this.#low + lost;
    const lostAgain = roundingError(this.#low, lost, low);
    this.#low = low;
    if (lostAgain !== 0) this.#rest.push(lostAgain);
  }

  /** The double nearest to the sum; of a sum beyond all doubles the largest of its sign. Never -0. */
  rounded(): number {
    return this.#rest.length === 0 ? this.#high + this.#low + 0 : nearestDouble(this.units(), 1n);
  }

  /** The two doubles, when they hold the sum. */
  pair(): readonly [high: number, low: number] | undefined {
    return this.#rest.length === 0 ? [this.#high, this.#low] : undefined;
  }

  /** The sum in whole numbers of 2^-1074. */
  units(): bigint {
    return this.#rest.reduce((sum, term) => sum + unitsOf(term), unitsOf(this.#high) + unitsOf(this.#low));
  }

  /** What `rounded` has left out, as doubles whose sum it is; most often one or none. */
  remainder(): readonly number[] {
    const total = this.rounded();
    if (this.#rest.length === 0) {
      const left = roundingError(this.#high, this.#low, total);
      return left === 0 ? [] : [left];
    }
    const left: number[] = [];
    for (let units = this.units() - unitsOf(total); units !== 0n; units -= unitsOf(left.at(-1) ?? 0)) {
      left.push(nearestDouble(units, 1n));
    }
    return left;
  }
}

/** What is missing in `sum`, the rounded sum of `a` and `b`: exactly a double (Knuth). */
function roundingError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}
