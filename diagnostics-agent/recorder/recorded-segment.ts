/** A segment is given up as a whole, so it must be small beside the budget. */
const VALUE_BYTES = 64 * 1024;
const SHARE_OF_BUDGET = 64;
/** What the objects around the arrays cost. */
const OVERHEAD = 800;

/** Consecutive scrapes of one endpoint that had the same series in the same order: a time and a row of values each. */
export class RecordedSegment {
  /** The numbers of the series, in the order of the values of a row. */
  readonly series: Int32Array;
  readonly memory: number;
  readonly #times: Float64Array;
  readonly #values: Float64Array;
  #rows = 0;

  constructor(series: Int32Array, budget: number) {
    const bytes = Math.min(VALUE_BYTES, budget / SHARE_OF_BUDGET);
    const capacity = Math.max(1, Math.floor(bytes / (8 * (series.length + 1))));
    this.series = series.slice();
    this.#times = new Float64Array(capacity);
    this.#values = new Float64Array(capacity * series.length);
    this.memory = OVERHEAD + this.series.byteLength + this.#times.byteLength + this.#values.byteLength;
  }

  get rows(): number {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows === this.#times.length;
  }

  /** When a row was scraped, in milliseconds since 1970. */
  timeOf(row: number): number {
    return this.#times[row] ?? Number.NaN;
  }

  valuesOf(row: number): Float64Array {
    const {length} = this.series;
    return this.#values.subarray(row * length, (row + 1) * length);
  }

  hasSeries(series: Int32Array): boolean {
    if (series.length !== this.series.length) return false;
    for (let i = 0; i < series.length; i++) if (series[i] !== this.series[i]) return false;
    return true;
  }

  add(time: number, values: Float64Array): void {
    this.#times[this.#rows] = time;
    this.#values.set(values, this.#rows * this.series.length);
    this.#rows++;
  }
}
