/** One number per span of a block; NaN stands for none. */
export type Column = Float64Array;

/** A blob is the smallest value and 32-bit distances from it, or else the numbers as they are, and then a byte that tells which. */
const DISTANCES = 1;
const PLAIN = 0;
const NONE = 0xffff_ffff;
const BASE_BYTES = 8;

export function encodeColumn(values: Column): Uint8Array {
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

function plain(values: Column): Uint8Array {
  const blob = new Uint8Array(values.byteLength + 1);
  blob.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  blob[blob.length - 1] = PLAIN;
  return blob;
}

export function decodeColumn(blob: Uint8Array): Column {
  // A copy of its own, because a blob may begin at any byte of a buffer.
  const {buffer} = new Uint8Array(blob);
  const bytes = blob.length - 1;
  if (blob[bytes] === PLAIN) return new Float64Array(buffer, 0, bytes / 8);
  const low = new DataView(buffer).getFloat64(0, true);
  const distances = new Uint32Array(buffer, BASE_BYTES, (bytes - BASE_BYTES) / 4);
  const values = new Float64Array(distances.length);
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i] as number;
    values[i] = distance === NONE ? Number.NaN : low + distance;
  }
  return values;
}
