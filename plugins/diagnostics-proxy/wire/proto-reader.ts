import {TextCache} from '../../../core/toolkit/protobuf/text-cache.js';

/** Kinds of fields on the wire. */
export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
const FIXED32 = 5;

/** One for all, because what agents say is much the same. */
const TEXTS = new TextCache();

/** A cursor over protobuf bytes. Throws a `RangeError` where they are damaged. */
export class ProtoReader {
  readonly bytes: Buffer;
  position = 0;
  end: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** A number that is not negative, exactly below 2^53. */
  varint(): number {
    const {bytes} = this;
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.position < this.end ? (bytes[this.position++] as number) : -1;
      if (byte < 0) break;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new RangeError('a number of the message is damaged');
  }

  /** A 64-bit integer with its sign, exactly between -2^53 and 2^53. */
  signed(): number {
    const {bytes, position} = this;
    const value = this.varint();
    if (this.position - position < 10) return value;
    // Negative numbers take ten bytes. As two halves, because the whole would be rounded before the sign is known.
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index++) {
      const part = (bytes[position + index] as number) & 0x7f;
      if (index < 4) low += part * 2 ** (7 * index);
      else if (index === 4) {
        low += (part & 0xf) * 2 ** 28;
        high = part >> 4;
      } else high |= part << (7 * index - 32);
    }
    return high * 2 ** 32 + low;
  }

  /** Where the delimited field that begins here ends. */
  limit(): number {
    const length = this.varint();
    const limit = this.position + length;
    if (limit > this.end) throw new RangeError('a field of the message is longer than the message');
    return limit;
  }

  text(): string {
    const limit = this.limit();
    const text = TEXTS.text(this.bytes, this.position, limit);
    this.position = limit;
    return text;
  }

  double(): number {
    this.position += 8;
    if (this.position > this.end) throw new RangeError('the message ends within a number');
    return this.bytes.readDoubleLE(this.position - 8);
  }

  /** Passes over the value of a field that is not known. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.position += 8;
    else if (wireType === DELIMITED) this.position = this.limit();
    else if (wireType === FIXED32) this.position += 4;
    else throw new RangeError(`the message has a field of the unknown kind ${wireType}`);
    if (this.position > this.end) throw new RangeError('the message ends within a field');
  }
}
