/** The longest varint that is written: of 32 bits. */
const LONGEST = 5;
const VARINT = 0;
const FIXED_64 = 1;
const DELIMITED = 2;
const BYTES_PER_UNIT = 3;
/** Characters whose number takes one byte. */
const SHORT = 0x7f;

/**
 * Builds messages in the binary form of protobuf in one growing buffer. A message is written where it will stand, and its
 * length before it when it is there: nearly all are shorter than 128 bytes, which one byte tells; others are moved.
 */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(16_384);
  #length = 0;

  /** Begins a message as a field; to be ended by `close` with what this gives. */
  open(field: number): number {
    this.#reserve(2 * LONGEST);
    this.#varint((field << 3) | DELIMITED);
    this.#length++;
    return this.#length;
  }

  close(begin: number): void {
    const size = this.#length - begin;
    const more = sizeOf(size) - 1;
    if (more > 0) {
      this.#reserve(more);
      this.#bytes.copyWithin(begin + more, begin, this.#length);
    }
    this.#length = begin - 1;
    this.#varint(size);
    this.#length += size;
  }

  text(field: number, text: string): void {
    const {length} = text;
    this.#reserve(2 * LONGEST + length * BYTES_PER_UNIT);
    this.#varint((field << 3) | DELIMITED);
    const begin = this.#length + 1;
    if (length > SHORT || !this.#ascii(text, begin)) {
      this.#varint(Buffer.byteLength(text));
      this.#length += this.#bytes.write(text, this.#length);
      return;
    }
    this.#bytes[this.#length] = length;
    this.#length = begin + length;
  }

  /** Bytes, of which `hex` has two digits each. */
  hex(field: number, hex: string): void {
    this.#reserve(2 * LONGEST + hex.length / 2);
    this.#varint((field << 3) | DELIMITED);
    this.#varint(hex.length / 2);
    this.#length += this.#bytes.write(hex, this.#length, 'hex');
  }

  /** An unsigned integer of 64 bits in decimal. */
  fixed64(field: number, decimal: string): void {
    this.#reserve(LONGEST + 8);
    this.#varint((field << 3) | FIXED_64);
    this.#length = this.#bytes.writeBigUInt64LE(BigInt(decimal), this.#length);
  }

  number(field: number, value: number): void {
    this.#reserve(2 * LONGEST);
    this.#varint((field << 3) | VARINT);
    this.#varint(value);
  }

  /** What has been written. The writer must not be used again. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes text that has nothing but ASCII. For a short one this is faster than a call of the engine. */
  #ascii(text: string, begin: number): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[begin + i] = unit;
    }
    return true;
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function sizeOf(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) size++;
  return size;
}
