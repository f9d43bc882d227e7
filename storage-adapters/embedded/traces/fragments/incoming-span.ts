import type {IndexEntry} from '../blocks/block-builder.js';
import type {SentSpan} from '../chunks/sent-span.js';
import type {IncomingFragment} from './incoming.js';
import {type SpanOrigin, spanBody} from './span-body.js';

/** A span of OTLP as it came. */
export class IncomingSpan implements IncomingFragment, SentSpan {
  traceId = '';
  identity = '';
  readonly count = 1;
  readonly spans: IndexEntry[] = [];
  readonly origin: SpanOrigin;
  readonly bytes: Buffer;
  readonly begin: number;
  readonly limit: number;

  constructor(origin: SpanOrigin, bytes: Buffer, begin: number, limit: number) {
    this.origin = origin;
    this.bytes = bytes;
    this.begin = begin;
    this.limit = limit;
  }

  /** Until that of another is asked for. */
  get body(): Uint8Array {
    return spanBody(this.origin, this.bytes, this.begin, this.limit);
  }
}
