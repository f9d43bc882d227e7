import {delimitedField, varintField} from './wire-reader.js';

/** Messages of a few fields, as answers have them, without a generated encoder. A field that has its default is left out. */

/** A number that is not negative. */
export function varintBytes(field: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([...varint(varintField(field)), ...varint(value)]);
}

/** A text, or a message that has been encoded. */
export function delimitedBytes(field: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([Buffer.from([...varint(delimitedField(field)), ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
