/** The first `limit` of what is added, in order. Keeps at most twice as many, so a long list costs no memory. */
export class TopList<Item> {
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;
  #items: Item[] = [];
  #worst: Item | undefined;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** What is not better than this has no place; undefined as long as anything has one. */
  get worst(): Item | undefined {
    return this.#worst;
  }

  add(item: Item): void {
    if (this.#worst !== undefined && this.#compare(item, this.#worst) >= 0) return;
    this.#items.push(item);
    if (this.#items.length >= this.#limit * 2 + 64) this.#cut();
  }

  finish(): readonly Item[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items.sort(this.#compare);
    if (this.#items.length <= this.#limit) return;
    this.#items.length = this.#limit;
    this.#worst = this.#items[this.#limit - 1];
  }
}
