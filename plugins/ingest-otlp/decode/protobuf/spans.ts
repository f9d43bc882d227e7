import type {EncodedOtlpOrigin, EncodedOtlpSpans, OtlpSpan} from '../../../../core/api/plugin.js';
import {decodeResource, decodeScope, decodeSpan} from '../../../../core/toolkit/otlp/decode.js';
import {TextCache} from '../../../../core/toolkit/protobuf/text-cache.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {Steps} from '../../../../core/toolkit/yielder.js';

/** Keys, and many values, are few and come again and again. */
const TEXTS = new TextCache();

/** Objects of spans that have been checked, a span a step. Those of one origin share its objects. */
export function* decodeSpans({bytes, spans, origins}: EncodedOtlpSpans): Steps<readonly OtlpSpan[]> {
  const decoded: OtlpSpan[] = [];
  // Of those alone that have spans: others may not have passed.
  const around: Surroundings[] = [];
  const reader = new WireReader(bytes, TEXTS);
  for (let at = 0; at < spans.length; at += 3) {
    reader.position = spans[at + 1] as number;
    const origin = spans[at] as number;
    around[origin] ??= surroundings(origins[origin] as EncodedOtlpOrigin);
    const {resource, scope} = around[origin];
    const span = decodeSpan(reader, spans[at + 2] as number) as {-readonly [Key in keyof OtlpSpan]: OtlpSpan[Key]};
    span.resource = resource;
    span.scope = scope;
    decoded.push(span);
    yield;
  }
  return decoded;
}

type Surroundings = Pick<OtlpSpan, 'resource' | 'scope'>;

function surroundings({resource, resourceSchemaUrl, scope, scopeSchemaUrl}: EncodedOtlpOrigin): Surroundings {
  return {
    resource: {...decodeResource(new WireReader(resource, TEXTS), resource.length), schemaUrl: resourceSchemaUrl},
    scope: {...decodeScope(new WireReader(scope, TEXTS), scope.length), schemaUrl: scopeSchemaUrl},
  };
}
