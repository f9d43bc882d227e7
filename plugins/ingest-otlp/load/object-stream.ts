import type {Steps} from '../../../core/toolkit/yielder.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** As much as a request may have by default. */
const OBJECT_BYTES = 64 * 1024 * 1024;

/** Bytes that are looked at in a step. */
const BLOCK = 64 * 1024;

/** How a line begins that is an object of its own, whatever is missing in the line before. */
const BEGINNING = Buffer.from('{"resourceSpans"');

export interface ObjectSink {
  /** `line` is where the object begins, from 1. The bytes are used again once the steps have ended. */
  object(bytes: Buffer, line: number): Steps<void>;
  unreadable(reason: string, line: number): void;
}

/**
 * Splits bytes into the JSON objects that stand one behind the other: one, over many lines, or one a line. An object that has
 * no end ends before the next line that begins as one does.
 */
export class ObjectStream {
  readonly #sink: ObjectSink;
  /** Where bytes are put; grows to twice its size, so that an object in many pieces is not copied with each. */
  #room: Buffer = Buffer.alloc(2 * BLOCK);
  /** Of it, what was not looked at, or is of the object that has begun. */
  #rest: Buffer = this.#room.subarray(0, 0);
  #at = 0;
  #depth = 0;
  #inString = false;
  #line = 1;
  #beginsAt = 1;

  constructor(sink: ObjectSink) {
    this.#sink = sink;
  }

  *push(chunk: Uint8Array): Steps<void> {
    this.#add(chunk);
    // So that what follows a newline or a backslash is there.
    yield* this.#scan(this.#rest.length - BEGINNING.length - 1);
  }

  *end(): Steps<void> {
    yield* this.#scan(this.#rest.length);
    if (this.#depth > 0) this.#sink.unreadable('the JSON is cut short: its object has no end', this.#beginsAt);
  }

  #add(chunk: Uint8Array): void {
    const length = this.#rest.length + chunk.length;
    if (length > this.#room.length) {
      const room = Buffer.alloc(Math.max(length, 2 * this.#room.length));
      this.#rest.copy(room);
      this.#room = room;
    }
    this.#room.set(chunk, this.#rest.length);
    this.#rest = this.#room.subarray(0, length);
  }

  *#scan(end: number): Steps<void> {
    let begin = 0;
    for (let looked = 1; this.#at < end; looked++) {
      if (looked % BLOCK === 0) yield;
      const byte = this.#rest[this.#at++];
      if (byte === NEWLINE) {
        this.#line++;
        if (this.#depth > 0 && this.#beginsAnew()) {
          this.#sink.unreadable('the JSON is cut short: its object has no end', this.#beginsAt);
          this.#depth = 0;
          this.#inString = false;
        }
      } else if (this.#inString) {
        if (byte === BACKSLASH) this.#at++;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE && this.#depth > 0) this.#inString = true;
      else if (byte === OPEN && this.#depth++ === 0) {
        begin = this.#at - 1;
        this.#beginsAt = this.#line;
      } else if (byte === CLOSE && this.#depth > 0 && --this.#depth === 0) {
        yield* this.#sink.object(this.#rest.subarray(begin, this.#at), this.#beginsAt);
        begin = this.#at;
      } else if (this.#depth === 0 && byte !== undefined && byte > 0x20) this.#stray();
    }
    if (this.#depth === 0) begin = this.#at;
    this.#keep(begin);
  }

  /** Something that begins no object: the rest of its line is no JSON either. */
  #stray(): void {
    // A byte order mark.
    if (this.#line === 1 && this.#at <= 3 && (this.#rest[this.#at - 1] ?? 0) >= 0xbb) return;
    this.#sink.unreadable('expected a JSON object with resourceSpans', this.#line);
    const newline = this.#rest.indexOf(NEWLINE, this.#at);
    this.#at = newline < 0 ? this.#rest.length : newline;
  }

  #beginsAnew(): boolean {
    return this.#rest.subarray(this.#at, this.#at + BEGINNING.length).equals(BEGINNING);
  }

  #keep(begin: number): void {
    this.#room.copyWithin(0, begin, this.#rest.length);
    this.#rest = this.#room.subarray(0, this.#rest.length - begin);
    this.#at -= begin;
    if (this.#depth === 0 || this.#rest.length <= OBJECT_BYTES) return;
    this.#sink.unreadable(
      `the object is longer than ${OBJECT_BYTES} bytes, the most that one may take`,
      this.#beginsAt,
    );
    this.#rest = this.#room.subarray(0, 0);
    this.#at = 0;
    this.#depth = 0;
    this.#inString = false;
  }
}
