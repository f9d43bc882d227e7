import type {ItemRule, ItemState} from './item.js';

const FIRST_SLOTS = 2 ** 16;

/** Of what the source holds, whether the target has been found to hold it. */
const FREE = 0;
const MISSING = 1;
const DIFFERS = 2;
const EQUAL = 3;

/** What a source holds, 17 bytes and some air for each thing, to be looked up for what the target holds. */
export class ItemTable {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #content = new Float64Array(FIRST_SLOTS);
  #state = new Uint8Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Of a thing that is there already the later content stands, or the one that says more. */
  put(high: number, low: number, content: number, rule: ItemRule): void {
    if (2 * this.#size >= this.#state.length) this.keep(() => true, 2 * this.#state.length);
    const slot = this.#slotOf(high, low);
    if (this.#state[slot] === FREE) {
      this.#fill(slot, high, low, content);
      return;
    }
    const before = this.#content[slot] as number;
    this.#content[slot] =
      rule === 'equal' ? content : rule === 'at most' ? Math.min(before, content) : Math.max(before, content);
  }

  /** Whether the source holds what the target does; with what content is noted. */
  match(high: number, low: number, content: number, rule: ItemRule): boolean {
    const slot = this.#slotOf(high, low);
    const state = this.#state[slot] as number;
    if (state === FREE) return false;
    const expected = this.#content[slot] as number;
    if (rule === 'equal') this.#state[slot] = content === expected ? EQUAL : DIFFERS;
    else if (state !== EQUAL) {
      this.#state[slot] = (rule === 'at most' ? content <= expected : content >= expected) ? EQUAL : DIFFERS;
    }
    return true;
  }

  /** What was found of a thing. Of what the source did not hold before there is nothing to say. */
  found(high: number, low: number): ItemState {
    const state = this.#state[this.#slotOf(high, low)];
    return state === MISSING ? 'missing' : state === DIFFERS ? 'differs' : 'equal';
  }

  counts(): {readonly equal: number; readonly missing: number; readonly differing: number} {
    const counts = [0, 0, 0, 0];
    for (const state of this.#state) counts[state] = (counts[state] ?? 0) + 1;
    return {equal: counts[EQUAL] ?? 0, missing: counts[MISSING] ?? 0, differing: counts[DIFFERS] ?? 0};
  }

  /** Leaves out what is not wanted any more, and takes as many slots. */
  keep(isWanted: (high: number) => boolean, slots = this.#state.length): void {
    const [high, low, content, state] = [this.#high, this.#low, this.#content, this.#state];
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#content = new Float64Array(slots);
    this.#state = new Uint8Array(slots);
    this.#size = 0;
    for (let i = 0; i < state.length; i++) {
      const key = high[i] as number;
      if (state[i] === FREE || !isWanted(key)) continue;
      const lower = low[i] as number;
      this.#fill(this.#slotOf(key, lower), key, lower, content[i] as number);
    }
  }

  #fill(slot: number, high: number, low: number, content: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#content[slot] = content;
    this.#state[slot] = MISSING;
    this.#size++;
  }

  /** Where it is, or would be. */
  #slotOf(high: number, low: number): number {
    const mask = this.#state.length - 1;
    let slot = low & mask;
    while (this.#state[slot] !== FREE && (this.#low[slot] !== low || this.#high[slot] !== high))
      slot = (slot + 1) & mask;
    return slot;
  }
}
