import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {type JoinedBytes, splitBytes} from '../../threads/bodies.js';
import type {SpanPart} from '../../threads/writer-protocol.js';
import type {TermList} from '../index/terms.js';
import type {IncomingFragments} from './incoming.js';
import {IncomingSpan} from './incoming-span.js';
import {OtlpSpanIndexer} from './otlp-indexer.js';
import type {SpanOrigin} from './span-body.js';

interface Origin extends SpanOrigin {
  readonly terms: TermList;
}

/** Spans of OTLP. */
export class SpanFragments implements IncomingFragments {
  readonly #indexer = new OtlpSpanIndexer();

  *read({bytes, spans, origins: joined}: SpanPart): Iterable<IncomingSpan> {
    const origins = this.#origins(joined);
    const reader = new WireReader(bytes);
    for (let at = 0; at < spans.length; at += 3) {
      const origin = origins[spans[at] as number] as Origin;
      const begin = spans[at + 1] as number;
      const end = spans[at + 2] as number;
      reader.position = begin;
      const span = new IncomingSpan(origin, reader.bytes, begin, end);
      this.#indexer.span(reader, end, origin.terms, span);
      yield span;
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
}
