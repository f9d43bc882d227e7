import {isUtf8} from 'node:buffer';
import {GatewayError} from '../../api/errors.js';
import type {TextCache} from './text-cache.js';

/** Kinds of fields on the wire, the lower three bits of a tag. */
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const GROUP_START = 3;
const GROUP_END = 4;
const FIXED32 = 5;

/** Nothing that is sent today has groups; the specification wants those of unknown fields passed over. */
const DEEPEST_GROUP = 100;

/** Stands in a text for what is no UTF-8. */
export const REPLACEMENT = '\ufffd';

/** The tag of a field: its number and how its value is written. */
export const varintField = (field: number): number => field * 8 + VARINT;
export const fixed64Field = (field: number): number => field * 8 + FIXED64;
export const delimitedField = (field: number): number => field * 8 + DELIMITED;
export const fixed32Field = (field: number): number => field * 8 + FIXED32;

/**
 * A cursor over the bytes of a protobuf message, for decoders that build their own model and stop where it is too large:
 * a generated decoder would make all of it first. Every length is checked against the message around it. What is damaged
 * throws a `GatewayError` of the code `bad_request` that says where.
 *
 * A message is read as `while (reader.position < end) switch (reader.tag(end)) {…; default: reader.skip(end)}`.
 */
export class WireReader {
  readonly bytes: Buffer;
  position = 0;
  readonly #texts: TextCache | undefined;
  #tag = 0;

  /** `texts` are those of before, where many come again. */
  constructor(bytes: Uint8Array, texts?: TextCache) {
    this.#texts = texts;
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The next tag. A field whose value is written in another way than its type wants has another tag: it is not known. */
  tag(end: number): number {
    const tag = this.varint(end);
    if (tag < 8 || tag > 0xff_ff_ff_ff) this.damaged('a field has no valid number');
    this.#tag = tag;
    return tag;
  }

  /** A number that is not negative, exact below 2^53; of a larger one only that it is larger. */
  varint(end: number): number {
    const {bytes} = this;
    const first = this.position < end ? (bytes[this.position] ?? 0) : 0x80;
    if (first < 0x80) {
      this.position++;
      return first;
    }
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10 && this.position < end; count++) {
      const byte = bytes[this.position++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    return this.damaged('a number has no end');
  }

  /** The lower 32 bits of a varint, as a signed number: how `int32` and enums are written. */
  int32(end: number): number {
    const start = this.position;
    this.varint(end);
    let value = 0;
    for (let at = start; at < this.position && at < start + 5; at++)
      value |= ((this.bytes[at] ?? 0) & 0x7f) << (7 * (at - start));
    return value;
  }

  uint32(end: number): number {
    return this.int32(end) >>> 0;
  }

  /** All 64 bits of a varint, with their sign. */
  int64(end: number): bigint {
    const start = this.position;
    const number = this.varint(end);
    if (number <= Number.MAX_SAFE_INTEGER) return BigInt(number);
    let value = 0n;
    for (let at = this.position - 1; at >= start; at--) value = (value << 7n) | BigInt((this.bytes[at] ?? 0) & 0x7f);
    return BigInt.asIntN(64, value);
  }

  /** Eight bytes, as an integer without a sign. */
  fixed64(end: number): bigint {
    return this.bytes.readBigUInt64LE(this.#fixed(8, end));
  }

  /** Where eight bytes stand that are a number; the cursor goes behind them. */
  place64(end: number): number {
    return this.#fixed(8, end);
  }

  double(end: number): number {
    return this.bytes.readDoubleLE(this.#fixed(8, end));
  }

  fixed32(end: number): number {
    return this.bytes.readUInt32LE(this.#fixed(4, end));
  }

  /** Where the delimited value that begins here ends; the cursor stands at its first byte. */
  limit(end: number): number {
    const length = this.varint(end);
    const limit = this.position + length;
    if (limit > end) this.damaged('a field is longer than what it stands in');
    return limit;
  }

  /** The bytes of a delimited value: a view. */
  view(end: number): Buffer {
    const limit = this.limit(end);
    const view = this.bytes.subarray(this.position, limit);
    this.position = limit;
    return view;
  }

  text(end: number): string {
    const limit = this.limit(end);
    const {position} = this;
    const text = this.#texts?.text(this.bytes, position, limit) ?? this.bytes.toString('utf8', position, limit);
    this.position = limit;
    if (text.includes(REPLACEMENT)) this.checkText(position, limit);
    return text;
  }

  /** Of a text with U+FFFD, which may also stand there by itself: what is damaged reads so. */
  checkText(from: number, to: number): void {
    if (!isUtf8(this.bytes.subarray(from, to))) this.damaged('a text is no UTF-8');
  }

  /** Passes over the value of the field whose tag was read last. */
  skip(end: number, depth = 0): void {
    const tag = this.#tag;
    const kind = tag % 8;
    if (kind === VARINT) this.varint(end);
    else if (kind === FIXED64) this.#fixed(8, end);
    else if (kind === DELIMITED) this.position = this.limit(end);
    else if (kind === FIXED32) this.#fixed(4, end);
    else if (kind === GROUP_START && depth < DEEPEST_GROUP) this.#skipGroup(tag, end, depth);
    else this.damaged(`a field is written in the unknown way ${kind}`);
  }

  damaged(problem: string): never {
    throw new GatewayError('bad_request', `the message is damaged before byte ${this.position}: ${problem}`);
  }

  #skipGroup(start: number, end: number, depth: number): void {
    while (this.position < end) {
      const tag = this.tag(end);
      if (tag % 8 !== GROUP_END) this.skip(end, depth + 1);
      else if (tag === start - GROUP_START + GROUP_END) return;
      else this.damaged('a group ends that has not begun');
    }
    this.damaged('a group has no end');
  }

  #fixed(bytes: number, end: number): number {
    const {position} = this;
    if (position + bytes > end) this.damaged('it ends within a number');
    this.position += bytes;
    return position;
  }
}
