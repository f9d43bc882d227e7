import type {EncodedOtlpOrigin, EncodedOtlpSpans, OtlpResource, OtlpScope, OtlpSpan} from '../../api/adapter.js';
import type {Steps} from '../yielder.js';
import {encodeOtlpResource, encodeOtlpScope, encodeOtlpSpanMessage} from './encode.js';

/** Spans are encoded without a pause while there are no more. */
const SPANS_A_STEP = 64;

/**
 * Spans as a sender would write them. Those that share the objects of their resource and scope share an origin too, which
 * a decoder's do.
 */
export function* encodeOtlpSpans(spans: readonly OtlpSpan[]): Steps<EncodedOtlpSpans> {
  const places = new Uint32Array(spans.length * 3);
  const messages: Uint8Array[] = [];
  const origins = new Origins();
  let length = 0;
  for (const [index, span] of spans.entries()) {
    const message = encodeOtlpSpanMessage(span);
    messages.push(message);
    places[index * 3] = origins.indexOf(span);
    places[index * 3 + 1] = length;
    length += message.length;
    places[index * 3 + 2] = length;
    if (index % SPANS_A_STEP === 0) yield;
  }
  const bytes = new Uint8Array(length);
  for (const [index, message] of messages.entries()) bytes.set(message, places[index * 3 + 1] as number);
  return {bytes, spans: places, origins: origins.all};
}

class Origins {
  readonly all: EncodedOtlpOrigin[] = [];
  readonly #known = new Map<OtlpResource, Map<OtlpScope, number>>();

  indexOf({resource, scope}: OtlpSpan): number {
    let scopes = this.#known.get(resource);
    if (scopes === undefined) {
      scopes = new Map();
      this.#known.set(resource, scopes);
    }
    let index = scopes.get(scope);
    if (index === undefined) {
      index = this.all.length;
      scopes.set(scope, index);
      this.all.push({
        resource: encodeOtlpResource(resource),
        resourceSchemaUrl: resource.schemaUrl,
        scope: encodeOtlpScope(scope),
        scopeSchemaUrl: scope.schemaUrl,
      });
    }
    return index;
  }
}
