/** Where more than one of so many ordinals is there, all are gone through rather than sorted. */
const DENSE = 16;

/** Brings ordinals into their order, each once. */
export class OrdinalOrder {
  readonly #marks: Uint8Array;

  /** All are less than `size`. */
  constructor(size: number) {
    this.#marks = new Uint8Array(size);
  }

  /** Sorts the first `count` in place, and gives how many they are then. */
  sort(ordinals: Uint32Array, count: number): number {
    if (isAscending(ordinals, count)) return count;
    if (count * DENSE < this.#marks.length) {
      const some = ordinals.subarray(0, count).sort();
      let length = 1;
      for (let at = 1; at < count; at++) if (some[at] !== some[at - 1]) some[length++] = some[at] as number;
      return length;
    }
    const marks = this.#marks;
    for (let at = 0; at < count; at++) marks[ordinals[at] as number] = 1;
    let length = 0;
    for (let ordinal = 0; ordinal < marks.length; ordinal++) {
      if (marks[ordinal] === 1) ordinals[length++] = ordinal;
    }
    marks.fill(0);
    return length;
  }
}

function isAscending(ordinals: Uint32Array, count: number): boolean {
  for (let at = 1; at < count; at++) if ((ordinals[at - 1] as number) >= (ordinals[at] as number)) return false;
  return true;
}
