import leven from 'leven';

/**
 * Parts of messages, so that all of them are written alike: lower case, no full stop, double quotes around what the user
 * wrote, `found "x", expected y`. User text may be of any length and hold anything; what these functions give is one line
 * of bounded length.
 */

/** So many characters (UTF-16 units) of a user's text tell which one is meant. */
const EXCERPT_LENGTH = 64;

/** A longer word is no slip of the pen, and comparing it would cost its length times that of each candidate. */
const LONGEST_WORD = 120;

/** The text, cut after `length` UTF-16 units (never within a character) and marked with `…` when it is longer. */
export function excerpt(text: string, length = EXCERPT_LENGTH): string {
  if (text.length <= length) return text;
  const isSplit = (text.codePointAt(length - 1) ?? 0) > 0xff_ff;
  return `${text.slice(0, isSplit ? length - 1 : length)}…`;
}

/**
 * A value as a message shows it: text in double quotes, escaped as in JSON and cut when it is long; of what is nested,
 * which may be deep, only its type; `nothing` for undefined.
 */
export function quote(value: unknown, length = EXCERPT_LENGTH): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(excerpt(value, length)).replace(UNSEEN, escaped);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return excerpt(String(value), length);
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** What ends a line, or turns the direction of writing, and JSON leaves as it is. */
const UNSEEN = /[\u0085\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What is wrong with a parameter of a request: `the parameter "limit": found "x", expected a whole number from 1`. */
export function parameterProblem(name: string, found: string | undefined, problem: string): string {
  return `the parameter ${quote(name)}: found ${quote(found)}, ${problem}`;
}

/** `"a", "b" and "c"`; empty for no names. */
export function listOf(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const quoted = names.map(name => quote(name));
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}

/** `1 label`, `2 labels`: for nouns whose plural ends in s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The candidate that was probably meant: equal but for case, or with at most a third of the letters wrong; else undefined. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  // Two, so that two letters in the wrong order are near; of one letter nothing is left when it is wrong.
  const limit = word.length < 2 ? 0 : word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = leven(lower, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of a message: `; did you mean "lookback"?`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : `; did you mean ${quote(meant)}?`;
}
