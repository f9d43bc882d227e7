/** What is allocated counts against the budget, used or not; copying is what smaller steps would cost. */
const GROWTH = 1.5;
/** After giving up series there is room for as many as an eighth of the rest. */
const ROOM = 1.125;
const FIRST_SERIES = 64;

/**
 * Every series that a kept sample belongs to, by the bytes of its identity. A series has a small number, which stays
 * the same for as long as the series is retained. Everything lies in typed arrays, so that its size is known.
 */
export class SeriesTable {
  #arena = new Uint8Array(4096);
  #arenaUsed = 0;
  #offsets = new Uint32Array(FIRST_SERIES);
  #lengths = new Uint32Array(FIRST_SERIES);
  #hashes = new Int32Array(FIRST_SERIES);
  /** How many layouts hold the series; a series at 0 is found again until `compact`. */
  #references = new Int32Array(FIRST_SERIES);
  /** A hash table with linear probing: number + 1, 0 where free. */
  #slots = new Int32Array(2 * FIRST_SERIES);
  /** Numbers below `#end` that are not in use. */
  #free: number[] = [];
  #end = 0;
  #unreferenced = 0;

  /** Series in the table. */
  get size(): number {
    return this.#end - this.#free.length;
  }

  /** One more than the highest number in use. */
  get end(): number {
    return this.#end;
  }

  /** Allocated bytes. */
  get memory(): number {
    const perSeries = 4 * this.#offsets.byteLength;
    return this.#arena.byteLength + perSeries + this.#slots.byteLength + 8 * this.#free.length;
  }

  /** The number of the series with this identity, which is added, not retained, when it is new. */
  find(identity: Uint8Array, length: number): number {
    const hash = hashOf(identity, length);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return this.#add(identity, length, hash, slot);
      if (this.#hashes[number] === hash && this.#equals(number, identity, length)) return number;
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

  /** Copies the identity into `target` and gives the position after it. */
  copyTo(target: Uint8Array, at: number, number: number): number {
    const offset = this.#offsets[number] ?? 0;
    const length = this.#lengths[number] ?? 0;
    const arena = this.#arena;
    // A loop is faster than a view for as few bytes as an identity has.
    if (length < 256) for (let i = 0; i < length; i++) target[at + i] = arena[offset + i] as number;
    else target.set(arena.subarray(offset, offset + length), at);
    return at + length;
  }

  /** Gives up the series that nothing retains, when they are many enough to be worth the copying. */
  compact(): void {
    if (this.#unreferenced < FIRST_SERIES || this.#unreferenced < this.size / 8) return;
    const kept: number[] = [];
    this.#free = [];
    let bytes = 0;
    for (let number = 0; number < this.#end; number++) {
      if ((this.#references[number] ?? 0) > 0) {
        kept.push(number);
        bytes += this.lengthOf(number);
      } else {
        this.#free.push(number);
      }
    }
    const arena = new Uint8Array(Math.ceil(bytes * ROOM) + 4096);
    let used = 0;
    for (const number of kept) {
      const end = this.copyTo(arena, used, number);
      this.#offsets[number] = used;
      used = end;
    }
    this.#arena = arena;
    this.#arenaUsed = used;
    this.#unreferenced = 0;
    this.#rehash(kept);
  }

  #add(identity: Uint8Array, length: number, hash: number, slot: number): number {
    const number = this.#free.pop() ?? this.#end++;
    if (number >= this.#offsets.length) this.#grow(number + 1);
    const end = this.#arenaUsed + length;
    if (end > this.#arena.length) {
      const larger = new Uint8Array(Math.ceil(end * GROWTH));
      larger.set(this.#arena.subarray(0, this.#arenaUsed));
      this.#arena = larger;
    }
    this.#arena.set(identity.subarray(0, length), this.#arenaUsed);
    this.#offsets[number] = this.#arenaUsed;
    this.#arenaUsed = end;
    this.#lengths[number] = length;
    this.#hashes[number] = hash;
    this.#references[number] = 0;
    this.#unreferenced++;
    this.#slots[slot] = number + 1;
    if (3 * this.size > 2 * this.#slots.length) {
      this.#rehash(this.#inUse());
    }
    return number;
  }

  #inUse(): readonly number[] {
    const free = new Set(this.#free);
    const numbers: number[] = [];
    for (let number = 0; number < this.#end; number++) if (!free.has(number)) numbers.push(number);
    return numbers;
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

  #rehash(numbers: readonly number[]): void {
    let size = 2 * FIRST_SERIES;
    while (2 * size < 3 * (numbers.length + 1) || size < 2 * FIRST_SERIES) size *= 2;
    const slots = new Int32Array(size);
    for (const number of numbers) {
      let slot = (this.#hashes[number] ?? 0) & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  #equals(number: number, identity: Uint8Array, length: number): boolean {
    if (this.#lengths[number] !== length) return false;
    const offset = this.#offsets[number] ?? 0;
    const arena = this.#arena;
    for (let i = length - 1; i >= 0; i--) if (arena[offset + i] !== identity[i]) return false;
    return true;
  }
}

/** FNV-1a with a last mixing, because the slot is taken from the low bits. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
