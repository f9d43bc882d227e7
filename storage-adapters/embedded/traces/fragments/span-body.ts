import {RESOURCE_SPANS, SCOPE_SPANS} from '../../../../core/toolkit/otlp/fields.js';
import {MessageWriter} from '../../../../core/toolkit/protobuf/message-writer.js';

/** What the spans of a process have around them, encoded. */
export interface SpanOrigin {
  readonly resource: Uint8Array;
  readonly resourceSchemaUrl: Uint8Array;
  readonly scope: Uint8Array;
  readonly scopeSchemaUrl: Uint8Array;
}

const out = new MessageWriter();

/**
 * The body of a span of OTLP: a message `ResourceSpans` with its own bytes in it (ADR 11), from its end to its beginning.
 * Until the next one is made.
 */
export function spanBody(origin: SpanOrigin, bytes: Buffer, from: number, to: number): Uint8Array {
  const {resource, resourceSchemaUrl, scope, scopeSchemaUrl} = origin;
  if (resourceSchemaUrl.length > 0) out.bytes(RESOURCE_SPANS.schemaUrl, resourceSchemaUrl);
  const before = out.length;
  if (scopeSchemaUrl.length > 0) out.bytes(SCOPE_SPANS.schemaUrl, scopeSchemaUrl);
  out.part(SCOPE_SPANS.spans, bytes, from, to);
  out.bytes(SCOPE_SPANS.scope, scope);
  out.delimited(RESOURCE_SPANS.scopeSpans, before);
  out.bytes(RESOURCE_SPANS.resource, resource);
  return out.finishView();
}
