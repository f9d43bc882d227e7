/** Walks through the values of a packed row of `postings` (see `PostingPacker`), in their order. */
export class PackReader {
  readonly #pack: Buffer;
  #at = 0;
  #valueAt = 0;
  #valueBytes = 0;
  #dataAt = 0;

  constructor(pack: Buffer) {
    this.#pack = pack;
  }

  /** Goes to the next value; false when there is none. */
  next(): boolean {
    if (this.#at >= this.#pack.length) return false;
    this.#valueBytes = this.#number();
    this.#valueAt = this.#at;
    this.#at += this.#valueBytes;
    const dataBytes = this.#number();
    this.#dataAt = this.#at;
    this.#at += dataBytes;
    return true;
  }

  get value(): string {
    return this.#pack.toString('utf8', this.#valueAt, this.#valueAt + this.#valueBytes);
  }

  /** Its encoded postings. */
  get data(): Buffer {
    return this.#pack.subarray(this.#dataAt, this.#at);
  }

  /** Goes to a value, given as its UTF-8 bytes; false when it is not there. To be asked first. */
  find(value: Buffer): boolean {
    while (this.next()) {
      if (this.#valueBytes !== value.length) continue;
      if (value.equals(this.#pack.subarray(this.#valueAt, this.#valueAt + value.length))) return true;
    }
    return false;
  }

  #number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#pack[this.#at++] as number;
      number |= (byte & 0x7f) << shift;
      if (byte <= 0x7f) return number;
    }
  }
}
