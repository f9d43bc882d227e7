import {crc32} from 'node:zlib';
import {MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import {DamagedValues} from '../disk/storage-error.js';

/**
 * The minutes of one series in one hour: a byte that gives the width of a value, 64 bits that tell which minutes have
 * one, those values in the narrowest form that holds all of them exactly, and a checksum (CRC-32) over all of that. What
 * versions before had written has none, which the first bit of the first byte tells.
 */
const HEADER = 9;
const HAS_CHECKSUM = 0x80;
const CHECKSUM = 4;
const FLOAT64 = 0;
const FLOAT32 = 1;
const INT32 = 2;
const INT16 = 3;
const INT8 = 4;
const WIDTHS = [8, 4, 4, 2, 1];

function formOf(values: Float64Array, from: number): number {
  let integers = true;
  let floats = true;
  let low = 0;
  let high = 0;
  for (let i = from; i < from + MINUTES_PER_HOUR; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    if (integers && !Number.isInteger(value)) integers = false;
    if (floats && Math.fround(value) !== value) floats = false;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (integers) {
    if (low >= -0x80 && high <= 0x7f) return INT8;
    if (low >= -0x8000 && high <= 0x7fff) return INT16;
    if (low >= -0x8000_0000 && high <= 0x7fff_ffff) return INT32;
  }
  return floats ? FLOAT32 : FLOAT64;
}

const scratch = new Uint8Array(HEADER + MINUTES_PER_HOUR * 8 + CHECKSUM);
const scratchView = new DataView(scratch.buffer);

/** Valid until the next call. Undefined when no minute has a value. */
export function encodeMinutes(values: Float64Array, from: number): Uint8Array | undefined {
  const form = formOf(values, from);
  let offset = HEADER;
  const bits = [0, 0];
  for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
    const value = values[from + minute] as number;
    if (Number.isNaN(value)) continue;
    const word = minute >> 5;
    bits[word] = (bits[word] as number) | (1 << (minute & 31));
    if (form === FLOAT64) scratchView.setFloat64(offset, value, true);
    else if (form === FLOAT32) scratchView.setFloat32(offset, value, true);
    else if (form === INT32) scratchView.setInt32(offset, value, true);
    else if (form === INT16) scratchView.setInt16(offset, value, true);
    else scratchView.setInt8(offset, value);
    offset += WIDTHS[form] as number;
  }
  if (offset === HEADER) return undefined;
  scratchView.setUint8(0, form | HAS_CHECKSUM);
  scratchView.setInt32(1, bits[0] as number, true);
  scratchView.setInt32(5, bits[1] as number, true);
  scratchView.setUint32(offset, crc32(scratch.subarray(0, offset)), true);
  return scratch.subarray(0, offset + CHECKSUM);
}

function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Whether it is what was written, as far as can be told. */
export function isSound(blob: Uint8Array): boolean {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob.byteLength < HEADER) return false;
  const form = view.getUint8(0);
  if ((form & HAS_CHECKSUM) === 0) {
    const values = bitsOf(view.getUint32(1, true)) + bitsOf(view.getUint32(5, true));
    return blob.byteLength === HEADER + values * (WIDTHS[form] ?? 0);
  }
  const end = blob.byteLength - CHECKSUM;
  return crc32(blob.subarray(0, end)) === view.getUint32(end, true);
}

/**
 * Writes the minutes that have a value into `out`, the first at `to`, and leaves the others as they are. Throws when the
 * blob is not what was written.
 */
export function decodeMinutes(blob: Uint8Array, out: Float64Array, to: number): void {
  if (!isSound(blob)) throw new DamagedValues('minute values');
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const form = view.getUint8(0) & ~HAS_CHECKSUM;
  const low = view.getInt32(1, true);
  const high = view.getInt32(5, true);
  let offset = HEADER;
  for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
    const word = minute < 32 ? low : high;
    if ((word & (1 << (minute & 31))) === 0) continue;
    if (form === FLOAT64) out[to + minute] = view.getFloat64(offset, true);
    else if (form === FLOAT32) out[to + minute] = view.getFloat32(offset, true);
    else if (form === INT32) out[to + minute] = view.getInt32(offset, true);
    else if (form === INT16) out[to + minute] = view.getInt16(offset, true);
    else out[to + minute] = view.getInt8(offset);
    offset += WIDTHS[form] as number;
  }
}
