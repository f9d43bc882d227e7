import {GatewayError} from '../../../../core/api/plugin.js';
import {quote} from '../../../../core/toolkit/messages.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
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

/** What ends a number, `true`, `false` or `null`, and how long those are at most. */
const ENDS_WORD: ReadonlySet<number> = new Set(Buffer.from(' \t\n\v\f\r,]}:[{"'));
const LONGEST_WORD = 400;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Values that are passed over in a step. */
const VALUES_A_STEP = 4096;

/** Keys, and many values, are few and come again and again. */
const TEXTS = new TextCache();

/**
 * A cursor over the bytes of JSON, which are UTF-8, for a decoder that builds its own model: a number keeps its digits, what is not known is passed over and
 * never made, and the caller stops where there is too much. What is no JSON throws `bad_request` and says where.
 *
 * An object is read as `reader.openObject(); for (let key = reader.nextKey(); key !== undefined; key = reader.nextKey()) …`, an
 * array as `reader.openArray(); while (reader.nextElement()) …`; each turn reads one value.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  #position = 0;
  /** Whether an object or array has just been opened. */
  #isFresh = false;

  /** Takes bytes, because to make one text of a large body would hold the thread for as long as to read it. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** In bytes. */
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
    const begin = this.#position;
    return this.#passText() ? this.#escaped(begin) : TEXTS.text(this.#bytes, begin + 1, this.#position - 1);
  }

  /** A number as it is written, or `true`, `false`. */
  word(): string {
    this.#peek();
    const begin = this.#position;
    const most = Math.min(begin + LONGEST_WORD, this.#bytes.length);
    let end = begin;
    while (end < most && !ENDS_WORD.has(this.#bytes[end] as number)) end++;
    if (end === begin) return this.fail('a value is missing');
    const word = this.#bytes.toString('utf8', begin, end);
    this.#position = end;
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
      } else if (byte === QUOTE) this.#skipText();
      else this.word();
      let top = open.at(-1);
      while (top !== undefined && !this.#next(top)) {
        open.pop();
        top = open.at(-1);
      }
      if (top === undefined) return;
      if (top === CLOSE_OBJECT) {
        if (this.#peek() !== QUOTE) this.refuse('a key');
        this.#skipText();
        this.#colon();
      }
    }
  }

  /** Nothing but white space is left. */
  end(): void {
    this.#peek();
    if (this.#position < this.#bytes.length) this.fail('something stands behind the value');
  }

  /** Refuses the value that stands here, or that was read from `from` on. */
  refuse(expected: string, from = this.#position): never {
    const found = this.#bytes
      .toString('utf8', from, from + 320)
      .slice(0, 80)
      .trim();
    const isLong = found.length > 40;
    return this.fail(`found ${isLong ? `${quote(found, 40)}` : quote(found)}, expected ${expected}`);
  }

  fail(problem: string): never {
    const character = this.#bytes.toString('utf8', 0, this.#position).length;
    throw new GatewayError('bad_request', `the JSON is wrong before character ${character}: ${problem}`);
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
    this.#colon();
    return key;
  }

  #colon(): void {
    if (this.#peek() !== COLON) this.refuse('a colon');
    this.#position++;
  }

  /** Passes over the text that begins here. */
  #skipText(): void {
    const begin = this.#position;
    if (this.#passText()) this.#escaped(begin);
  }

  /** The text from `begin` to the cursor, which has escapes. */
  #escaped(begin: number): string {
    try {
      return (JSON.parse(this.#bytes.toString('utf8', begin, this.#position)) as string).toWellFormed();
    } catch {
      return this.fail('a text has an escape that JSON does not know');
    }
  }

  /** What comes next that is no white space; NaN at the end. */
  #peek(): number {
    const bytes = this.#bytes;
    while (this.#position < bytes.length) {
      const byte = bytes[this.#position] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#position++;
    }
    return Number.NaN;
  }

  /** Goes behind the closing quote of the text that begins here; whether it has escapes. */
  #passText(): boolean {
    const bytes = this.#bytes;
    const {length} = bytes;
    let hasEscapes = false;
    let at = this.#position + 1;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        hasEscapes = true;
        at++;
      } else if (byte < FIRST_PRINTED) {
        this.#position = at;
        this.fail('a text holds a control character');
      }
    }
    if (at >= length) {
      this.#position = length;
      this.fail('a text has no end');
    }
    this.#position = at + 1;
    this.#isFresh = false;
    return hasEscapes;
  }
}
