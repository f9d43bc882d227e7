/**
 * Builds JSON as UTF-8 bytes in a growing buffer. Ten megabytes of small pieces joined as strings take several times
 * as long: each piece becomes an object, and the whole is copied once to be flat and once more to be bytes.
 */
export class JsonWriter {
  #bytes: Buffer = NOTHING;
  #length = 0;
  #next = FIRST_SIZE;

  /** JSON in ASCII, as it is. */
  raw(json: string): void {
    const {length} = json;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < length; i++) bytes[at++] = json.charCodeAt(i);
    this.#length = at;
  }

  /** The same of what is written again and again: bytes are copied in less time than the characters of a text. */
  fixed(json: Uint8Array): void {
    const {length} = json;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < length; i++) bytes[at++] = json[i] as number;
    this.#length = at;
  }

  /** Any text, as a JSON string. */
  text(text: string): void {
    const {length} = text;
    this.#reserve(length + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) {
        this.#escaped(text);
        return;
      }
      bytes[at++] = unit;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** How much has been written since the last `take`, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** What has been written since the last `take`. What follows goes into a buffer of its own. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = NOTHING;
    // Pieces differ a little in length: one that outgrew its buffer would be copied to one of twice the size.
    this.#next = Math.ceil(taken.length * 1.125);
    this.#length = 0;
    return taken;
  }

  #escaped(text: string): void {
    const json = JSON.stringify(text);
    this.#reserve(json.length * 3);
    this.#length += this.#bytes.write(json, this.#length);
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2 || this.#next));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** For `fixed`. */
export function ascii(json: string): Uint8Array {
  return Uint8Array.from(json, unit => unit.charCodeAt(0));
}

const NOTHING = Buffer.alloc(0);
/** Of the first buffer, in bytes: what a small trace takes. */
const FIRST_SIZE = 16_384;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const TILDE = 0x7e;
