const LENGTH_DELIMITED = 2;
const VARINT = 0;

/**
 * Writes protobuf fields one after the other into memory that it owns and reuses. The recorder keeps series in the form
 * in which they are sent, so that an answer is a copy of bytes and what a series costs is known exactly.
 */
export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafe(4096);
  #at = 0;

  /** What was written since the last `reset`; valid until the next one. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#at;
  }

  reset(): void {
    this.#at = 0;
  }

  /** Four bytes that are no field, little-endian. */
  word(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeInt32LE(value, this.#at);
  }

  /** A string field. */
  text(field: number, value: string): void {
    const start = this.open(field);
    this.#utf8(value);
    this.close(start);
  }

  /** A field of a non-negative integer below 2^53. */
  integer(field: number, value: number): void {
    this.#reserve(11);
    this.#bytes[this.#at++] = (field << 3) | VARINT;
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#at++] = rest;
  }

  /** Begins a message field; what is written until `close` is its content. */
  open(field: number): number {
    this.#reserve(2);
    this.#bytes[this.#at] = (field << 3) | LENGTH_DELIMITED;
    this.#at += 2;
    return this.#at;
  }

  /** Ends the field that `open` began at `start`. */
  close(start: number): void {
    const length = this.#at - start;
    const extra = varintSize(length) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#bytes.copyWithin(start + extra, start, this.#at);
      this.#at += extra;
    }
    writeVarint(this.#bytes, start - 1, length);
  }

  /** Fields that are written already. */
  append(fields: Uint8Array): void {
    this.#reserve(fields.length);
    this.#bytes.set(fields, this.#at);
    this.#at += fields.length;
  }

  /** A copy of what was written. */
  copy(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, 0, this.#at);
  }

  #utf8(value: string): void {
    this.#reserve(3 * value.length);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) {
        this.#at += bytes.write(value, this.#at, 'utf8');
        return;
      }
      bytes[at++] = code;
    }
    this.#at = at;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + size));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Bytes of a length below 2^31 as a varint. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) size++;
  return size;
}

/** Writes a length below 2^31 and gives the position after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let to = at;
  let rest = value;
  while (rest > 127) {
    bytes[to++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[to++] = rest;
  return to;
}
