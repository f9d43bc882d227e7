const EMPTY = new Uint8Array(0);

/**
 * Joins the chunks of a body as they come, so that no single moment pays for a large one: joining 60 MB at the end would
 * hold the thread for a quarter of a second.
 */
export class ChunkJoiner {
  /** The only chunk so far; most bodies have no other, and are not copied. */
  #single: Uint8Array = EMPTY;
  #joined: Uint8Array = EMPTY;
  #length = 0;
  readonly #expected: number;

  /** `expected`: the length that was announced, or 0. Memory is touched only as it fills. */
  constructor(expected: number) {
    this.#expected = expected;
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#single = chunk;
    } else {
      if (length > this.#joined.length) this.#grow(length);
      this.#joined.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** Everything so far. */
  bytes(): Uint8Array {
    return this.#joined.length === 0 ? this.#single : this.#joined.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const content = this.bytes();
    this.#joined = Buffer.allocUnsafe(Math.max(this.#expected, needed, 2 * content.length));
    this.#joined.set(content);
  }
}
