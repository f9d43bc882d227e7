import type {OtlpAttribute, OtlpResource, OtlpScope} from '../../../../core/api/plugin.js';
import {delimitedField, varintField, WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';
import type {SpanCollector} from '../span-collector.js';
import {SpanDecoder} from './spans.js';
import {ValueDecoder} from './values.js';

/** `ExportTraceServiceRequest`. */
const RESOURCE_SPANS = delimitedField(1);

/** `ResourceSpans` and `ScopeSpans`, which are alike: what is shared, the list under it, the schema. */
const SHARED = delimitedField(1);
const LIST = delimitedField(2);
const SCHEMA_URL = delimitedField(3);

/** `Resource`. */
const RESOURCE = {ATTRIBUTES: delimitedField(1), DROPPED: varintField(2)};

/** `InstrumentationScope`. */
const SCOPE = {
  NAME: delimitedField(1),
  VERSION: delimitedField(2),
  ATTRIBUTES: delimitedField(3),
  DROPPED: varintField(4),
};

/** Fields that are passed over in a step. */
const FIELDS_A_STEP = 4096;

type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/** Decodes a request in protobuf, a span a step. Throws `bad_request` where it is damaged. */
export function* decodeProtobuf(bytes: Uint8Array, collector: SpanCollector): Steps<void> {
  const reader = new WireReader(bytes);
  const end = reader.bytes.length;
  const decoder = new RequestDecoder(reader, collector);
  while (reader.position < end) {
    if (reader.tag(end) === RESOURCE_SPANS) yield* decoder.resourceSpans(end);
    else reader.skip(end);
  }
}

class RequestDecoder {
  readonly #reader: WireReader;
  readonly #collector: SpanCollector;
  readonly #values: ValueDecoder;
  readonly #spans: SpanDecoder;

  constructor(reader: WireReader, collector: SpanCollector) {
    this.#reader = reader;
    this.#collector = collector;
    this.#values = new ValueDecoder(reader, collector);
    this.#spans = new SpanDecoder(reader, collector, this.#values);
  }

  *resourceSpans(end: number): Steps<void> {
    const attributes: OtlpAttribute[] = [];
    const resource: Draft<OtlpResource> = {attributes, droppedAttributesCount: 0, schemaUrl: ''};
    const limit = yield* this.#head(resource, end, inner => this.#resource(resource, attributes, inner));
    this.#collector.resource(resource);
    const reader = this.#reader;
    while (reader.position < limit) {
      if (reader.tag(limit) === LIST) yield* this.#scopeSpans(limit);
      else reader.skip(limit);
    }
  }

  *#scopeSpans(end: number): Steps<void> {
    const attributes: OtlpAttribute[] = [];
    const scope: Draft<OtlpScope> = {name: '', version: '', attributes, droppedAttributesCount: 0, schemaUrl: ''};
    const limit = yield* this.#head(scope, end, inner => this.#scope(scope, attributes, inner));
    this.#collector.scope(scope);
    const reader = this.#reader;
    while (reader.position < limit) {
      if (reader.tag(limit) === LIST) this.#collector.span(this.#spans.span(limit));
      else reader.skip(limit);
      yield;
    }
  }

  /**
   * Reads what the list is under, which may stand behind it, and comes back to the first field. Gives the end of the
   * message.
   */
  *#head(under: {schemaUrl: string}, end: number, shared: (end: number) => void): Steps<number> {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const {position} = reader;
    for (let fields = 1; reader.position < limit; fields++) {
      if (fields % FIELDS_A_STEP === 0) yield;
      const tag = reader.tag(limit);
      if (tag === SHARED) shared(limit);
      else if (tag === SCHEMA_URL) under.schemaUrl = this.#values.common(limit);
      else reader.skip(limit);
    }
    reader.position = position;
    return limit;
  }

  #resource(resource: Draft<OtlpResource>, attributes: OtlpAttribute[], end: number): void {
    const reader = this.#reader;
    const limit = reader.limit(end);
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === RESOURCE.ATTRIBUTES) this.#values.attribute(attributes, limit);
      else if (tag === RESOURCE.DROPPED) resource.droppedAttributesCount = reader.uint32(limit);
      else reader.skip(limit);
    }
  }

  #scope(scope: Draft<OtlpScope>, attributes: OtlpAttribute[], end: number): void {
    const reader = this.#reader;
    const limit = reader.limit(end);
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === SCOPE.NAME) scope.name = this.#values.name('the name of its scope', limit);
      else if (tag === SCOPE.VERSION) scope.version = this.#values.common(limit);
      else if (tag === SCOPE.ATTRIBUTES) this.#values.attribute(attributes, limit);
      else if (tag === SCOPE.DROPPED) scope.droppedAttributesCount = reader.uint32(limit);
      else reader.skip(limit);
    }
  }
}
