import {otlpKind, otlpMicros, otlpServiceName, otlpStatus} from '../../../../core/api/adapter.js';
import {decodeResource} from '../../../../core/toolkit/otlp/decode.js';
import {SPAN, STATUS as STATUS_FIELDS} from '../../../../core/toolkit/otlp/fields.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {typedTerm} from '../../../../core/toolkit/traces/typed-term.js';
import {AttributeTerms} from '../index/attribute-terms.js';
import {KIND, NAME, RESOURCE_KEYS, resourceName, SERVICE, STATUS} from '../index/attributes.js';
import {type IndexTerm, IndexTerms} from '../index/terms.js';
import type {IndexedFragment} from './incoming.js';

/** So many resources are remembered; a process sends under one, or few, and there may be thousands of them. */
const RESOURCES = 4096;

export type IndexedSpanMessage = IndexedFragment & {readonly traceId: string};

/**
 * Finds what the index holds of a span in its encoded form, without making the span: what `otlpModel.spans` says of it,
 * the terms of a resource in one list for all of its spans.
 */
export class OtlpSpanIndexer {
  readonly #terms = new IndexTerms();
  readonly #attributes = new AttributeTerms(this.#terms);
  readonly #texts = new TextCache();
  readonly #resources = new Map<string, readonly IndexTerm[]>();

  /** The message `Span` between the cursor and `end`. */
  span(reader: WireReader, end: number, resource: readonly IndexTerm[]): IndexedSpanMessage {
    const terms: IndexTerm[] = [];
    let traceId = '';
    let identity = '';
    let name = '';
    let kind = 0;
    let status = 0;
    let startTime = 0n;
    let endTime = 0n;
    this.#attributes.nextSpan();
    while (reader.position < end) {
      switch (reader.tag(end)) {
        case SPAN.traceId:
          traceId = hex(reader, reader.limit(end));
          break;
        case SPAN.spanId:
          identity = hex(reader, reader.limit(end));
          break;
        case SPAN.name: {
          const limit = reader.limit(end);
          name = this.#texts.text(reader.bytes, reader.position, limit);
          reader.position = limit;
          break;
        }
        case SPAN.kind:
          kind = reader.int32(end);
          break;
        case SPAN.startTime:
          startTime = reader.fixed64(end);
          break;
        case SPAN.endTime:
          endTime = reader.fixed64(end);
          break;
        case SPAN.attributes:
          this.#attributes.add(reader, reader.limit(end), terms);
          break;
        case SPAN.status:
          status = statusCode(reader, reader.limit(end), status);
          break;
        default:
          reader.skip(end);
      }
    }
    if (startTime === 0n) return {traceId, identity, count: 1, spans: []};
    terms.push(
      this.#terms.of(NAME, name),
      this.#terms.of(KIND, otlpKind(kind)),
      this.#terms.of(STATUS, otlpStatus(status)),
    );
    if (endTime < startTime) endTime = startTime;
    const duration = Number(endTime - startTime) / 1000;
    const entry = {start: otlpMicros(startTime), end: otlpMicros(endTime), duration, terms, resource};
    return {traceId, identity, count: 1, spans: [entry]};
  }

  /** The same list for the same bytes, which are a message `Resource`. */
  resource(bytes: Uint8Array): readonly IndexTerm[] {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    let terms = this.#resources.get(key);
    if (terms === undefined) {
      terms = this.#termsOfResource(bytes);
      if (this.#resources.size === RESOURCES) this.#resources.clear();
      this.#resources.set(key, terms);
    }
    return terms;
  }

  /** With the service that it gives all of its spans. */
  #termsOfResource(bytes: Uint8Array): readonly IndexTerm[] {
    const resource = decodeResource(new WireReader(bytes), bytes.length);
    const values = new Map(resource.attributes.map(({key, value}) => [key, typedTerm(value)] as const));
    const terms = [...values].flatMap(([key, value]) => [
      this.#terms.of(RESOURCE_KEYS, key),
      this.#terms.of(resourceName(key), value),
    ]);
    const service = otlpServiceName(resource);
    if (service !== undefined) terms.push(this.#terms.of(SERVICE, service));
    return terms;
  }
}

function hex(reader: WireReader, end: number): string {
  const digits = reader.bytes.toString('hex', reader.position, end);
  reader.position = end;
  return digits;
}

function statusCode(reader: WireReader, end: number, before: number): number {
  let code = before;
  while (reader.position < end) {
    if (reader.tag(end) === STATUS_FIELDS.code) code = reader.int32(end);
    else reader.skip(end);
  }
  return code;
}
