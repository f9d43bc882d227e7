import {isAscii, isUtf8} from 'node:buffer';
import type {Call} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import {BLOCK_BYTES} from './block-size.js';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Bounds what a single line may hold in memory. The largest possible record, every character escaped, is smaller. */
const LINE_BYTES = 8 * 1024 * 1024;

export interface LineSink {
  /** A line that is not blank, without its end; `number` counts from 1. */
  line(text: string, number: number): void;
  /** A line that cannot be text. */
  unreadable(reason: string, number: number): void;
}

/**
 * Splits bytes into lines of UTF-8 text. Lines end in LF or CRLF, the last one may end without; blank lines are counted
 * and passed over; a byte order mark at the beginning is dropped.
 */
export class Lines {
  readonly #sink: LineSink;
  readonly #call: Call;
  #number = 0;
  /** What has come of a line whose end has not, piece by piece: joining it with each would copy a long line again and again. */
  #rest: Buffer[] = [];
  #restLength = 0;
  /** Inside a line that is too long and was already refused. */
  #skipping = false;
  #started = false;

  constructor(sink: LineSink, call: Call) {
    this.#sink = sink;
    this.#call = call;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#goesOn(chunk)) {
      this.#keep(chunk);
      return;
    }
    const bytes = this.#join(chunk);
    let from = this.#started ? 0 : this.#markLength(bytes);
    if (from < 0) return;
    while (from < bytes.length) {
      const to = blockEnd(bytes, from);
      if (to === 0) break;
      this.#block(bytes.subarray(from, to));
      from = to;
      await pause(this.#call);
    }
    const rest = bytes.subarray(from);
    this.#skipping ||= rest.length > LINE_BYTES;
    if (rest.length > LINE_BYTES) this.#refuseLength(this.#number + 1);
    if (!this.#skipping) this.#keep(rest);
  }

  /** Takes the last line when it has no end of its own. */
  end(): void {
    const rest = this.#take();
    if (rest.length > 0) this.#block(rest);
  }

  /** Whether a chunk is the middle of a line that is not yet too long. */
  #goesOn(chunk: Uint8Array): boolean {
    const length = this.#restLength + chunk.length;
    return this.#started && this.#restLength > 0 && length <= LINE_BYTES && !chunk.includes(NEWLINE);
  }

  /** A copy, so that a short remainder does not keep the whole chunk. */
  #keep(bytes: Uint8Array): void {
    this.#rest.push(Buffer.from(bytes));
    this.#restLength += bytes.length;
  }

  #take(): Buffer {
    const rest = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restLength = 0;
    return rest;
  }

  /** The bytes after the end of a line that is being skipped, behind what the last push left over. */
  #join(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#skipping) {
      const end = bytes.indexOf(NEWLINE);
      if (end < 0) return bytes.subarray(bytes.length);
      this.#skipping = false;
      this.#number++;
      return bytes.subarray(end + 1);
    }
    return this.#restLength === 0 ? bytes : Buffer.concat([this.#take(), bytes]);
  }

  /** The length of the byte order mark; -1 while the first bytes could still become one. */
  #markLength(bytes: Buffer): number {
    const matching = BYTE_ORDER_MARK.findIndex((byte, i) => bytes[i] !== byte);
    if (matching >= 0 && matching === bytes.length) {
      this.#keep(bytes);
      return -1;
    }
    this.#started = true;
    return matching < 0 ? BYTE_ORDER_MARK.length : 0;
  }

  #block(bytes: Buffer): void {
    if (bytes.length > LINE_BYTES) {
      this.#number++;
      this.#refuseLength(this.#number);
    } else if (isAscii(bytes)) {
      this.#lines(bytes.toString('latin1'));
    } else if (isUtf8(bytes)) {
      this.#lines(bytes.toString());
    } else {
      this.#linesOfUnsureText(bytes);
    }
  }

  #lines(text: string): void {
    let from = 0;
    while (from < text.length) {
      const newline = text.indexOf('\n', from);
      const to = newline < 0 ? text.length : newline;
      this.#number++;
      const line = text.slice(from, text.charCodeAt(to - 1) === 0x0d && to > from ? to - 1 : to);
      if (!isBlank(line)) this.#sink.line(line, this.#number);
      from = to + 1;
    }
  }

  #linesOfUnsureText(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, from);
      const to = newline < 0 ? bytes.length : newline + 1;
      const line = bytes.subarray(from, to);
      if (isUtf8(line)) {
        this.#lines(line.toString());
      } else {
        this.#number++;
        this.#sink.unreadable('the line is not valid UTF-8', this.#number);
      }
      from = to;
    }
  }

  #refuseLength(number: number): void {
    this.#sink.unreadable(`the line is longer than ${LINE_BYTES} bytes, the most that one record may take`, number);
  }
}

/** The end of a block of whole lines that begins at `from`: one block's length, or the first line's; 0 if it has no end. */
function blockEnd(bytes: Buffer, from: number): number {
  const last = bytes.subarray(from, from + BLOCK_BYTES).lastIndexOf(NEWLINE);
  return last >= 0 ? from + last + 1 : bytes.indexOf(NEWLINE, from + BLOCK_BYTES) + 1;
}

function isBlank(line: string): boolean {
  const first = line.charCodeAt(0);
  return !(first > 0x20) && line.trim() === '';
}
