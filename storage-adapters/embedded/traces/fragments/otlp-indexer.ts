import {canonicalOtlpTraceId, otlpKind, otlpServiceName, otlpStatus} from '../../../../core/api/adapter.js';
import {decodeResource} from '../../../../core/toolkit/otlp/decode.js';
import {SPAN, STATUS as STATUS_FIELDS} from '../../../../core/toolkit/otlp/fields.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {typedTerm} from '../../../../core/toolkit/traces/typed-term.js';
import {AttributeTerms} from '../index/attribute-terms.js';
import {KIND, NAME, RESOURCE_KEYS, resourceName, SERVICE, STATUS} from '../index/attributes.js';
import {type IndexTerm, IndexTerms, TermList} from '../index/terms.js';
import type {IncomingSpan} from './incoming-span.js';
import {microsOfHalves, nanosBetween} from './time-halves.js';

/** So many resources are remembered; a process sends under one, or few, and there may be thousands of them. */
const RESOURCES = 4096;

/**
 * Finds what the index holds of a span in its encoded form, without making the span: what `otlpModel.spans` says of it,
 * the terms of a resource in one list for all of its spans.
 */
export class OtlpSpanIndexer {
  readonly #terms = new IndexTerms();
  readonly #attributes = new AttributeTerms(this.#terms);
  readonly #texts = new TextCache();
  readonly #resources = new Map<string, TermList>();
  #name = this.#terms.of(NAME, '');
  readonly #kinds = new Map<number, IndexTerm>();
  readonly #statuses = new Map<number, IndexTerm>();
  /** The id of a trace that was read last, and where it stands. */
  #id = '';
  #idBytes: Buffer | undefined;
  #idAt = 0;
  #idEnd = 0;

  /** Reads the message `Span` between the cursor and `end`, and says what it found in `span`. */
  span(reader: WireReader, end: number, resource: TermList, span: IncomingSpan): void {
    const terms: IndexTerm[] = [];
    let name = '';
    let kind = 0;
    let status = 0;
    let at = 0;
    let startHigh = 0;
    let startLow = 0;
    let endHigh = 0;
    let endLow = 0;
    this.#attributes.nextSpan(reader.bytes);
    while (reader.position < end) {
      switch (reader.tag(end)) {
        case SPAN.traceId:
          span.traceId = this.#traceId(reader, reader.limit(end));
          break;
        case SPAN.spanId:
          span.identity = hex(reader, reader.limit(end));
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
          at = reader.place64(end);
          startLow = reader.bytes.readUInt32LE(at);
          startHigh = reader.bytes.readUInt32LE(at + 4);
          break;
        case SPAN.endTime:
          at = reader.place64(end);
          endLow = reader.bytes.readUInt32LE(at);
          endHigh = reader.bytes.readUInt32LE(at + 4);
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
    if (startHigh === 0 && startLow === 0) return;
    if (name !== this.#name.value) this.#name = this.#terms.of(NAME, name);
    terms.push(this.#name, this.#kind(kind), this.#status(status));
    const isReversed = endHigh < startHigh || (endHigh === startHigh && endLow < startLow);
    const start = microsOfHalves(startHigh, startLow);
    const last = isReversed ? start : microsOfHalves(endHigh, endLow);
    const duration = isReversed ? 0 : nanosBetween(startHigh, startLow, endHigh, endLow) / 1000;
    span.spans.push({start, end: last, duration, terms, keys: this.#attributes.keys, resource});
  }

  #kind(kind: number): IndexTerm {
    return this.#kinds.get(kind) ?? remember(this.#kinds, kind, this.#terms.of(KIND, otlpKind(kind)));
  }

  #status(code: number): IndexTerm {
    return this.#statuses.get(code) ?? remember(this.#statuses, code, this.#terms.of(STATUS, otlpStatus(code)));
  }

  /** The canonical text of the id between the cursor and `end`. Spans of a trace mostly come one after the other. */
  #traceId(reader: WireReader, end: number): string {
    const {bytes, position} = reader;
    if (bytes !== this.#idBytes || bytes.compare(bytes, this.#idAt, this.#idEnd, position, end) !== 0) {
      const digits = bytes.toString('hex', position, end);
      this.#id = canonicalOtlpTraceId(digits) ?? digits;
      this.#idBytes = bytes;
      this.#idAt = position;
      this.#idEnd = end;
    }
    reader.position = end;
    return this.#id;
  }

  /** The same list for the same bytes, which are a message `Resource`. */
  resource(bytes: Uint8Array): TermList {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    let terms = this.#resources.get(key);
    if (terms === undefined) {
      terms = new TermList(this.#termsOfResource(bytes));
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

/** So many numbers of kinds and statuses are remembered: there are a few that mean something. */
const NUMBERS = 16;

function remember(terms: Map<number, IndexTerm>, of: number, term: IndexTerm): IndexTerm {
  if (terms.size < NUMBERS) terms.set(of, term);
  return term;
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
