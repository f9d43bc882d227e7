import {SPAN} from '../../../../core/toolkit/otlp/fields.js';
import {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {spanBody} from '../fragments/span-body.js';
import type {StoredFragment} from '../packs/pack-codec.js';
import type {SentSpan} from './sent-span.js';

/** A span in a chunk, of which nothing is made before it is asked for. */
export class ChunkedSpan implements StoredFragment {
  readonly trace: number;
  readonly row: number;
  readonly start: number | null;
  readonly end: number | null;
  readonly sent: SentSpan;

  /** `time` is absent where it has none. */
  constructor(
    trace: number,
    sent: SentSpan,
    time?: {readonly row: number; readonly start: number; readonly end: number},
  ) {
    this.trace = trace;
    this.sent = sent;
    this.row = time?.row ?? 0;
    this.start = time?.start ?? null;
    this.end = time?.end ?? null;
  }

  get body(): Uint8Array {
    const {origin, bytes, begin, limit} = this.sent;
    return new Uint8Array(spanBody(origin, bytes, begin, limit));
  }

  /** As the index has it: the last one of the message. */
  get identity(): string {
    const {bytes, begin, limit} = this.sent;
    const reader = new WireReader(bytes);
    reader.position = begin;
    let identity = '';
    while (reader.position < limit) {
      if (reader.tag(limit) === SPAN.spanId) identity = reader.view(limit).toString('hex');
      else reader.skip(limit);
    }
    return identity;
  }
}
