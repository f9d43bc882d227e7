import {TEXT_BYTES} from './text-limits.js';

/** Begins the key of a tag that tells how much of a list was stored: `cut.tags`, `cut.annotations`, `cut.logs`, `cut.data`. */
export const CUT = 'cut.';

/** The most bytes of all the values of a record together: what a reader has to hold when it shows the record. */
const RECORD_BYTES = 8 * 1024 * 1024;

/** Texts of fewer characters are not cut: a mark would save nothing. */
const SHORT = 256;

/**
 * Fits values into what is stored of a record. Senders put whole stack traces and bodies of requests into a tag, so a
 * value that is too long is cut and says so, and the record is stored.
 */
export class ContentBudget {
  #cut = 0;
  #left = RECORD_BYTES;
  readonly #most: number;

  /** `most` is how many tags, or the like, are stored of a span. */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many values and lists have been cut, in all records. */
  get cut(): number {
    return this.#cut;
  }

  beginRecord(): void {
    this.#left = RECORD_BYTES;
  }

  /** The first of the items, as many as are stored, and the text of a mark when there are more. */
  first<Item>(items: readonly Item[]): {readonly items: readonly Item[]; readonly mark: string | undefined} {
    if (items.length <= this.#most) return {items, mark: undefined};
    this.#cut++;
    return {items: items.slice(0, this.#most), mark: `${this.#most} of ${items.length}`};
  }

  /** The text, or as much of its beginning as has room, with a mark behind it that says how long it was. */
  fit(text: string): string {
    if (text.length < SHORT) {
      this.#left -= text.length;
      return text;
    }
    const bytes = Buffer.byteLength(text);
    const most = Math.max(0, Math.min(TEXT_BYTES, this.#left));
    this.#left -= Math.min(bytes, most);
    if (bytes <= most) return text;
    this.#cut++;
    const mark = `… (cut from ${bytes} bytes)`;
    return beginningOf(text, most - Buffer.byteLength(mark)) + mark;
  }
}

/** So many bytes of a text, or a few less: never a part of a character. */
function beginningOf(text: string, most: number): string {
  // A character takes at least a byte, so no more than these can be needed.
  const bytes = Buffer.from(text.slice(0, Math.max(0, most) + 1));
  let end = Math.min(bytes.length, Math.max(0, most));
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
