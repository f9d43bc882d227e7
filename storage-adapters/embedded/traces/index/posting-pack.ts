import {encodePostings} from './postings.js';

/** Stands for the first ordinal in a row of `postings` that holds several values. */
export const PACKED = -1;

/** A row of so many bytes lies in a page of the table as a whole. */
const PACK_BYTES = 1800;
/** Two lengths of at most five bytes. */
const HEADER_BYTES = 10;

export type PutRow = (attribute: string, value: string, first: number, data: Uint8Array) => void;

/**
 * Makes the rows of `postings` of one block. Most values of most blocks have a few spans each, and a row costs the same
 * whatever it holds: so values that are neighbours in the order of the table share one, under the lowest of them. In it
 * each value stands as its length in bytes, its bytes, the length of its postings, and these. What is long has a row of
 * its own, and so has what ends up alone.
 *
 * Values must come in the order of the table: code points of the attribute, then of the value.
 */
export class PostingPacker {
  readonly #put: PutRow;
  readonly #pack = Buffer.allocUnsafe(PACK_BYTES);
  #length = 0;
  #values = 0;
  #attribute = '';
  #lowest = '';
  /** Of the lowest value, should it stay alone. */
  #alone: {readonly first: number; readonly data: Uint8Array} | undefined;

  constructor(put: PutRow) {
    this.#put = put;
  }

  add(attribute: string, value: string, ordinals: ArrayLike<number>): void {
    const data = encodePostings(ordinals);
    const bytes = Buffer.byteLength(value);
    const size = HEADER_BYTES + bytes + data.length;
    if (attribute !== this.#attribute || this.#length + size > PACK_BYTES) this.flush();
    const first = ordinals[0] as number;
    if (size > PACK_BYTES) {
      this.#put(attribute, value, first, data);
      return;
    }
    if (this.#values++ === 0) {
      this.#attribute = attribute;
      this.#lowest = value;
      this.#alone = {first, data};
    }
    this.#number(bytes);
    this.#length += this.#pack.write(value, this.#length);
    this.#number(data.length);
    this.#pack.set(data, this.#length);
    this.#length += data.length;
  }

  /** Writes the row that has been begun; to be called at the end. */
  flush(): void {
    if (this.#alone === undefined) return;
    const {first, data} = this.#alone;
    if (this.#values === 1) this.#put(this.#attribute, this.#lowest, first, data);
    else this.#put(this.#attribute, this.#lowest, PACKED, this.#pack.subarray(0, this.#length));
    this.#alone = undefined;
    this.#values = 0;
    this.#length = 0;
  }

  #number(number: number): void {
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) this.#pack[this.#length++] = (rest & 0x7f) | 0x80;
    this.#pack[this.#length++] = rest;
  }
}
