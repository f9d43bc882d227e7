import {compareNames, GatewayError} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {Steps} from '../../../core/toolkit/yielder.js';

/** The default for lists of label names and values, and for the entities of one traffic metric. */
export const DEFAULT_LIMIT = 100;

/** The largest number of results: a whole number, 0 for no limit (infinity). `what` names it in a message. */
export function parseLimit(text: string, what: string): number {
  if (!/^\d+$/.test(text)) {
    throw new GatewayError('bad_request', `${what} is a whole number from 0, 0 for no limit, not ${quote(text)}`);
  }
  return Number(text) || Number.POSITIVE_INFINITY;
}

/**
 * A traffic selector's own limit and the request's: the smaller, or the default where neither is given. One name more than
 * an answer lists at `most` tells that there are more.
 */
export function limitOfRequest(own: number | undefined, requested: number | undefined, most: number): number {
  if (own === undefined && requested === undefined) return DEFAULT_LIMIT;
  return Math.min(own ?? Number.POSITIVE_INFINITY, requested ?? Number.POSITIVE_INFINITY, most + 1);
}

/** How many names are merged between two pauses. */
const NAMES_A_STEP = 4096;

/** The names of all lists, distinct, in code point order, at most `limit`. Most lists are in that order already. */
export function* sortedNames(lists: readonly (readonly string[])[], limit: number): Steps<readonly string[]> {
  const queue: (readonly string[])[] = [];
  for (const list of lists) {
    queue.push(isSorted(list) ? list : list.toSorted(compareNames));
    yield;
  }
  // A list that is alone may have duplicates too.
  while (queue.length > 2) queue.push(yield* merge(queue.shift() ?? [], queue.shift() ?? [], limit));
  return yield* merge(queue[0] ?? [], queue[1] ?? [], limit);
}

function isSorted(names: readonly string[]): boolean {
  let before = '';
  for (const name of names) {
    if (compareNames(before, name) > 0) return false;
    before = name;
  }
  return true;
}

function* merge(a: readonly string[], b: readonly string[], limit: number): Steps<readonly string[]> {
  const merged: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    const takesLeft = right === undefined || (left !== undefined && compareNames(left, right) <= 0);
    const name = (takesLeft ? left : right) as string;
    if (takesLeft) i++;
    else j++;
    if (name === merged.at(-1)) continue;
    if (merged.length >= limit) break;
    merged.push(name);
    if (merged.length % NAMES_A_STEP === 0) yield;
  }
  return merged;
}

/** `limit` may be infinity. */
export function cut<T>(items: readonly T[], limit: number): readonly T[] {
  return items.length <= limit ? items : items.slice(0, limit);
}

/** The label name of a path. Names that a URL can't carry come as U__, with _ doubled and other characters as _hex_. */
export function unescapeLabel(name: string): string {
  if (!name.startsWith('U__')) return name;
  let wellFormed = true;
  const decoded = name.slice(3).replace(/__|_([0-9a-fA-F]{1,6})_|_/g, (match, hex?: string) => {
    if (match === '__') return '_';
    const point = hex === undefined ? Number.NaN : Number.parseInt(hex, 16);
    wellFormed &&= point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return wellFormed ? String.fromCodePoint(point) : '';
  });
  return wellFormed ? decoded : name;
}
