import {compareNames} from '../../../core/api/plugin.js';

/** The default for lists of label names and values, and for the entities of one traffic metric. */
export const DEFAULT_LIMIT = 100;

/**
 * A traffic selector's own limit and the request's: the smaller, or the default where neither is given. One name more than
 * an answer lists at `most` tells that there are more.
 */
export function limitOfRequest(own: number | undefined, requested: number | undefined, most: number): number {
  if (own === undefined && requested === undefined) return DEFAULT_LIMIT;
  return Math.min(own ?? Number.POSITIVE_INFINITY, requested ?? Number.POSITIVE_INFINITY, most + 1);
}

/** Distinct, in code point order, at most `limit`. */
export function sortedNames(names: Iterable<string>, limit: number): readonly string[] {
  return cut([...new Set(names)].sort(compareNames), limit);
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
