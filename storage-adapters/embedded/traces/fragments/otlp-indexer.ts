import {otlpKind, otlpMicros, otlpServiceName, otlpStatus} from '../../../../core/api/adapter.js';
import {decodeResource} from '../../../../core/toolkit/otlp/decode.js';
import {RESOURCE_SPANS, SCOPE_SPANS, SPAN, STATUS as STATUS_FIELDS} from '../../../../core/toolkit/otlp/fields.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {typedTerm} from '../../../../core/toolkit/traces/typed-term.js';
import type {Body} from '../../threads/bodies.js';
import {AttributeTerms} from '../index/attribute-terms.js';
import {KIND, NAME, RESOURCE_KEYS, resourceName, SERVICE, STATUS} from '../index/attributes.js';
import {type IndexTerm, IndexTerms} from '../index/terms.js';
import type {FragmentIndexer, IndexedFragment} from './indexed-fragment.js';

/** So many resources are remembered; a process sends under one, or few. */
const RESOURCES = 1024;

const NONE: readonly IndexTerm[] = [];

/**
 * Finds what the index holds of a span in its encoded form, without making the span: what `otlpModel.spans` says of it,
 * the terms of a resource in one list for all of its spans.
 */
export class OtlpSpanIndexer implements FragmentIndexer {
  readonly #terms = new IndexTerms();
  readonly #attributes = new AttributeTerms(this.#terms);
  readonly #texts = new TextCache();
  readonly #resources = new Map<string, readonly IndexTerm[]>();
  #last: {readonly bytes: Buffer; readonly terms: readonly IndexTerm[]} = {bytes: Buffer.alloc(0), terms: NONE};

  index(_traceId: string, body: Body): IndexedFragment {
    const reader = new WireReader(body as Uint8Array);
    const end = body.length;
    let resource = NONE;
    let found: [from: number, to: number] | undefined;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_SPANS.resource) resource = this.#resource(reader.view(end));
      else if (tag !== RESOURCE_SPANS.scopeSpans) reader.skip(end);
      else {
        const limit = reader.limit(end);
        while (reader.position < limit) {
          if (reader.tag(limit) !== SCOPE_SPANS.spans) reader.skip(limit);
          else {
            const to = reader.limit(limit);
            found = [reader.position, to];
            reader.position = to;
          }
        }
      }
    }
    if (found === undefined) return reader.damaged('there is no span in it');
    [reader.position] = found;
    return this.#span(reader, found[1], resource);
  }

  #span(reader: WireReader, end: number, resource: readonly IndexTerm[]): IndexedFragment {
    const terms: IndexTerm[] = [];
    let identity = '';
    let name = '';
    let kind = 0;
    let status = 0;
    let startTime = 0n;
    let endTime = 0n;
    this.#attributes.nextSpan();
    while (reader.position < end) {
      switch (reader.tag(end)) {
        case SPAN.spanId: {
          const limit = reader.limit(end);
          identity = reader.bytes.toString('hex', reader.position, limit);
          reader.position = limit;
          break;
        }
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
    if (startTime === 0n) return {identity, count: 1, spans: []};
    terms.push(
      this.#terms.of(NAME, name),
      this.#terms.of(KIND, otlpKind(kind)),
      this.#terms.of(STATUS, otlpStatus(status)),
    );
    if (endTime < startTime) endTime = startTime;
    const duration = Number(endTime - startTime) / 1000;
    const entry = {start: otlpMicros(startTime), end: otlpMicros(endTime), duration, terms, resource};
    return {identity, count: 1, spans: [entry]};
  }

  /** The same list for the same bytes. */
  #resource(bytes: Buffer): readonly IndexTerm[] {
    if (this.#last.bytes.equals(bytes)) return this.#last.terms;
    const key = bytes.toString('latin1');
    let terms = this.#resources.get(key);
    if (terms === undefined) {
      terms = this.#termsOfResource(bytes);
      if (this.#resources.size === RESOURCES) this.#resources.clear();
      this.#resources.set(key, terms);
    }
    this.#last = {bytes, terms};
    return terms;
  }

  /** With the service that it gives all of its spans. */
  #termsOfResource(bytes: Buffer): readonly IndexTerm[] {
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

function statusCode(reader: WireReader, end: number, before: number): number {
  let code = before;
  while (reader.position < end) {
    if (reader.tag(end) === STATUS_FIELDS.code) code = reader.int32(end);
    else reader.skip(end);
  }
  return code;
}
