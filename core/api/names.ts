/**
 * Compares two names in the order of Unicode code points, which is the byte order of their UTF-8 forms and so the
 * order of every backend. The order of JavaScript's own `<` differs where surrogate pairs meet U+E000 to U+FFFF.
 */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const surrogates = Number(isSurrogate(x)) - Number(isSurrogate(y));
    return surrogates || x - y;
  }
  return a.length - b.length;
}

/** Compares the names of two entities of one scope, the first that differ. */
export function compareNameLists(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((name, i) => name !== b[i]);
  return compareNames(a[differing] ?? '', b[differing] ?? '');
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
