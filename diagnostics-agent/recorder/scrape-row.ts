/** The samples of one scrape while it is read: series numbers and values side by side, each series once. */
export class ScrapeRow {
  #series = new Int32Array(64);
  #values = new Float64Array(64);
  /** For each series number, its position + 1 in this row. */
  #positions = new Int32Array(64);
  #length = 0;
  #repeated = 0;

  get length(): number {
    return this.#length;
  }

  /** Samples that a later one of the same series replaced. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Valid until the next `reset`. */
  get series(): Int32Array {
    return this.#series.subarray(0, this.#length);
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  /** Allocated bytes. */
  get memory(): number {
    return this.#series.byteLength + this.#values.byteLength + this.#positions.byteLength;
  }

  reset(): void {
    for (let i = 0; i < this.#length; i++) this.#positions[this.#series[i] as number] = 0;
    this.#length = 0;
    this.#repeated = 0;
  }

  add(series: number, value: number): void {
    const position = this.#positions[series] ?? 0;
    if (position > 0) {
      this.#values[position - 1] = value;
      this.#repeated++;
      return;
    }
    if (this.#length === this.#series.length) {
      this.#series = enlarged(this.#series, Int32Array, this.#length + 1);
      this.#values = enlarged(this.#values, Float64Array, this.#length + 1);
    }
    if (series >= this.#positions.length) this.#positions = enlarged(this.#positions, Int32Array, series + 1);
    this.#series[this.#length] = series;
    this.#values[this.#length] = value;
    this.#length++;
    this.#positions[series] = this.#length;
  }
}

function enlarged<T extends Int32Array | Float64Array>(old: T, type: new (length: number) => T, needed: number): T {
  const larger = new type(Math.ceil(needed * 1.5) + 64);
  larger.set(old);
  return larger;
}
