import type {OtlpAttribute, OtlpValue} from '../../../../core/api/plugin.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
import {
  delimitedField,
  fixed64Field,
  REPLACEMENT,
  varintField,
  type WireReader,
} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {SpanCollector} from '../span-collector.js';

/** `AnyValue`. */
const STRING = delimitedField(1);
const BOOL = varintField(2);
const INT = varintField(3);
const DOUBLE = fixed64Field(4);
const ARRAY = delimitedField(5);
const KVLIST = delimitedField(6);
const BYTES = delimitedField(7);

/** `KeyValue`, and the one field of `ArrayValue` and `KeyValueList`. */
const KEY = delimitedField(1);
const VALUE = delimitedField(2);
const VALUES = delimitedField(1);

/** Attributes with their values. Keys, and many values, are few and come again and again. */
export class ValueDecoder {
  readonly #reader: WireReader;
  readonly #collector: SpanCollector;
  readonly #texts = new TextCache();

  constructor(reader: WireReader, collector: SpanCollector) {
    this.#reader = reader;
    this.#collector = collector;
  }

  /** A short text that is likely to have been there before. */
  common(end: number): string {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const {position} = reader;
    reader.position = limit;
    const text = this.#texts.text(reader.bytes, position, limit);
    if (text.includes(REPLACEMENT)) reader.checkText(position, limit);
    return text;
  }

  /** The text of a name, whose length is looked at. */
  name(what: string, end: number): string {
    const {position} = this.#reader;
    const text = this.common(end);
    // With its length in front: short enough to be no question.
    if (this.#reader.position - position > 256) this.#collector.named(what, Buffer.byteLength(text));
    return text;
  }

  /** Adds the attribute that begins here, within so many lists. */
  attribute(attributes: OtlpAttribute[], end: number, depth = 0): void {
    this.#collector.part();
    const reader = this.#reader;
    const limit = reader.limit(end);
    let key = '';
    let value: OtlpValue = null;
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === KEY) key = this.name('a key', limit);
      else if (tag === VALUE) value = this.#value(limit, depth);
      else reader.skip(limit);
    }
    attributes.push({key, value});
  }

  /** Of several values the last counts. */
  #value(end: number, depth: number): OtlpValue {
    const reader = this.#reader;
    const limit = reader.limit(end);
    let value: OtlpValue = null;
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === STRING) value = this.common(limit);
      else if (tag === INT) value = reader.int64(limit);
      else if (tag === BOOL) value = reader.varint(limit) !== 0;
      else if (tag === DOUBLE) value = reader.double(limit);
      else if (tag === ARRAY) value = this.#array(limit, depth);
      else if (tag === KVLIST) value = this.#list(limit, depth);
      else if (tag === BYTES) value = Uint8Array.from(reader.view(limit));
      else reader.skip(limit);
    }
    return value;
  }

  #array(end: number, depth: number): OtlpValue {
    const values: OtlpValue[] = [];
    this.#elements(end, depth, limit => {
      this.#collector.part();
      values.push(this.#value(limit, depth + 1));
    });
    return values;
  }

  #list(end: number, depth: number): OtlpValue {
    const entries: OtlpAttribute[] = [];
    this.#elements(end, depth, limit => this.attribute(entries, limit, depth + 1));
    return {entries};
  }

  #elements(end: number, depth: number, take: (limit: number) => void): void {
    const reader = this.#reader;
    const limit = reader.limit(end);
    if (!this.#collector.nested(depth)) reader.position = limit;
    while (reader.position < limit) {
      if (reader.tag(limit) === VALUES) take(limit);
      else reader.skip(limit);
    }
  }
}
