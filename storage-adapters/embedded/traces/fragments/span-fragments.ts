import {canonicalOtlpTraceId} from '../../../../core/api/adapter.js';
import {RESOURCE_SPANS, SCOPE_SPANS} from '../../../../core/toolkit/otlp/fields.js';
import {MessageWriter} from '../../../../core/toolkit/protobuf/message-writer.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {type Body, type JoinedBytes, splitBytes} from '../../threads/bodies.js';
import type {SpanPart} from '../../threads/writer-protocol.js';
import type {IndexTerm} from '../index/terms.js';
import type {IncomingFragment, IncomingFragments} from './incoming.js';
import {OtlpSpanIndexer} from './otlp-indexer.js';

interface Origin {
  readonly resource: Uint8Array;
  readonly resourceSchemaUrl: Uint8Array;
  readonly scope: Uint8Array;
  readonly scopeSchemaUrl: Uint8Array;
  readonly terms: readonly IndexTerm[];
}

/** Spans of OTLP. The body of each is a message `ResourceSpans` with its own bytes in it (ADR 11). */
export class SpanFragments implements IncomingFragments {
  readonly #indexer = new OtlpSpanIndexer();
  readonly #writer = new MessageWriter();

  *read({bytes, spans, origins: joined}: SpanPart): Iterable<IncomingFragment> {
    const origins = this.#origins(joined);
    const reader = new WireReader(bytes);
    for (let at = 0; at < spans.length; at += 3) {
      const origin = origins[spans[at] as number] as Origin;
      const begin = spans[at + 1] as number;
      const end = spans[at + 2] as number;
      reader.position = begin;
      const {traceId, identity, count, spans: entries} = this.#indexer.span(reader, end, origin.terms);
      const body = this.#body(origin, reader.bytes, begin, end);
      yield {traceId: canonicalOtlpTraceId(traceId) ?? traceId, identity, count, spans: entries, body};
    }
  }

  #origins(joined: JoinedBytes): readonly Origin[] {
    const pieces = splitBytes(joined);
    const piece = (at: number): Uint8Array => pieces[at] as Uint8Array;
    return Array.from({length: pieces.length / 4}, (_, index) => ({
      resource: piece(index * 4),
      resourceSchemaUrl: piece(index * 4 + 1),
      scope: piece(index * 4 + 2),
      scopeSchemaUrl: piece(index * 4 + 3),
      terms: this.#indexer.resource(piece(index * 4)),
    }));
  }

  /** From its end to its beginning. */
  #body({resource, resourceSchemaUrl, scope, scopeSchemaUrl}: Origin, bytes: Buffer, from: number, to: number): Body {
    const out = this.#writer;
    if (resourceSchemaUrl.length > 0) out.bytes(RESOURCE_SPANS.schemaUrl, resourceSchemaUrl);
    const before = out.length;
    if (scopeSchemaUrl.length > 0) out.bytes(SCOPE_SPANS.schemaUrl, scopeSchemaUrl);
    out.part(SCOPE_SPANS.spans, bytes, from, to);
    out.bytes(SCOPE_SPANS.scope, scope);
    out.delimited(RESOURCE_SPANS.scopeSpans, before);
    out.bytes(RESOURCE_SPANS.resource, resource);
    return out.finishView();
  }
}
