/** A class of the Unicode tables costs about as much to compile as this many characters. */
const UNICODE_CLASS = 30;
/** So does a class with a range in a pattern that takes upper and lower case alike: each letter is looked up. */
const FOLDED_CLASS = 300;

/**
 * How large an RE2 program the pattern makes, about, and so how long it takes to compile and to run, without compiling
 * it: its characters, with counted repetitions written out and large classes weighed. Of a pattern that is not well
 * formed any number.
 */
export function sizeOf(pattern: string): number {
  const folded = /\(\?[a-zA-Z]*i/.test(pattern);
  const groups: number[] = [];
  let total = 0;
  let atom = 0;
  for (const [token] of pattern.matchAll(TOKEN)) {
    const [count] = REPETITION.exec(token) ?? [];
    if (count !== undefined) {
      const times = Math.max(...[...count.matchAll(/\d+/g)].map(Number));
      total += atom * (times - 1);
      atom *= Math.max(times, 1);
    } else if (token === '(') {
      groups.push(total);
      total = 0;
    } else if (token === ')') {
      atom = total + 2;
      total = atom + (groups.pop() ?? 0);
    } else if (token === '*' || token === '+' || token === '?') {
      total++;
      atom++;
    } else {
      atom = classSize(token, folded);
      total += atom;
    }
  }
  return groups.reduce((sum, outer) => sum + outer, total);
}

/** An escape, a class, a counted repetition, or one character. The parts of a class exclude each other: no backtracking. */
const TOKEN =
  /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]{1,10}:\]|\[(?!:\^?[a-z]{1,10}:\])|[^\]\\[])*\]|\{\d+(?:,\d*)?\}|[\s\S]/g;
const REPETITION = /^\{\d+(?:,\d*)?\}$/;

function classSize(token: string, folded: boolean): number {
  const tables = token.match(/\\[pP]/g)?.length ?? 0;
  const isFolded = folded && (tables > 0 || /^\[[\s\S]*[-^]/.test(token));
  return token.length + (isFolded ? FOLDED_CLASS : 0) + tables * UNICODE_CLASS;
}
