/**
 * A row of cells (see `Accumulator`): for each bucket its value (8 bytes) and its number of minutes (2 bytes). The
 * hours of one series in one day are such a row, and so are its days in a stretch of 32.
 */
const CELL = 10;

export const DAYS_PER_ROW = 32;

export function emptyCells(buckets: number): Uint8Array {
  return new Uint8Array(buckets * CELL);
}

export function writeCell(blob: Uint8Array, bucket: number, value: number, count: number): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  view.setFloat64(bucket * CELL, value, true);
  view.setUint16(bucket * CELL + 8, count, true);
}

/** Reads every cell, the first to index `to` of both arrays. */
export function decodeCells(blob: Uint8Array, values: Float64Array, counts: Uint16Array, to: number): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const buckets = blob.byteLength / CELL;
  for (let bucket = 0; bucket < buckets; bucket++) {
    values[to + bucket] = view.getFloat64(bucket * CELL, true);
    counts[to + bucket] = view.getUint16(bucket * CELL + 8, true);
  }
}
