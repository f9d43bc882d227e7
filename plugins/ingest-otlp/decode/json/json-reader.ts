import {GatewayError} from '../../../../core/api/plugin.js';
import {quote} from '../../../../core/toolkit/messages.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const FIRST_PRINTED = 0x20;

/** What a number, `true`, `false` or `null` is made of. */
const WORD = /[^\s,\]}:[{"]{1,400}/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Values that are passed over in a step. */
const VALUES_A_STEP = 4096;

/**
 * A cursor over JSON, for a decoder that builds its own model: a number keeps its digits, what is not known is passed over and
 * never made, and the caller stops where there is too much. What is no JSON throws `bad_request` and says where.
 *
 * An object is read as `reader.openObject(); for (let key = reader.nextKey(); key !== undefined; key = reader.nextKey()) …`, an
 * array as `reader.openArray(); while (reader.nextElement()) …`; each turn reads one value.
 */
export class JsonReader {
  readonly #text: string;
  #position = 0;
  /** Whether an object or array has just been opened. */
  #isFresh = false;

  constructor(text: string) {
    this.#text = text;
  }

  get position(): number {
    return this.#position;
  }

  /** Goes to a value, or behind one, where the cursor has been before. */
  seek(position: number): void {
    this.#position = position;
    this.#isFresh = false;
  }

  openObject(): void {
    this.#open(OPEN_OBJECT, 'an object');
  }

  openArray(): void {
    this.#open(OPEN_ARRAY, 'an array');
  }

  nextKey(): string | undefined {
    if (!this.#next(CLOSE_OBJECT)) return undefined;
    return this.#key();
  }

  nextElement(): boolean {
    return this.#next(CLOSE_ARRAY);
  }

  /** Whether the value is null, which is read then: everywhere the same as if its key were not there. */
  isNull(): boolean {
    if (this.#peek() !== 0x6e) return false;
    if (this.word() !== 'null') this.fail('a value is no JSON');
    return true;
  }

  isText(): boolean {
    return this.#peek() === QUOTE;
  }

  /** A text, well-formed. */
  text(expected = 'a text'): string {
    if (this.#peek() !== QUOTE) this.refuse(expected);
    const text = this.#text;
    const begin = this.#position;
    const end = this.#stringEnd();
    const raw = text.slice(begin + 1, end - 1);
    if (!raw.includes('\\')) return raw;
    try {
      return (JSON.parse(text.slice(begin, end)) as string).toWellFormed();
    } catch {
      return this.fail('a text has an escape that JSON does not know');
    }
  }

  /** A number as it is written, or `true`, `false`. */
  word(): string {
    this.#peek();
    WORD.lastIndex = this.#position;
    const word = WORD.exec(this.#text)?.[0];
    if (word === undefined) return this.fail('a value is missing');
    this.#position += word.length;
    this.#isFresh = false;
    if (word !== 'true' && word !== 'false' && word !== 'null' && !NUMBER.test(word)) {
      this.fail(`found ${quote(word)}, which is no JSON`);
    }
    return word;
  }

  /** Passes over a value, of any size and depth. */
  *skip(): Steps<void> {
    const open: number[] = [];
    for (let values = 1; ; values++) {
      if (values % VALUES_A_STEP === 0) yield;
      const byte = this.#peek();
      const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : byte === OPEN_ARRAY ? CLOSE_ARRAY : 0;
      if (close !== 0) {
        this.#position++;
        this.#isFresh = true;
        open.push(close);
      } else if (byte === QUOTE) this.text();
      else this.word();
      let top = open.at(-1);
      while (top !== undefined && !this.#next(top)) {
        open.pop();
        top = open.at(-1);
      }
      if (top === undefined) return;
      if (top === CLOSE_OBJECT) this.#key();
    }
  }

  /** Nothing but white space is left. */
  end(): void {
    this.#peek();
    if (this.#position < this.#text.length) this.fail('something stands behind the value');
  }

  /** Refuses the value that stands here, or that was read from `from` on. */
  refuse(expected: string, from = this.#position): never {
    const found = this.#text.slice(from, from + 80).trim();
    const isLong = found.length > 40;
    return this.fail(`found ${isLong ? `${quote(found, 40)}` : quote(found)}, expected ${expected}`);
  }

  fail(problem: string): never {
    throw new GatewayError('bad_request', `the JSON is wrong before character ${this.#position}: ${problem}`);
  }

  #open(byte: number, what: string): void {
    if (this.#peek() !== byte) this.refuse(what);
    this.#position++;
    this.#isFresh = true;
  }

  /** Goes to the next member; false behind the last, after `close`. */
  #next(close: number): boolean {
    const byte = this.#peek();
    const wasFresh = this.#isFresh;
    this.#isFresh = false;
    if (byte === close) {
      this.#position++;
      return false;
    }
    if (wasFresh) return true;
    if (byte !== COMMA)
      this.refuse(close === CLOSE_ARRAY ? 'a comma or the end of the array' : 'a comma or the end of the object');
    this.#position++;
    return true;
  }

  #key(): string {
    const key = this.text('a key');
    if (this.#peek() !== COLON) this.refuse('a colon');
    this.#position++;
    return key;
  }

  /** What comes next that is no white space; NaN at the end. */
  #peek(): number {
    let code = this.#text.charCodeAt(this.#position);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
      code = this.#text.charCodeAt(++this.#position);
    return code;
  }

  /** Goes behind the closing quote of the text that begins here. */
  #stringEnd(): number {
    const text = this.#text;
    let at = this.#position + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) at++;
      // NaN, behind the end, is not less either.
      else if (!(code >= FIRST_PRINTED)) {
        this.#position = Math.min(at, text.length);
        this.fail(at < text.length ? 'a text holds a control character' : 'a text has no end');
      }
      at++;
    }
    this.#position = at + 1;
    this.#isFresh = false;
    return this.#position;
  }
}
