const SLOTS = 8192;
/** Longer texts seldom repeat. */
const LONGEST = 64;

/**
 * Texts by their bytes. Names and values of labels repeat very often in the answers of agents: to find the one from before
 * costs a fraction of making it anew, and leaves no garbage. Holds texts of ASCII only, and one for each slot.
 */
export class TextCache {
  readonly #slots: (string | undefined)[] = new Array<string | undefined>(SLOTS).fill(undefined);

  text(bytes: Buffer, begin: number, end: number): string {
    if (end - begin > LONGEST) return bytes.toString('utf8', begin, end);
    let hash = end - begin;
    let all = 0;
    for (let index = begin; index < end; index++) {
      const byte = bytes[index] as number;
      hash = Math.imul(hash, 31) + byte;
      all |= byte;
    }
    if (all > 0x7f) return bytes.toString('utf8', begin, end);
    const slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
    const known = this.#slots[slot];
    if (known !== undefined && known.length === end - begin && isSame(known, bytes, begin)) return known;
    const text = bytes.toString('latin1', begin, end);
    this.#slots[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Buffer, begin: number): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[begin + index]) return false;
  }
  return true;
}
