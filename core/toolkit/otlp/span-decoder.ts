import type {OtlpResource, OtlpScope, OtlpSpan} from '../../api/adapter.js';
import {TextCache} from '../protobuf/text-cache.js';
import {WireReader} from '../protobuf/wire-reader.js';
import {decodeResource, decodeScope, decodeSpan, type OtlpSpanMessage} from './decode.js';
import {RESOURCE_SPANS, SCOPE_SPANS} from './fields.js';

/** So many resources and scopes are remembered; a process sends under one of each, or few. */
const REMEMBERED = 256;

/**
 * Reads what `encodeOtlpSpan` has written. Spans of the same resource get the same object, which takes no time to read
 * again; so with scopes.
 */
export class OtlpSpanDecoder {
  readonly #resources = new Shared<OtlpResource>(decodeResource);
  readonly #scopes = new Shared<OtlpScope>(decodeScope);
  readonly #texts = new TextCache();

  decode(bytes: Uint8Array): OtlpSpan {
    const reader = new WireReader(bytes, this.#texts);
    const end = bytes.length;
    let resource: Buffer = NOTHING;
    let resourceUrl = '';
    let scope: Buffer = NOTHING;
    let scopeUrl = '';
    let span: OtlpSpanMessage | undefined;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_SPANS.resource) resource = reader.view(end);
      else if (tag === RESOURCE_SPANS.schemaUrl) resourceUrl = reader.text(end);
      else if (tag !== RESOURCE_SPANS.scopeSpans) reader.skip(end);
      else {
        const limit = reader.limit(end);
        while (reader.position < limit) {
          const inner = reader.tag(limit);
          if (inner === SCOPE_SPANS.scope) scope = reader.view(limit);
          else if (inner === SCOPE_SPANS.spans) span = decodeSpan(reader, reader.limit(limit));
          else if (inner === SCOPE_SPANS.schemaUrl) scopeUrl = reader.text(limit);
          else reader.skip(limit);
        }
      }
    }
    if (span === undefined) return reader.damaged('there is no span in it');
    const of = span as OtlpSpanMessage & {resource?: OtlpResource; scope?: OtlpScope};
    of.resource = this.#resources.get(resource, resourceUrl);
    of.scope = this.#scopes.get(scope, scopeUrl);
    return of as OtlpSpan;
  }
}

const NOTHING = Buffer.alloc(0);

/** Objects by the bytes that they were read from. */
class Shared<Of extends {schemaUrl: string}> {
  readonly #decode: (reader: WireReader, end: number) => Of;
  readonly #known = new Map<string, Of>();
  /** What was asked for last: spans of a resource come one after the other. */
  #bytes: Buffer = NOTHING;
  #schemaUrl = '';
  #last: Of | undefined;

  constructor(decode: (reader: WireReader, end: number) => Of) {
    this.#decode = decode;
  }

  get(bytes: Buffer, schemaUrl: string): Of {
    if (this.#last !== undefined && schemaUrl === this.#schemaUrl && bytes.equals(this.#bytes)) return this.#last;
    const key = `${schemaUrl}\n${bytes.toString('latin1')}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = this.#decode(new WireReader(bytes), bytes.length);
      found.schemaUrl = schemaUrl;
      if (this.#known.size === REMEMBERED) this.#known.clear();
      this.#known.set(key, found);
    }
    this.#bytes = Buffer.from(bytes);
    this.#schemaUrl = schemaUrl;
    this.#last = found;
    return found;
  }
}
