/** Walks through the values of a packed row of `postings` (see `PostingPacker`), in their order. */
export class PackReader {
  readonly pack: Buffer;
  /** Where the value stands, in UTF-8. */
  valueAt = 0;
  valueEnd = 0;
  /** And its encoded postings. */
  dataAt = 0;
  dataEnd = 0;

  constructor(pack: Buffer) {
    this.pack = pack;
  }

  /** Goes to the next value; false when there is none. */
  next(): boolean {
    if (this.dataEnd >= this.pack.length) return false;
    const valueBytes = this.#number();
    this.valueAt = this.dataEnd;
    this.dataEnd += valueBytes;
    this.valueEnd = this.dataEnd;
    const dataBytes = this.#number();
    this.dataAt = this.dataEnd;
    this.dataEnd += dataBytes;
    return true;
  }

  get value(): string {
    return this.pack.toString('utf8', this.valueAt, this.valueEnd);
  }

  /** Its encoded postings. */
  get data(): Buffer {
    return this.pack.subarray(this.dataAt, this.dataEnd);
  }

  /** Goes to a value, given as its UTF-8 bytes; false when it is not there. To be asked first. */
  find(value: Buffer): boolean {
    while (this.next()) {
      if (this.valueEnd - this.valueAt !== value.length) continue;
      if (value.equals(this.pack.subarray(this.valueAt, this.valueEnd))) return true;
    }
    return false;
  }

  #number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.pack[this.dataEnd++] as number;
      number |= (byte & 0x7f) << shift;
      if (byte <= 0x7f) return number;
    }
  }
}
