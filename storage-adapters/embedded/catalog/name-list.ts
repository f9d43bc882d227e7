import {compareNames} from '../../../core/api/adapter.js';

interface Named {
  readonly name: string;
}

/** Items with unique names, listed in the order of names. New names are sorted in when the list is next asked for. */
export class NameList<Item extends Named> {
  readonly #byName = new Map<string, Item>();
  #sorted: Item[] = [];
  #added: Item[] = [];

  get(name: string): Item | undefined {
    return this.#byName.get(name);
  }

  add(item: Item): void {
    if (this.#byName.has(item.name)) return;
    this.#byName.set(item.name, item);
    this.#added.push(item);
  }

  /** The same array until something is added. */
  sorted(): readonly Item[] {
    if (this.#added.length > 0) {
      this.#added.sort(byName);
      this.#sorted = merge(this.#sorted, this.#added);
      this.#added = [];
    }
    return this.#sorted;
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
