import type {SpanOrigin} from '../fragments/span-body.js';

/** A span of OTLP as it was sent: a message between two places. */
export interface SentSpan {
  readonly origin: SpanOrigin;
  readonly bytes: Buffer;
  readonly begin: number;
  readonly limit: number;
}
