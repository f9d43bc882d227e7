import type {OtlpResource, OtlpScope} from '../../../../core/api/plugin.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';
import {JsonReader} from './json-reader.js';
import {readText, readUint32} from './scalars.js';
import type {SpanCollector} from './span-collector.js';
import {JsonSpans} from './spans.js';
import {JsonValues} from './values.js';

type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/** Decodes a request in JSON, a span a step. Throws `bad_request` where it is none. */
export function* decodeJson(bytes: Buffer, collector: SpanCollector): Steps<void> {
  const reader = new JsonReader(bytes);
  const decoder = new JsonRequest(reader, collector);
  reader.openObject();
  for (let key = reader.nextKey(); key !== undefined; key = reader.nextKey()) {
    if (key === 'resourceSpans') yield* decoder.each(() => decoder.resourceSpans());
    else yield* reader.skip();
  }
  reader.end();
}

class JsonRequest {
  readonly #reader: JsonReader;
  readonly #collector: SpanCollector;
  readonly #values: JsonValues;
  readonly #spans: JsonSpans;

  constructor(reader: JsonReader, collector: SpanCollector) {
    this.#reader = reader;
    this.#collector = collector;
    this.#values = new JsonValues(reader, collector.checks);
    this.#spans = new JsonSpans(reader, this.#values);
  }

  *resourceSpans(): Steps<void> {
    let resource: Draft<OtlpResource> = {attributes: [], droppedAttributesCount: 0, schemaUrl: ''};
    const place = yield* this.#head('scopeSpans', (key, schemaUrl) => {
      if (key === 'schemaUrl') resource.schemaUrl = schemaUrl;
      else if (key === 'resource') resource = {...this.#resource(), schemaUrl: resource.schemaUrl};
      else return false;
      return true;
    });
    this.#collector.resource(resource);
    yield* this.#listAt(place, () => this.#scopeSpans());
  }

  *#scopeSpans(): Steps<void> {
    let scope: Draft<OtlpScope> = {
      name: '',
      version: '',
      attributes: [],
      droppedAttributesCount: 0,
      schemaUrl: '',
    };
    const place = yield* this.#head('spans', (key, schemaUrl) => {
      if (key === 'schemaUrl') scope.schemaUrl = schemaUrl;
      else if (key === 'scope') scope = {...this.#scope(), schemaUrl: scope.schemaUrl};
      else return false;
      return true;
    });
    this.#collector.scope(scope);
    yield* this.#listAt(place, () => this.#span());
  }

  *#span(): Steps<void> {
    this.#collector.span(this.#spans.span());
    yield;
  }

  /** Reads an array by steps; null is none. */
  *each(element: () => Steps<void>): Steps<void> {
    const reader = this.#reader;
    if (reader.isNull()) return;
    reader.openArray();
    while (reader.nextElement()) yield* element();
  }

  /**
   * Reads an object but for its list, which is passed over because what it is under may stand behind it. Gives where the list
   * begins, and where the object ends.
   */
  *#head(
    listKey: string,
    take: (key: string, schemaUrl: string) => boolean,
  ): Steps<{readonly list: number | undefined; readonly end: number}> {
    const reader = this.#reader;
    let list: number | undefined;
    if (!reader.isNull()) {
      reader.openObject();
      for (let key = reader.nextKey(); key !== undefined; key = reader.nextKey()) {
        // The spans of a second list, or of the first, would be lost without a word.
        if (key === listKey && list !== undefined) reader.refuse(`"${listKey}" once`, reader.position);
        if (key === listKey) list = reader.position;
        const isRead = key !== listKey && take(key, key === 'schemaUrl' ? readText(reader) : '');
        if (!isRead) yield* reader.skip();
      }
    }
    return {list, end: reader.position};
  }

  *#listAt(place: {readonly list: number | undefined; readonly end: number}, element: () => Steps<void>): Steps<void> {
    if (place.list === undefined) return;
    this.#reader.seek(place.list);
    yield* this.each(element);
    this.#reader.seek(place.end);
  }

  #resource(): Omit<OtlpResource, 'schemaUrl'> {
    const resource: Draft<Omit<OtlpResource, 'schemaUrl'>> = {attributes: [], droppedAttributesCount: 0};
    this.#values.object(key => {
      if (key === 'attributes') resource.attributes = this.#values.attributes();
      else if (key === 'droppedAttributesCount') resource.droppedAttributesCount = readUint32(this.#reader);
      else return false;
      return true;
    });
    return resource;
  }

  #scope(): Omit<OtlpScope, 'schemaUrl'> {
    const scope: Draft<Omit<OtlpScope, 'schemaUrl'>> = {
      name: '',
      version: '',
      attributes: [],
      droppedAttributesCount: 0,
    };
    this.#values.object(key => {
      if (key === 'name') scope.name = this.#values.name('the name of its scope');
      else if (key === 'version') scope.version = readText(this.#reader);
      else if (key === 'attributes') scope.attributes = this.#values.attributes();
      else if (key === 'droppedAttributesCount') scope.droppedAttributesCount = readUint32(this.#reader);
      else return false;
      return true;
    });
    return scope;
  }
}
