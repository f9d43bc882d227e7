import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {SpanOrigin} from '../fragments/span-body.js';
import {ChunkedSpan} from './chunked-span.js';
import type {SentSpan} from './sent-span.js';

/** A span that goes into a chunk. Without a time its row is 0. */
export interface FreshSpan {
  readonly trace: number;
  readonly row: number;
  /** Microseconds. */
  readonly start: number;
  readonly end: number;
  readonly sent: SentSpan;
}

/** Spans that lie no farther apart than this are copied as one, with what is between them. */
const LARGEST_GAP = 16;
/** A number takes so many bytes at most, and so many are written of a span. */
const NUMBER_BYTES = 8;
const NUMBERS = 7;

const PIECES = ['resource', 'resourceSchemaUrl', 'scope', 'scopeSchemaUrl'] as const;

/** Encodes chunks, in a buffer that is used again. */
export class ChunkEncoder {
  #bytes = Buffer.allocUnsafeSlow(65_536);
  #length = 0;

  /**
   * The four pieces of each origin; the messages of the spans; and of each span the distance of its trace from the one before,
   * the number of its origin, its row and start (each from the least of all), its duration, how many bytes are between it and
   * the one before, and how many it has. In the order of the traces. What is given is there until the next call.
   */
  encode(spans: readonly FreshSpan[]): Uint8Array {
    const origins = new Map<SpanOrigin, number>();
    let row = Number.MAX_SAFE_INTEGER;
    let start = Number.MAX_SAFE_INTEGER;
    let messages = 0;
    let room = NUMBER_BYTES * 5;
    let before: SentSpan | undefined;
    for (const span of spans) {
      const {origin, begin, limit} = span.sent;
      if (span.row > 0) {
        row = Math.min(row, span.row);
        start = Math.min(start, span.start);
      }
      messages += limit - begin + gapBetween(before, span.sent);
      if (origin !== before?.origin && !origins.has(origin)) {
        origins.set(origin, origins.size);
        for (const piece of PIECES) room += origin[piece].length + NUMBER_BYTES;
      }
      before = span.sent;
    }
    room += messages + spans.length * NUMBERS * NUMBER_BYTES;
    if (this.#bytes.length < room) this.#bytes = Buffer.allocUnsafeSlow(room * 2);
    this.#length = 0;
    this.#putOrigins([...origins.keys()]);
    this.#number(messages);
    this.#putMessages(spans);
    this.#number(spans.length);
    this.#number(row);
    this.#number(start);
    this.#putHeads(spans, origins, row, start);
    return this.#bytes.subarray(0, this.#length);
  }

  #putOrigins(origins: readonly SpanOrigin[]): void {
    this.#number(origins.length);
    for (const origin of origins) {
      for (const piece of PIECES) {
        this.#number(origin[piece].length);
        this.#bytes.set(origin[piece], this.#length);
        this.#length += origin[piece].length;
      }
    }
  }

  /** Those that follow each other in one copy. */
  #putMessages(spans: readonly FreshSpan[]): void {
    let first = spans[0]?.sent;
    let last = first;
    for (let at = 1; first !== undefined && last !== undefined; at++) {
      const next = spans[at]?.sent;
      if (next === undefined || !areNeighbours(last, next)) {
        this.#length += first.bytes.copy(this.#bytes, this.#length, first.begin, last.limit);
        first = next;
      }
      last = next;
    }
  }

  #putHeads(spans: readonly FreshSpan[], origins: ReadonlyMap<SpanOrigin, number>, row: number, start: number): void {
    let trace = spans[0]?.trace ?? 0;
    let before: SentSpan | undefined;
    let origin = 0;
    for (const span of spans) {
      const {sent} = span;
      this.#number(span.trace - trace);
      trace = span.trace;
      if (sent.origin !== before?.origin) origin = origins.get(sent.origin) ?? 0;
      this.#number(origin);
      const isTimed = span.row > 0;
      this.#number(isTimed ? span.row - row + 1 : 0);
      this.#number(isTimed ? span.start - start : 0);
      this.#number(isTimed ? span.end - span.start : 0);
      this.#number(gapBetween(before, sent));
      this.#number(sent.limit - sent.begin);
      before = sent;
    }
  }

  #number(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 0x80;
    this.#bytes[this.#length++] = rest;
  }
}

function areNeighbours(before: SentSpan, next: SentSpan): boolean {
  const gap = next.begin - before.limit;
  return before.bytes === next.bytes && gap >= 0 && gap <= LARGEST_GAP;
}

function gapBetween(before: SentSpan | undefined, next: SentSpan): number {
  return before !== undefined && areNeighbours(before, next) ? next.begin - before.limit : 0;
}

/** The spans of a chunk whose first trace is `first`, in their order: all of them, or those of one trace. */
export function decodeChunk(first: number, data: Buffer, wanted?: number): readonly ChunkedSpan[] {
  const reader = new WireReader(data);
  const end = data.length;
  const piece = (): Uint8Array => reader.view(end);
  const number = (): number => reader.varint(end);
  const origins = Array.from(
    {length: number()},
    (): SpanOrigin => ({resource: piece(), resourceSchemaUrl: piece(), scope: piece(), scopeSchemaUrl: piece()}),
  );
  const limit = reader.limit(end);
  let at = reader.position;
  reader.position = limit;
  const found: ChunkedSpan[] = [];
  const count = number();
  const leastRow = number();
  const leastStart = number();
  let trace = first;
  for (let index = 0; index < count; index++) {
    trace += number();
    const origin = origins[number()];
    const row = number();
    const start = leastStart + number();
    const duration = number();
    const begin = at + number();
    at = begin + number();
    if (origin === undefined || at > limit) return reader.damaged('a span has no place in its chunk');
    if (wanted !== undefined && wanted !== trace) continue;
    const time = row === 0 ? undefined : {row: leastRow + row - 1, start, end: start + duration};
    found.push(new ChunkedSpan(trace, {origin, bytes: data, begin, limit: at}, time));
  }
  return found;
}
