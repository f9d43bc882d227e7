import {ByteTable} from './byte-table.js';

/** How many bytes the number of a tail takes before the head of a series. */
export const TAIL_NUMBER_BYTES = 4;

/**
 * Every series that a kept sample belongs to, in the form in which it is sent. A series is a head (name and labels) and a
 * tail (identity labels, help text, type). All series of a family on a page have the same tail, which is kept once.
 */
export class SeriesTable {
  readonly #tails = new ByteTable();
  readonly #heads = new ByteTable(number => this.#tails.release(this.#heads.firstWord(number)));

  /** Series in the table. */
  get size(): number {
    return this.#heads.size;
  }

  /** Allocated bytes. */
  get memory(): number {
    return this.#heads.memory + this.#tails.memory;
  }

  /** The number of a tail; it stays valid until the next `compact`, and longer where a series has it. */
  tail(bytes: Uint8Array, length: number): number {
    return this.#tails.find(bytes, length);
  }

  /**
   * The number of a series, which is added, not retained, when it is new. `bytes`: the number of its tail, little-endian, and
   * its head. `guess`: a retained series that it may well be.
   */
  find(bytes: Uint8Array, length: number, guess?: number): number {
    const before = this.#heads.size;
    const number = this.#heads.find(bytes, length, guess);
    if (this.#heads.size > before) this.#tails.retain(this.#heads.firstWord(number));
    return number;
  }

  retain(number: number): void {
    this.#heads.retain(number);
  }

  release(number: number): void {
    this.#heads.release(number);
  }

  /** Bytes of the series as it is sent. */
  lengthOf(number: number): number {
    const tail = this.#heads.firstWord(number);
    return this.#heads.lengthOf(number) - TAIL_NUMBER_BYTES + this.#tails.lengthOf(tail);
  }

  /** Copies the series as it is sent into `target`, and gives the position after it. */
  copyTo(target: Uint8Array, at: number, number: number): number {
    const tail = this.#heads.firstWord(number);
    return this.#tails.copyTo(target, this.#heads.copyTo(target, at, number, TAIL_NUMBER_BYTES), tail);
  }

  /** Gives up what nothing retains, when it is enough to be worth the copying. */
  compact(): void {
    this.#heads.compact();
    this.#tails.compact();
  }
}
