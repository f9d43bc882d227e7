const INITIAL_BYTES = 4096;
/** Bytes that a character of JavaScript text takes in UTF-8 at most. */
const BYTES_PER_UNIT = 3;

/** Writes rows in the format RowBinary: the columns one after another, without anything between them. */
export class RowWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(size = INITIAL_BYTES) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.#length;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32LE(value, this.#length);
  }

  /** An integer that is exact in a double. */
  int64(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeInt32LE(value | 0, this.#length);
    this.#length = this.#bytes.writeInt32LE(Math.floor(value / 0x1_0000_0000) | 0, this.#length);
  }

  uint64(value: bigint): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeBigUInt64LE(value, this.#length);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  /** Bytes as they are: a fixed string, or columns that were written before. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  string(text: string): void {
    const most = text.length * BYTES_PER_UNIT;
    this.#reserve(most + 5);
    if (most < 0x80) {
      const size = this.#bytes.write(text, this.#length + 1, 'utf8');
      this.#bytes[this.#length] = size;
      this.#length += size + 1;
      return;
    }
    this.#varint(Buffer.byteLength(text, 'utf8'));
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** The bytes of a text. */
  blob(bytes: Uint8Array): void {
    this.size(bytes.length);
    this.raw(bytes);
  }

  strings(texts: readonly string[]): void {
    this.size(texts.length);
    for (const text of texts) this.string(text);
  }

  /** The number of elements of an array that follow. */
  size(count: number): void {
    this.#reserve(5);
    this.#varint(count);
  }

  /** What was written, in memory that the writer no longer uses. */
  finish(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return bytes;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2, INITIAL_BYTES));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
