import {NO_REMAINDER, type Remainder} from './accumulator.js';

/**
 * A row of partial aggregates (see `Accumulator`): for each bucket its value (8 bytes) and its number of minutes (2
 * bytes), and behind them all, for each double that a value has left out, the double and the number of its bucket. The
 * hours of one series in one day are such a row, and so are its days in a stretch of 32.
 */
const PARTIAL = 10;

export const DAYS_PER_ROW = 32;

export function emptyPartials(buckets: number): Uint8Array {
  return new Uint8Array(buckets * PARTIAL);
}

/** How many minutes a bucket was made of; 0 when it has no value. */
export function countIn(blob: Uint8Array, bucket: number): number {
  return new DataView(blob.buffer, blob.byteOffset, blob.byteLength).getUint16(bucket * PARTIAL + 8, true);
}

/** Buckets → what their values have left out, for those that have left out anything. */
export type Remainders = Map<number, Remainder>;

/** The row with another partial aggregate in a bucket of its `buckets`. */
export function withPartial(
  blob: Uint8Array,
  buckets: number,
  bucket: number,
  partial: {readonly value: number; readonly count: number; readonly remainder: Remainder},
): Uint8Array {
  const remainders: Remainders = new Map();
  decodeRemainders(blob, buckets, remainders, 0);
  const had = blob.byteLength / PARTIAL - buckets;
  const kept = had - (remainders.get(bucket) ?? NO_REMAINDER).length;
  if (partial.remainder.length > 0) remainders.set(bucket, partial.remainder);
  else remainders.delete(bucket);

  const size = (buckets + kept + partial.remainder.length) * PARTIAL;
  const changed = size === blob.byteLength ? blob : new Uint8Array(size);
  if (changed !== blob) changed.set(blob.subarray(0, buckets * PARTIAL));
  const view = new DataView(changed.buffer, changed.byteOffset, changed.byteLength);
  let offset = 0;
  const put = (value: number, number: number): void => {
    view.setFloat64(offset, value, true);
    view.setUint16(offset + 8, number, true);
    offset += PARTIAL;
  };
  offset = bucket * PARTIAL;
  put(partial.value, partial.count);
  offset = buckets * PARTIAL;
  for (const [of, terms] of remainders) for (const term of terms) put(term, of);
  return changed;
}

/** Reads the partial aggregates of `buckets` buckets, the first to index `to` of everything. */
export function decodePartials(
  blob: Uint8Array,
  buckets: number,
  {values, counts, remainders}: {values: Float64Array; counts: Uint16Array; remainders: Remainders},
  to: number,
): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  for (let bucket = 0; bucket < buckets; bucket++) {
    values[to + bucket] = view.getFloat64(bucket * PARTIAL, true);
    counts[to + bucket] = view.getUint16(bucket * PARTIAL + 8, true);
  }
  decodeRemainders(blob, buckets, remainders, to);
}

function decodeRemainders(blob: Uint8Array, buckets: number, remainders: Remainders, to: number): void {
  if (blob.byteLength === buckets * PARTIAL) return;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  for (let offset = buckets * PARTIAL; offset < blob.byteLength; offset += PARTIAL) {
    const bucket = to + view.getUint16(offset + 8, true);
    remainders.set(bucket, [...(remainders.get(bucket) ?? NO_REMAINDER), view.getFloat64(offset, true)]);
  }
}
