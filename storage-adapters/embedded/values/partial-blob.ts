import {NO_REMAINDER, type Remainder} from './accumulator.js';

/**
 * A row of cells (see `Accumulator`): for each bucket its value (8 bytes) and its number of minutes (2 bytes), and behind
 * them all, for each double that a value has left out, the double and the number of its bucket. The hours of one series in
 * one day are such a row, and so are its days in a stretch of 32.
 */
const CELL = 10;

export const DAYS_PER_ROW = 32;

export function emptyCells(buckets: number): Uint8Array {
  return new Uint8Array(buckets * CELL);
}

/** Buckets → what their values have left out, for those that have left out anything. */
export type Remainders = Map<number, Remainder>;

/** The row with another cell in a bucket of its `buckets`. */
export function withCell(
  blob: Uint8Array,
  buckets: number,
  bucket: number,
  cell: {readonly value: number; readonly count: number; readonly remainder: Remainder},
): Uint8Array {
  const remainders: Remainders = new Map();
  decodeRemainders(blob, buckets, remainders, 0);
  const had = blob.byteLength / CELL - buckets;
  const kept = had - (remainders.get(bucket) ?? NO_REMAINDER).length;
  if (cell.remainder.length > 0) remainders.set(bucket, cell.remainder);
  else remainders.delete(bucket);

  const size = (buckets + kept + cell.remainder.length) * CELL;
  const changed = size === blob.byteLength ? blob : new Uint8Array(size);
  if (changed !== blob) changed.set(blob.subarray(0, buckets * CELL));
  const view = new DataView(changed.buffer, changed.byteOffset, changed.byteLength);
  let offset = 0;
  const put = (value: number, number: number): void => {
    view.setFloat64(offset, value, true);
    view.setUint16(offset + 8, number, true);
    offset += CELL;
  };
  offset = bucket * CELL;
  put(cell.value, cell.count);
  offset = buckets * CELL;
  for (const [of, terms] of remainders) for (const term of terms) put(term, of);
  return changed;
}

/** Reads the cells of `buckets` buckets, the first to index `to` of everything. */
export function decodeCells(
  blob: Uint8Array,
  buckets: number,
  {values, counts, remainders}: {values: Float64Array; counts: Uint16Array; remainders: Remainders},
  to: number,
): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  for (let bucket = 0; bucket < buckets; bucket++) {
    values[to + bucket] = view.getFloat64(bucket * CELL, true);
    counts[to + bucket] = view.getUint16(bucket * CELL + 8, true);
  }
  decodeRemainders(blob, buckets, remainders, to);
}

function decodeRemainders(blob: Uint8Array, buckets: number, remainders: Remainders, to: number): void {
  if (blob.byteLength === buckets * CELL) return;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  for (let offset = buckets * CELL; offset < blob.byteLength; offset += CELL) {
    const bucket = to + view.getUint16(offset + 8, true);
    remainders.set(bucket, [...(remainders.get(bucket) ?? NO_REMAINDER), view.getFloat64(offset, true)]);
  }
}
