import {createHash, type Hash} from 'node:crypto';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {DELIMITED, FIXED64, ProtoReader} from './proto-reader.js';

const METRIC = (1 << 3) | DELIMITED;
const VALUE = (3 << 3) | FIXED64;
/** The tag of the value and the value. A value of 0 is not written. */
const VALUE_BYTES = 9;

/** How many metrics are looked at in a step. */
const STRIDE = 512;

/**
 * What a message of the stream of metrics has beside values and its time. An agent says the same again and again, but for these: a
 * message with the outline of the one before needs not be read.
 */
export class MessageOutline {
  /** Of each metric, its bytes without the value. */
  readonly #lengths: Uint32Array;
  /** Where in a metric the value stands, or would stand. */
  readonly #valuesAt: Uint32Array;
  readonly #digest: Buffer;

  private constructor(lengths: Uint32Array, valuesAt: Uint32Array, digest: Buffer) {
    this.#lengths = lengths;
    this.#valuesAt = valuesAt;
    this.#digest = digest;
  }

  /** Undefined for a message whose parts stand in an order that nobody writes them in. It is one that can be read. */
  static *of(bytes: Buffer): Steps<MessageOutline | undefined> {
    const reader = new ProtoReader(bytes);
    const lengths: number[] = [];
    const valuesAt: number[] = [];
    const digest = new BodyDigest();
    while (bytes[reader.position] === METRIC) {
      if (lengths.length % STRIDE === 0) {
        digest.flush();
        yield;
      }
      reader.position++;
      const limit = reader.limit();
      const begin = reader.position;
      const place = placeOfValue(reader, limit);
      if (place === undefined) return undefined;
      digest.add(bytes, begin, begin + place.at);
      digest.add(bytes, begin + place.at + place.bytes, limit);
      valuesAt.push(place.at);
      lengths.push(limit - begin - place.bytes);
    }
    if (hasMetric(reader)) return undefined;
    return new MessageOutline(Uint32Array.from(lengths), Uint32Array.from(valuesAt), digest.end());
  }

  /** The values of a message that has this outline, by the place of their metric; undefined for any other. */
  *valuesOf(bytes: Buffer): Steps<Float64Array | undefined> {
    const count = this.#lengths.length;
    const values = new Float64Array(count);
    const digest = new BodyDigest();
    const reader = new ProtoReader(bytes);
    for (let index = 0; index < count; index++) {
      if (index % STRIDE === 0) {
        digest.flush();
        yield;
      }
      if (bytes[reader.position] !== METRIC) return undefined;
      reader.position++;
      const end = reader.limit();
      const begin = reader.position;
      const length = this.#lengths[index] as number;
      const value = begin + (this.#valuesAt[index] as number);
      reader.position = end;
      digest.add(bytes, begin, value);
      if (end - begin === length) {
        digest.add(bytes, value, end);
        continue;
      }
      if (end - begin !== length + VALUE_BYTES || bytes[value] !== VALUE) return undefined;
      values[index] = bytes.readDoubleLE(value + 1);
      digest.add(bytes, value + VALUE_BYTES, end);
    }
    if (hasMetric(reader) || !digest.end().equals(this.#digest)) return undefined;
    return values;
  }
}

/** Where the value of the metric that begins here stands, or would stand, and its bytes; undefined when there are several. */
function placeOfValue(reader: ProtoReader, limit: number): {readonly at: number; readonly bytes: number} | undefined {
  const begin = reader.position;
  let behind = limit;
  let value: number | undefined;
  while (reader.position < limit) {
    const field = reader.position;
    const tag = reader.varint();
    if (tag === VALUE) {
      if (value !== undefined) return undefined;
      value = field;
    } else if (tag > VALUE && behind === limit) behind = field;
    reader.skip(tag & 7);
  }
  return value === undefined ? {at: behind - begin, bytes: 0} : {at: value - begin, bytes: VALUE_BYTES};
}

/** Whether a metric follows. */
function hasMetric(reader: ProtoReader): boolean {
  while (reader.position < reader.end) {
    const tag = reader.varint();
    if (tag === METRIC) return true;
    reader.skip(tag & 7);
  }
  return false;
}

/** Parts of messages are brought together here: to hash each by itself costs more than to hash it. */
const TOGETHER = Buffer.allocUnsafeSlow(65_536);

/** A digest of parts. Between a flush and the next one no other may be made. */
class BodyDigest {
  readonly #hash: Hash = createHash('sha256');
  #length = 0;

  add(bytes: Buffer, begin: number, end: number): void {
    const length = end - begin;
    if (this.#length + length > TOGETHER.length) this.flush();
    if (length > TOGETHER.length) {
      this.#hash.update(bytes.subarray(begin, end));
      return;
    }
    bytes.copy(TOGETHER, this.#length, begin, end);
    this.#length += length;
  }

  flush(): void {
    if (this.#length > 0) this.#hash.update(TOGETHER.subarray(0, this.#length));
    this.#length = 0;
  }

  end(): Buffer {
    this.flush();
    return this.#hash.digest();
  }
}
