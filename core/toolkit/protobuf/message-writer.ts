const FIRST_BYTES = 4096;
/** Longer texts are written by the library, whose call takes as long as these. */
const SHORT = 32;

/**
 * Writes a protobuf message from its end to its beginning: a message in it is complete, and its length known, before the
 * length is written. So fields are written in reverse order, the last element of a list first.
 *
 * A delimited field is its content, and then `delimited` with the length that `length` had before the content. The bytes
 * are in one buffer that is used again: `finish` copies them out.
 */
export class MessageWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #start = FIRST_BYTES;

  /** How much has been written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** What has been written, as a copy. The writer is empty then. */
  finish(): Uint8Array {
    return new Uint8Array(this.finishView());
  }

  /** The same where it stands: as long as nothing else is written. */
  finishView(): Uint8Array {
    const written = this.#bytes.subarray(this.#start);
    this.#start = this.#bytes.length;
    return written;
  }

  /** What was written since `length` was `before` becomes the value of a field. */
  delimited(tag: number, before: number): void {
    this.varint(this.length - before);
    this.varint(tag);
  }

  text(tag: number, text: string): void {
    const before = this.length;
    if (text.length > SHORT || !this.#ascii(text)) {
      const length = Buffer.byteLength(text);
      this.#reserve(length);
      this.#start -= length;
      this.#bytes.write(text, this.#start);
    }
    this.delimited(tag, before);
  }

  bytes(tag: number, bytes: Uint8Array): void {
    const before = this.length;
    this.raw(bytes);
    this.delimited(tag, before);
  }

  /** As `bytes`, of a part of some. */
  part(tag: number, bytes: Buffer, from: number, to: number): void {
    const length = to - from;
    this.#reserve(length);
    this.#start -= length;
    bytes.copy(this.#bytes, this.#start, from, to);
    this.varint(length);
    this.varint(tag);
  }

  /** Digits of hex, two a byte. */
  hex(tag: number, digits: string): void {
    const length = digits.length / 2;
    this.#reserve(length);
    this.#start -= length;
    this.#bytes.write(digits, this.#start, 'hex');
    this.varint(length);
    this.varint(tag);
  }

  /** Fields that have been encoded. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** An integer from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#bytes[--this.#start] = value;
      return;
    }
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++;
    this.#reserve(length);
    this.#start -= length;
    let at = this.#start;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#bytes[at++] = (rest % 128) | 0x80;
    this.#bytes[at] = rest;
  }

  /** 64 bits with a sign. */
  int64(value: bigint): void {
    if (value >= 0n && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(Number(value));
      return;
    }
    const groups: number[] = [];
    for (let rest = BigInt.asUintN(64, value); rest > 0n; rest >>= 7n) groups.push(Number(rest & 0x7fn));
    this.#reserve(groups.length);
    this.#start -= groups.length;
    groups.forEach((group, index) => {
      this.#bytes[this.#start + index] = index === groups.length - 1 ? group : group | 0x80;
    });
  }

  /** 64 bits without a sign. */
  fixed64(value: bigint): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#bytes.writeBigUInt64LE(value, this.#start);
  }

  fixed32(value: number): void {
    this.#reserve(4);
    this.#start -= 4;
    this.#bytes.writeUInt32LE(value, this.#start);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#bytes.writeDoubleLE(value, this.#start);
  }

  /** False, and nothing written, where the text is not in ASCII. */
  #ascii(text: string): boolean {
    const {length} = text;
    this.#reserve(length);
    const start = this.#start - length;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      this.#bytes[start + index] = unit;
    }
    this.#start = start;
    return true;
  }

  #reserve(length: number): void {
    if (length <= this.#start) return;
    const written = this.length;
    const larger = Buffer.allocUnsafeSlow(Math.max((written + length) * 2, FIRST_BYTES));
    this.#bytes.copy(larger, larger.length - written, this.#start);
    this.#start = larger.length - written;
    this.#bytes = larger;
  }
}
