/**
 * How the content of the target has to be to that of the source: the same, or, of what was seen first or last, no later or no
 * earlier.
 */
export type ItemRule = 'equal' | 'at most' | 'at least';

/** Takes one thing that a storage holds: its key, what it is compared by, and what a message calls it. */
export type TakeItem = (high: number, low: number, content: number, rule: ItemRule, name: () => string) => void;

/** What the target has of a thing that the source holds. */
export type ItemState = 'equal' | 'missing' | 'differs';
