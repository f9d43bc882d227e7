/** Every string of a JSON text, and whether it is a key. */
const STRINGS = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

const SPACE = 0x20;
const QUOTE = 0x22;

/**
 * A key that is written more often in the text than it occurs in `kept`, the keys that are left after parsing.
 * JSON.parse lets the last one win in silence; but two values for one key are a defect of the sender, and either may be
 * the one that was meant. `text` is valid JSON.
 */
export function repeatedKey(text: string, kept: readonly string[]): string | undefined {
  if (mostKeys(text) === kept.length) return undefined;
  const written: string[] = [];
  for (const [, key, colon] of text.matchAll(STRINGS)) {
    if (colon !== undefined) written.push(key ?? '');
  }
  if (written.length === kept.length) return undefined;
  const left = [...kept];
  return written
    .map(key => String(JSON.parse(`"${key}"`)))
    .find(key => {
      const at = left.indexOf(key);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
}

/** The number of keys, or more: what follows a quotation mark inside of a text is counted too. Costs far less than `STRINGS`. */
function mostKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= SPACE) before--;
    if (text.charCodeAt(before) === QUOTE) count++;
  }
  return count;
}
