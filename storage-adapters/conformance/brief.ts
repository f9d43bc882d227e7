import type {AdapterUnderTest} from './options.js';
import {Random} from './random/random.js';

const PART = 5;
const KINDS = ['compat', 'native', 'otlp'] as const;

/** How many of so many random questions or rounds are asked of this adapter. */
export function asMany(count: number, {brief = false}: AdapterUnderTest): number {
  return brief ? Math.ceil(count / PART) : count;
}

/** Which of many similar questions are asked of this adapter. */
export function someOf<Item>(items: readonly Item[], {brief = false}: AdapterUnderTest): readonly Item[] {
  const random = new Random(9);
  return brief ? items.filter(() => random.once(PART)) : items;
}

/** Which of these are asked of this adapter: all, or a third, and of each kind of spans another one. */
export function partOf<Item>(
  items: readonly Item[],
  kind: (typeof KINDS)[number],
  {brief = false}: AdapterUnderTest,
): readonly Item[] {
  return brief ? items.filter((_, i) => i % KINDS.length === KINDS.indexOf(kind)) : items;
}
