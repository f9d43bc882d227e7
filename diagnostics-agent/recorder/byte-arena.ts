const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS;
const FIRST_BLOCK = 4096;

/**
 * Sequences of bytes, one behind the other in blocks of memory. What is there never moves when more comes: one large
 * array would be copied over and over while the first pages are read.
 */
export class ByteArena {
  readonly #blocks: Uint8Array[] = [];
  #memory = 0;
  /** Bytes of the last block that are taken. */
  #used = 0;

  /** Allocated bytes. */
  get memory(): number {
    return this.#memory;
  }

  /** Copies the first `length` of the bytes, and gives the position by which they are found. */
  add(bytes: Uint8Array, length: number): number {
    const begin = this.#room(length);
    const index = this.#blocks.length - 1;
    const block = this.#blocks[index] as Uint8Array;
    for (let i = 0; i < length; i++) block[begin + i] = bytes[i] as number;
    this.#used = begin + length;
    return index * BLOCK + begin;
  }

  equals(position: number, bytes: Uint8Array, length: number): boolean {
    const block = this.#blocks[position >>> BLOCK_BITS] as Uint8Array;
    const begin = position & (BLOCK - 1);
    for (let i = length - 1; i >= 0; i--) if (block[begin + i] !== bytes[i]) return false;
    return true;
  }

  /** Copies `length` bytes into `target` and gives the position there after them. */
  copyTo(target: Uint8Array, at: number, position: number, length: number): number {
    const block = this.#blocks[position >>> BLOCK_BITS] as Uint8Array;
    const begin = position & (BLOCK - 1);
    // A loop is faster than a view for as few bytes as there mostly are.
    if (length < 256) for (let i = 0; i < length; i++) target[at + i] = block[begin + i] as number;
    else target.set(block.subarray(begin, begin + length), at);
    return at + length;
  }

  /** A sequence as it lies here; valid for as long as the arena is. */
  view(position: number, length: number): Uint8Array {
    const begin = position & (BLOCK - 1);
    return (this.#blocks[position >>> BLOCK_BITS] as Uint8Array).subarray(begin, begin + length);
  }

  /** The four bytes there as a number, little-endian. */
  word(position: number): number {
    const block = this.#blocks[position >>> BLOCK_BITS] as Uint8Array;
    const at = position & (BLOCK - 1);
    const [a = 0, b = 0, c = 0, d = 0] = [block[at], block[at + 1], block[at + 2], block[at + 3]];
    return a | (b << 8) | (c << 16) | (d << 24);
  }

  /** Where in the last block so many bytes may go. What is longer than a block has one of its own. */
  #room(length: number): number {
    const last = this.#blocks.at(-1);
    const end = this.#used + length;
    if (last !== undefined && end <= last.length) return this.#used;
    // The first block begins small, for a table that stays small.
    if (this.#blocks.length === 1 && last !== undefined && end <= BLOCK) {
      const larger = new Uint8Array(Math.min(BLOCK, Math.max(2 * last.length, end)));
      larger.set(last.subarray(0, this.#used));
      this.#blocks[0] = larger;
      this.#memory = larger.length;
      return this.#used;
    }
    const block = new Uint8Array(Math.max(last === undefined ? FIRST_BLOCK : BLOCK, length));
    this.#blocks.push(block);
    this.#memory += block.length;
    return 0;
  }
}
