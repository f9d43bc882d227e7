import {isDeepStrictEqual} from 'node:util';
import {compactly} from './compactly.js';

/** The first place in which two values differ. */
export interface Difference {
  /** As JSONPath has it: `$[2].tags`. */
  readonly at: string;
  readonly found: unknown;
  readonly expected: unknown;
  /** The widest parts around it that are easy to look over. */
  readonly around: {readonly found: unknown; readonly expected: unknown};
}

/** So many characters are easy to look over. */
const EASY = 1500;

export function firstDifference(found: unknown, expected: unknown): Difference {
  let at = '$';
  let around: Difference['around'] | undefined;
  for (let pair = {found, expected}; ; ) {
    if (around === undefined && isEasy(pair.found) && isEasy(pair.expected)) around = pair;
    const key = differingKey(pair.found, pair.expected);
    if (key === undefined) return {at, ...pair, around: around ?? pair};
    at += /^\d+$/.test(key) ? `[${key}]` : `.${key}`;
    pair = {found: memberOf(pair.found, key), expected: memberOf(pair.expected, key)};
  }
}

function isEasy(value: unknown): boolean {
  return compactly(value, Number.POSITIVE_INFINITY).length <= EASY;
}

/** The first member that differs of two values with members; undefined of others. */
function differingKey(found: unknown, expected: unknown): string | undefined {
  if (!hasMembers(found) || !hasMembers(expected) || Array.isArray(found) !== Array.isArray(expected)) return undefined;
  const keys = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  return keys.find(key => !isDeepStrictEqual(memberOf(found, key), memberOf(expected, key)));
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Map);
}

function memberOf(value: unknown, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}
