import {isAscii, isUtf8} from 'node:buffer';
import type {Call} from '../../../../core/api/plugin.js';
import {pause} from '../../../../core/toolkit/yielder.js';
import {BLOCK_BYTES} from '../block-size.js';

/**
 * Bounds what a single element may hold in memory: as much as a body by default, for what is long in an element is cut
 * and does not cost the others.
 */
const ELEMENT_BYTES = 64 * 1024 * 1024;

/** Far beyond every record, and far below what would cost more memory than its text. */
const DEPTH = 100;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface ElementSink {
  /** The text of an element, not yet known to be JSON. */
  element(text: string): void;
  /** An element that cannot be text or is missing, or what is wrong with the whole. */
  unreadable(reason: string): void;
}

export interface ElementsOptions {
  /** Whether a single object, not in an array, is taken too. */
  readonly single: boolean;
  /** What the elements are: "spans". */
  readonly of: string;
}

type State = 'before' | 'first' | 'next' | 'inside' | 'after' | 'refused';

/**
 * Splits the bytes of a JSON array into the texts of its elements, without the whole ever being in memory as values. If
 * every element is JSON and nothing is unreadable, then the whole is JSON, and otherwise it is not. An element that is not
 * JSON ends where it would if its quotes and brackets were right, so that those after it can still be read. A byte order
 * mark at the beginning is dropped; nothing at all stands for an empty array.
 */
export class Elements {
  readonly #options: ElementsOptions;
  readonly #sink: ElementSink;
  readonly #call: Call;
  #state: State = 'before';
  /** How much of a byte order mark has been read; all of it once there can be none. */
  #mark = 0;
  /** Of the element: its bytes in earlier pieces, where it begins in this one, and how it goes on. */
  #earlier: Buffer[] = [];
  #earlierBytes = 0;
  #start = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The one object in place of an array. */
  #alone = false;
  /** Inside an element that was already refused. */
  #skipping = false;

  constructor(options: ElementsOptions, sink: ElementSink, call: Call) {
    this.#options = options;
    this.#sink = sink;
    this.#call = call;
  }

  async push(chunk: Uint8Array): Promise<void> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#start = 0;
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      this.#scan(bytes, from, Math.min(bytes.length, from + BLOCK_BYTES));
      await pause(this.#call);
    }
    if (this.#state !== 'inside' || this.#skipping) return;
    // A copy, so that a short remainder does not keep the whole piece.
    this.#earlier.push(Buffer.from(bytes.subarray(this.#start)));
    this.#earlierBytes += bytes.length - this.#start;
  }

  end(): void {
    if (this.#state === 'inside') {
      this.#endInside();
    } else if (this.#state === 'first' || this.#state === 'next') {
      this.#sink.unreadable('the JSON is cut short before this record: its array has no end');
    } else if (this.#state === 'before' && this.#mark > 0 && this.#mark < BYTE_ORDER_MARK.length) {
      this.#refuseAll('the body is not valid UTF-8');
    }
  }

  /** An object that is complete stands, whatever is missing behind it. */
  #endInside(): void {
    const text = Buffer.concat(this.#earlier).toString().trimEnd();
    const isComplete = !this.#alone && this.#depth === 0 && !this.#inString && text.endsWith('}');
    if (this.#skipping && this.#depth > 0) return;
    if (isComplete && !this.#skipping) this.#end(Buffer.alloc(0), 0, 'next');
    const place = isComplete || this.#skipping ? 'before' : 'within';
    this.#sink.unreadable(
      `the JSON is cut short ${place} this record: its ${this.#alone ? 'object' : 'array'} has no end`,
    );
  }

  #scan(bytes: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.#state === 'refused') return;
      at = this.#state === 'inside' ? this.#inside(bytes, at, to) : this.#between(bytes[at] ?? 0, at);
    }
    if (this.#state === 'inside' && this.#earlierBytes + to - this.#start > ELEMENT_BYTES) this.#refuseLength();
  }

  /** Takes one byte outside of elements; answers where to go on. */
  #between(byte: number, at: number): number {
    if (this.#state === 'before' && this.#isMark(byte)) return at + 1;
    if (isSpace(byte)) return at + 1;
    switch (this.#state) {
      case 'before':
        if (byte === OPEN_BRACKET) this.#state = 'first';
        else if (byte === OPEN_BRACE && this.#options.single) return this.#begin(at, true);
        else
          this.#refuseAll(
            `expected a JSON array of ${this.#options.of}${this.#options.single ? ', or one object' : ''}`,
          );
        return at + 1;
      case 'after':
        this.#refuseAll('there is text after the end of the JSON');
        return at + 1;
      default:
        return this.#beforeElement(byte, at);
    }
  }

  #beforeElement(byte: number, at: number): number {
    if (byte === CLOSE_BRACKET) {
      if (this.#state === 'next') this.#sink.unreadable('not JSON: the array ends with a comma');
      this.#state = 'after';
    } else if (byte === COMMA) {
      this.#sink.unreadable('not JSON: nothing stands before a comma');
      this.#state = 'next';
    } else {
      return this.#begin(at, false);
    }
    return at + 1;
  }

  #begin(at: number, alone: boolean): number {
    this.#start = at;
    this.#earlier = [];
    this.#earlierBytes = 0;
    this.#depth = 0;
    this.#alone = alone;
    this.#skipping = false;
    this.#state = 'inside';
    return at;
  }

  /** Takes bytes until the element ends; answers where to go on. */
  #inside(bytes: Buffer, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (this.#escaped) {
        this.#escaped = false;
      } else if (this.#inString) {
        if (byte === QUOTE) this.#inString = false;
        else if (byte === BACKSLASH) this.#escaped = true;
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth++;
        if (this.#depth === DEPTH + 1) this.#refuse(`is nested deeper than ${DEPTH} levels`);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (this.#depth > 0) {
          this.#depth--;
          if (this.#alone && this.#depth === 0) return this.#end(bytes, at + 1, 'after');
        } else if (byte === CLOSE_BRACKET) {
          this.#end(bytes, at, 'after');
          return at + 1;
        }
      } else if (byte === COMMA && this.#depth === 0) {
        this.#end(bytes, at, 'next');
        return at + 1;
      }
    }
    return to;
  }

  #end(bytes: Buffer, at: number, state: State): number {
    this.#state = state;
    const last = bytes.subarray(this.#start, at);
    if (this.#earlierBytes + last.length > ELEMENT_BYTES) this.#refuseLength();
    if (this.#skipping) return at;
    const text = this.#earlier.length === 0 ? last : Buffer.concat([...this.#earlier, last]);
    if (isAscii(text)) this.#sink.element(text.toString('latin1'));
    else if (isUtf8(text)) this.#sink.element(text.toString());
    else this.#sink.unreadable('is not valid UTF-8');
    return at;
  }

  #isMark(byte: number): boolean {
    if (byte === BYTE_ORDER_MARK[this.#mark]) {
      this.#mark++;
      return true;
    }
    if (this.#mark > 0 && this.#mark < BYTE_ORDER_MARK.length) this.#refuseAll('the body is not valid UTF-8');
    this.#mark = BYTE_ORDER_MARK.length;
    return false;
  }

  #refuseLength(): void {
    this.#refuse(`is longer than ${ELEMENT_BYTES} bytes, the most that one record may take`);
  }

  #refuse(reason: string): void {
    if (!this.#skipping) this.#sink.unreadable(reason);
    this.#skipping = true;
    this.#earlier = [];
  }

  #refuseAll(reason: string): void {
    this.#state = 'refused';
    this.#sink.unreadable(reason);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
