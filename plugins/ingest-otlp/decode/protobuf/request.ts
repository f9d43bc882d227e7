import {type EncodedOtlpOrigin, type EncodedOtlpSpans, otlpServiceName} from '../../../../core/api/plugin.js';
import {decodeResource} from '../../../../core/toolkit/otlp/decode.js';
import {RESOURCE_SPANS, SCOPE_SPANS, TRACES_DATA} from '../../../../core/toolkit/otlp/fields.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';
import type {RequestChecks} from '../request-checks.js';
import {MessageChecks} from './message-checks.js';

/** `ResourceSpans` and `ScopeSpans` are alike: what is shared, the list under it, the schema. */
const {resource: SHARED, scopeSpans: LIST, schemaUrl: SCHEMA_URL} = RESOURCE_SPANS;

/** A step ends after so many bytes, or elements of lists, of which the shortest have two bytes. */
const BYTES_A_STEP = 16_384;
const ELEMENTS_A_STEP = 64;
/** Fields that are passed over in a step. */
const FIELDS_A_STEP = 4096;

/** The spans of a request in protobuf that can be taken. Throws `bad_request` where it is damaged. */
export function* readRequest(bytes: Uint8Array, checks: RequestChecks): Steps<EncodedOtlpSpans> {
  const reader = new WireReader(bytes);
  const request = new Request(reader, checks);
  const end = bytes.length;
  while (reader.position < end) {
    if (reader.tag(end) === TRACES_DATA.resourceSpans) yield* request.resourceSpans(end);
    else reader.skip(end);
    if (request.isStepOver()) yield;
  }
  return {bytes, spans: Uint32Array.from(request.spans), origins: request.origins};
}

/** What a list stands under. */
interface Head {
  readonly shared: Buffer;
  readonly schemaUrl: string;
  /** The end of the message. */
  readonly limit: number;
}

class Request {
  readonly #reader: WireReader;
  readonly #checks: RequestChecks;
  readonly #messages: MessageChecks;
  readonly spans: number[] = [];
  readonly origins: EncodedOtlpOrigin[] = [];
  #elements = 0;
  /** Where the step began. */
  #begin = 0;

  constructor(reader: WireReader, checks: RequestChecks) {
    this.#reader = reader;
    this.#checks = checks;
    this.#messages = new MessageChecks(reader, checks);
  }

  *resourceSpans(end: number): Steps<void> {
    const head = yield* this.#head(end, inner => this.#messages.resource(inner));
    this.#checks.resource(() => serviceNameOf(head.shared));
    const reader = this.#reader;
    const {limit} = head;
    while (reader.position < limit) {
      if (reader.tag(limit) === LIST) yield* this.#scopeSpans(limit, head);
      else reader.skip(limit);
      if (this.isStepOver()) yield;
    }
  }

  *#scopeSpans(end: number, resource: Head): Steps<void> {
    const {shared, schemaUrl, limit} = yield* this.#head(end, inner => this.#messages.scope(inner));
    this.#checks.scope();
    let origin: number | undefined;
    const reader = this.#reader;
    while (reader.position < limit) {
      if (reader.tag(limit) !== SCOPE_SPANS.spans) reader.skip(limit);
      else {
        const to = reader.limit(limit);
        const from = reader.position;
        if (this.#messages.span(to)) {
          origin ??= this.#origin(resource, {shared, schemaUrl});
          this.spans.push(origin, from, to);
        }
      }
      if (this.isStepOver()) yield;
    }
  }

  /** To be asked after each element. */
  isStepOver(): boolean {
    const {position} = this.#reader;
    if (++this.#elements < ELEMENTS_A_STEP && position - this.#begin < BYTES_A_STEP) return false;
    this.#elements = 0;
    this.#begin = position;
    return true;
  }

  #origin(resource: Omit<Head, 'limit'>, scope: Omit<Head, 'limit'>): number {
    const index = this.origins.length;
    this.origins.push({
      resource: resource.shared,
      resourceSchemaUrl: resource.schemaUrl,
      scope: scope.shared,
      scopeSchemaUrl: scope.schemaUrl,
    });
    return index;
  }

  /** Reads what the list is under, which may stand behind it and in several pieces, and comes back to the first field. */
  *#head(end: number, check: (end: number) => void): Steps<Head> {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const {position} = reader;
    const pieces: Buffer[] = [];
    let schemaUrl = '';
    for (let fields = 1; reader.position < limit; fields++) {
      if (fields % FIELDS_A_STEP === 0) yield;
      const tag = reader.tag(limit);
      if (tag === SHARED) {
        const inner = reader.limit(limit);
        pieces.push(reader.bytes.subarray(reader.position, inner));
        check(inner);
      } else if (tag === SCHEMA_URL) schemaUrl = reader.text(limit);
      else reader.skip(limit);
    }
    reader.position = position;
    const [first] = pieces;
    // Of a message that occurs again the pieces make one.
    return {shared: first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces), schemaUrl, limit};
  }
}

function serviceNameOf(resource: Uint8Array): string | undefined {
  return otlpServiceName(decodeResource(new WireReader(resource), resource.length));
}
