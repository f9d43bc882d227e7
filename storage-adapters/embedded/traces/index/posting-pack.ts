import {PostingEncoder} from './postings.js';

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
  readonly #encoder = new PostingEncoder();
  readonly #pack = Buffer.allocUnsafe(PACK_BYTES);
  #length = 0;
  #values = 0;
  #attribute = '';
  /** Of the lowest value: its first ordinal, and where it and its postings stand. */
  #first = 0;
  #lowestAt = 0;
  #lowestEnd = 0;
  #dataAt = 0;

  constructor(put: PutRow) {
    this.#put = put;
  }

  add(attribute: string, value: string, ordinals: ArrayLike<number>): void {
    const bytes = Buffer.byteLength(value);
    if (this.#begin(attribute, bytes, ordinals, ordinals.length)) {
      this.#pack.write(value, this.#length);
      this.#end(bytes);
    } else this.#put(attribute, value, ordinals[0] as number, this.#encoded());
  }

  /** As `add`, of the first `count` ordinals and a value in UTF-8 that stands between two places of `text`. */
  addEncoded(attribute: string, text: Buffer, from: number, to: number, ordinals: Uint32Array, count: number): void {
    if (this.#begin(attribute, to - from, ordinals, count)) {
      copyBytes(text, from, to, this.#pack, this.#length);
      this.#end(to - from);
    } else this.#put(attribute, text.toString('utf8', from, to), ordinals[0] as number, this.#encoded());
  }

  /** Writes the row that has been begun; to be called at the end. */
  flush(): void {
    if (this.#values === 0) return;
    const lowest = this.#pack.toString('utf8', this.#lowestAt, this.#lowestEnd);
    if (this.#values > 1) this.#put(this.#attribute, lowest, PACKED, this.#pack.subarray(0, this.#length));
    else this.#put(this.#attribute, lowest, this.#first, this.#pack.subarray(this.#dataAt, this.#length));
    this.#values = 0;
    this.#length = 0;
  }

  /** False where the value needs a row of its own; else its bytes, so many, are to be written next. */
  #begin(attribute: string, bytes: number, ordinals: ArrayLike<number>, count: number): boolean {
    this.#encoder.encode(ordinals, count);
    const size = HEADER_BYTES + bytes + this.#encoder.length;
    if (attribute !== this.#attribute || this.#length + size > PACK_BYTES) this.flush();
    if (size > PACK_BYTES) return false;
    this.#number(bytes);
    if (this.#values++ === 0) {
      this.#attribute = attribute;
      this.#first = ordinals[0] as number;
      this.#lowestAt = this.#length;
      this.#lowestEnd = this.#length + bytes;
    }
    return true;
  }

  /** Writes the postings behind the value. */
  #end(bytes: number): void {
    this.#length += bytes;
    const {bytes: data, length} = this.#encoder;
    this.#number(length);
    if (this.#values === 1) this.#dataAt = this.#length;
    copyBytes(data, 0, length, this.#pack, this.#length);
    this.#length += length;
  }

  #encoded(): Uint8Array {
    return this.#encoder.bytes.subarray(0, this.#encoder.length);
  }

  #number(number: number): void {
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) this.#pack[this.#length++] = (rest & 0x7f) | 0x80;
    this.#pack[this.#length++] = rest;
  }
}

/** Of few bytes a loop is done before a call of the library has begun. */
const FEW = 48;

function copyBytes(from: Uint8Array, begin: number, end: number, to: Uint8Array, at: number): void {
  if (end - begin > FEW) {
    to.set(from.subarray(begin, end), at);
    return;
  }
  for (let i = begin, into = at; i < end; i++, into++) to[into] = from[i] as number;
}
