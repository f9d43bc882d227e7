/** A blob is the smallest number and 32-bit distances from it, or else plain doubles, and then a byte that tells which. */
const DISTANCES = 1;
const PLAIN = 0;
const NONE = 0xffff_ffff;
const BASE_BYTES = 8;

/** One number per span of a block, as it is stored: most reads need few of them. NaN stands for none. */
export class BlockColumn {
  readonly #values: Uint32Array | Float64Array;
  /** What distances are counted from; undefined when the values are plain. */
  readonly #low: number | undefined;

  constructor(blob: Uint8Array) {
    // A copy where the blob begins at a byte of its buffer at which no number can.
    const {buffer, byteOffset} = blob.byteOffset % 8 === 0 ? blob : new Uint8Array(blob);
    const bytes = blob.length - 1;
    if (blob[bytes] === PLAIN) {
      this.#values = new Float64Array(buffer, byteOffset, bytes / 8);
      this.#low = undefined;
    } else {
      this.#values = new Uint32Array(buffer, byteOffset + BASE_BYTES, (bytes - BASE_BYTES) / 4);
      this.#low = new DataView(buffer, byteOffset).getFloat64(0, true);
    }
  }

  get length(): number {
    return this.#values.length;
  }

  get byteLength(): number {
    return this.#values.byteLength;
  }

  /** NaN beyond the end too. */
  at(index: number): number {
    const value = this.#values[index] ?? Number.NaN;
    if (this.#low === undefined) return value;
    return value === NONE ? Number.NaN : this.#low + value;
  }

  /** All of them. */
  values(): Float64Array {
    if (this.#values instanceof Float64Array) return this.#values;
    const values = new Float64Array(this.length);
    for (let index = 0; index < values.length; index++) values[index] = this.at(index);
    return values;
  }

  /** The first index whose number is at least `value`, of a column in ascending order. */
  firstAtLeast(value: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function encodeColumn(values: Float64Array): Uint8Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let whole = true;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
    if (!Number.isNaN(value) && !Number.isSafeInteger(value)) whole = false;
  }
  if (!whole || high - low >= NONE) return plain(values);
  const blob = new Uint8Array(BASE_BYTES + values.length * 4 + 1);
  new DataView(blob.buffer).setFloat64(0, low, true);
  const distances = new Uint32Array(blob.buffer, BASE_BYTES, values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    distances[i] = Number.isNaN(value) ? NONE : value - low;
  }
  blob[blob.length - 1] = DISTANCES;
  return blob;
}

function plain(values: Float64Array): Uint8Array {
  const blob = new Uint8Array(values.byteLength + 1);
  blob.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  blob[blob.length - 1] = PLAIN;
  return blob;
}
