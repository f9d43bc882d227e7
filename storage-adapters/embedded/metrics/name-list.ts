import {compareNames} from '../../../core/api/adapter.js';

interface Named {
  readonly name: string;
}

/** So many new names are sorted at once. */
const RUN_LENGTH = 512;

/**
 * Items with unique names, listed in the order of names. New names are sorted in runs as they come, and runs of about the
 * same length become one: the first list after very many new names would take long if all of them were sorted for it.
 */
export class NameList<Item extends Named> {
  readonly #byName = new Map<string, Item>();
  /** Each in order, and at least twice as long as the next. */
  readonly #runs: Item[][] = [];
  #added: Item[] = [];

  get(name: string): Item | undefined {
    return this.#byName.get(name);
  }

  add(item: Item): void {
    if (this.#byName.has(item.name)) return;
    this.#byName.set(item.name, item);
    this.#added.push(item);
    if (this.#added.length < RUN_LENGTH) return;
    this.#endRun();
    while (this.#at(-2).length > 0 && this.#at(-2).length < 2 * this.#at(-1).length) this.#mergeLast();
  }

  /** The same array until something is added. */
  sorted(): readonly Item[] {
    if (this.#added.length > 0) this.#endRun();
    while (this.#runs.length > 1) this.#mergeLast();
    return this.#at(-1);
  }

  #endRun(): void {
    this.#runs.push(this.#added.sort(byName));
    this.#added = [];
  }

  #mergeLast(): void {
    const [left, right] = this.#runs.splice(-2);
    this.#runs.push(merge(left ?? [], right ?? []));
  }

  #at(place: number): Item[] {
    return this.#runs.at(place) ?? [];
  }
}

export function byName(a: Named, b: Named): number {
  return compareNames(a.name, b.name);
}

function merge<Item extends Named>(left: readonly Item[], right: readonly Item[]): Item[] {
  const merged: Item[] = [];
  let i = 0;
  for (const item of right) {
    while (i < left.length && byName(left[i] as Item, item) < 0) merged.push(left[i++] as Item);
    merged.push(item);
  }
  while (i < left.length) merged.push(left[i++] as Item);
  return merged;
}
