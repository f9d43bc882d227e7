import {type BucketWindow, GatewayError} from '../../../core/api/plugin.js';
import {counted} from '../../../core/toolkit/messages.js';

/** How many values one query may read and compute, empty buckets included. */
const MAX_VALUES = 1_000_000;
/** What a series costs beside the values in its buckets: its labels, and its place in groups and pairs. */
const SERIES_VALUES = 50;
/** From how many values on a query is heavy: some megabytes, and some ten milliseconds. */
const HEAVY_VALUES = 100_000;
/** How many samples one answer may hold. To write one takes several times as long as to compute it. */
const MAX_SAMPLES = 250_000;

/**
 * How much one query may read and compute. It is refused before anything is read when one series a selector would be too
 * much already, and later when its selectors turn out to select too many. So no query holds the thread for long.
 */
export class QueryBudget {
  #values = 0;
  /** What rankings may come to, if there is so much. */
  #expected = 0;

  /** Whether the query is much work, as far as is known. */
  get isHeavy(): boolean {
    return this.#values + this.#expected >= HEAVY_VALUES;
  }

  /** Takes what a query costs at least: a series of each selector, and each operator over the widest window. */
  charge(operations: number, selectors: readonly {readonly window: BucketWindow}[]): void {
    let widest = 0;
    for (const {window} of selectors) {
      this.#values += costOf(1, window.count);
      widest = Math.max(widest, window.count);
    }
    this.#values += costOf(operations, widest);
    if (this.#values <= MAX_VALUES) return;
    const asked = `${counted(selectors.length, 'selector')} and ${counted(operations, 'operator')} over ${widest} buckets`;
    this.#refuse(`${asked}, about ${this.#values} values to read and compute`);
  }

  /** Notes a ranking with this limit, before it is known how many entities there are. */
  expect(limit: number, slots: number): void {
    this.#expected += costOf(limit, slots);
  }

  /** Takes the series beyond the first: of a selector that has been read, or of an operator that is about to be applied. */
  add(series: number, slots: number): void {
    if (series > 1) this.#values += costOf(series - 1, slots);
    if (this.#values > MAX_VALUES)
      this.#refuse(`the series found so far make ${this.#values} values to read and compute`);
  }

  #refuse(asked: string): never {
    const message = `${asked}, and at most ${MAX_VALUES} are allowed: ask for a shorter range, fewer operators or a smaller top_n`;
    throw new GatewayError('limit_exceeded', message);
  }
}

function costOf(series: number, slots: number): number {
  return series * (slots + SERIES_VALUES);
}

/** Refuses an answer that would take too long to write. */
export function requireAnswerable(series: number, slots: number): void {
  const samples = series * slots;
  if (samples <= MAX_SAMPLES) return;
  const message = `the answer has ${samples} samples, ${series} series over ${slots} buckets, and at most ${MAX_SAMPLES} are allowed: ask for a shorter range or a smaller top_n`;
  throw new GatewayError('limit_exceeded', message);
}
