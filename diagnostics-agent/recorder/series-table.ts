import {ByteTable} from './byte-table.js';

/** How many bytes the number of a suffix takes before the prefix of a series. */
export const SUFFIX_NUMBER_BYTES = 4;

/**
 * Every series that a kept sample belongs to, in the form in which it is sent. A series is a prefix (name and labels) and a
 * suffix (identity labels, help text, type). All series of a family on a page have the same suffix, which is kept once.
 */
export class SeriesTable {
  readonly #suffixes = new ByteTable();
  readonly #prefixes = new ByteTable(number => this.#suffixes.release(this.#prefixes.firstWord(number)));

  /** Series in the table. */
  get size(): number {
    return this.#prefixes.size;
  }

  /** Allocated bytes. */
  get memory(): number {
    return this.#prefixes.memory + this.#suffixes.memory;
  }

  /** The number of a suffix; it stays valid until the next `compact`, and longer where a series has it. */
  familySuffix(bytes: Uint8Array, length: number): number {
    return this.#suffixes.find(bytes, length);
  }

  /**
   * The number of a series, which is added, not retained, when it is new. `bytes`: the number of its suffix, little-endian, and
   * its prefix. `guess`: a retained series that it may well be.
   */
  find(bytes: Uint8Array, length: number, guess?: number): number {
    const before = this.#prefixes.size;
    const number = this.#prefixes.find(bytes, length, guess);
    if (this.#prefixes.size > before) this.#suffixes.retain(this.#prefixes.firstWord(number));
    return number;
  }

  retain(number: number): void {
    this.#prefixes.retain(number);
  }

  release(number: number): void {
    this.#prefixes.release(number);
  }

  /** Bytes of the series as it is sent. */
  lengthOf(number: number): number {
    const suffix = this.#prefixes.firstWord(number);
    return this.#prefixes.lengthOf(number) - SUFFIX_NUMBER_BYTES + this.#suffixes.lengthOf(suffix);
  }

  /** Copies the series as it is sent into `target`, and gives the position after it. */
  copyTo(target: Uint8Array, at: number, number: number): number {
    const suffix = this.#prefixes.firstWord(number);
    return this.#suffixes.copyTo(target, this.#prefixes.copyTo(target, at, number, SUFFIX_NUMBER_BYTES), suffix);
  }

  /** Gives up what nothing retains, when it is enough to be worth the copying. */
  compact(): void {
    this.#prefixes.compact();
    this.#suffixes.compact();
  }
}
