import {ByteArena} from './byte-arena.js';

/** What is allocated counts against the budget, used or not; copying is what smaller steps would cost. */
const GROWTH = 1.5;
const FIRST = 64;

/**
 * Sequences of bytes, each kept once. A sequence has a small number, which stays the same for as long as the sequence is
 * retained. Everything lies in typed arrays, so that its size is known.
 */
export class ByteTable {
  #arena = new ByteArena();
  #offsets = new Uint32Array(FIRST);
  #lengths = new Uint32Array(FIRST);
  #hashes = new Int32Array(FIRST);
  /** How often the sequence is retained; one at 0 is found again until `compact`. */
  #references = new Int32Array(FIRST);
  /** A hash table with linear probing: number + 1, 0 where free. */
  #slots = new Int32Array(2 * FIRST);
  /** Numbers below `#end` that are not in use. */
  #free: number[] = [];
  #end = 0;
  #unreferenced = 0;
  readonly #onDrop: (number: number) => void;

  /** `onDrop` is told of each sequence that is given up, while its bytes are still there. */
  constructor(onDrop: (number: number) => void = () => undefined) {
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#end - this.#free.length;
  }

  /** Allocated bytes. */
  get memory(): number {
    const perEntry = 4 * this.#offsets.byteLength;
    return this.#arena.memory + perEntry + this.#slots.byteLength + 8 * this.#free.length;
  }

  /**
   * The number of a sequence, which is added, not retained, when it is new. `guess`: the number of a retained sequence that
   * it may well be; none when negative.
   */
  find(bytes: Uint8Array, length: number, guess = -1): number {
    if (guess >= 0 && this.#equals(guess, bytes, length)) return guess;
    const hash = hashOf(bytes, length);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return this.#add(bytes, length, hash, slot);
      if (this.#hashes[number] === hash && this.#equals(number, bytes, length)) return number;
    }
  }

  retain(number: number): void {
    if (this.#references[number] === 0) this.#unreferenced--;
    this.#references[number] = (this.#references[number] ?? 0) + 1;
  }

  release(number: number): void {
    this.#references[number] = (this.#references[number] ?? 0) - 1;
    if (this.#references[number] === 0) this.#unreferenced++;
  }

  lengthOf(number: number): number {
    return this.#lengths[number] ?? 0;
  }

  /** The first four bytes as a number, little-endian. */
  firstWord(number: number): number {
    return this.#arena.word(this.#offsets[number] ?? 0);
  }

  /** Copies the bytes, from the `from`th on, into `target` and gives the position after them. */
  copyTo(target: Uint8Array, at: number, number: number, from = 0): number {
    const length = (this.#lengths[number] ?? 0) - from;
    return this.#arena.copyTo(target, at, (this.#offsets[number] ?? 0) + from, length);
  }

  /** Gives up what nothing retains, when they are many enough to be worth the copying. */
  compact(): void {
    if (this.#unreferenced < FIRST || this.#unreferenced < this.size / 8) return;
    const kept: number[] = [];
    const wasFree = new Set(this.#free);
    this.#free = [];
    for (let number = 0; number < this.#end; number++) {
      if ((this.#references[number] ?? 0) > 0) {
        kept.push(number);
      } else {
        if (!wasFree.has(number)) this.#onDrop(number);
        this.#free.push(number);
      }
    }
    const arena = new ByteArena();
    for (const number of kept) {
      const length = this.lengthOf(number);
      this.#offsets[number] = arena.add(this.#arena.view(this.#offsets[number] ?? 0, length), length);
    }
    this.#arena = arena;
    this.#unreferenced = 0;
    this.#rehash(
      kept.map(number => number + 1),
      kept.length,
    );
  }

  #add(bytes: Uint8Array, length: number, hash: number, slot: number): number {
    const number = this.#free.pop() ?? this.#end++;
    if (number >= this.#offsets.length) this.#grow(number + 1);
    this.#offsets[number] = this.#arena.add(bytes, length);
    this.#lengths[number] = length;
    this.#hashes[number] = hash;
    this.#references[number] = 0;
    this.#unreferenced++;
    this.#slots[slot] = number + 1;
    if (3 * this.size > 2 * this.#slots.length) this.#rehash(this.#slots, this.size);
    return number;
  }

  #grow(needed: number): void {
    const size = Math.ceil(needed * GROWTH);
    const larger = <T extends Uint32Array | Int32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    this.#offsets = larger(this.#offsets, new Uint32Array(size));
    this.#lengths = larger(this.#lengths, new Uint32Array(size));
    this.#hashes = larger(this.#hashes, new Int32Array(size));
    this.#references = larger(this.#references, new Int32Array(size));
  }

  /** `entries`: number + 1, zeros are passed over; `count`: how many are none. */
  #rehash(entries: ArrayLike<number>, count: number): void {
    let size = 2 * FIRST;
    while (2 * size < 3 * (count + 1)) size *= 2;
    const slots = new Int32Array(size);
    const hashes = this.#hashes;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] ?? 0;
      if (entry === 0) continue;
      let slot = (hashes[entry - 1] ?? 0) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = entry;
    }
    this.#slots = slots;
  }

  #equals(number: number, bytes: Uint8Array, length: number): boolean {
    return this.#lengths[number] === length && this.#arena.equals(this.#offsets[number] ?? 0, bytes, length);
  }
}

/** FNV-1a with a last mixing, because the slot is taken from the low bits. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
