const KEY = 'query-gateway.expressions';
const MOST = 50;

/** The last expressions that were run in this browser, newest first. A browser may keep nothing. */
export function pastExpressions(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(each => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export function remember(expressions: readonly string[]): void {
  const all = [...new Set([...expressions, ...pastExpressions()])].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Without room or leave to keep them, they are not kept.
  }
}
