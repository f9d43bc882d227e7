/**
 * A map by text that forgets what has not been used for long: two generations of at most `capacity` entries each. What
 * is found in the old generation moves to the young one; when the young one is full it becomes the old one.
 */
export class BoundedMap<Value> {
  readonly #capacity: number;
  #young = new Map<string, Value>();
  #old: ReadonlyMap<string, Value> = new Map();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Keeps a copy of the key: it may be a part of a large text, which it would keep in memory. */
  set(key: string, value: Value): void {
    this.setOwn(Buffer.from(key).toString(), value);
  }

  /** As `set`, with a key that is a text of its own: it needs no copy. */
  setOwn(key: string, value: Value): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
