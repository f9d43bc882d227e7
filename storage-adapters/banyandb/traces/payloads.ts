import type {Logger} from '../../../core/api/adapter.js';
import type {SpanAttachedEvent as EventMessage, SegmentObject as SegmentMessage, ZipkinSpan} from '../proto/methods.js';
import {ListOfSpans, SegmentObject, SpanAttachedEvent, SpanWrapper} from '../proto/payload.js';

/** What the rows of one trace hold, by kind. */
export interface Payloads {
  readonly segments: readonly SegmentMessage[];
  readonly spans: readonly ZipkinSpan[];
  readonly events: readonly EventMessage[];
}

/** Reads the payloads of rows. One that cannot be read is left out and logged: the others are still good. */
export function readPayloads(rows: readonly Uint8Array[], log: Logger): Payloads {
  const segments: SegmentMessage[] = [];
  const spans: ZipkinSpan[] = [];
  const events: EventMessage[] = [];
  for (const row of rows) {
    try {
      const {span, source} = SpanWrapper.decode(row);
      switch (source) {
        case 'SKYWALKING':
          segments.push(SegmentObject.decode(span));
          break;
        case 'ZIPKIN':
          spans.push(...ListOfSpans.decode(span).spans);
          break;
        case 'SKYWALKING_EVENT':
        case 'ZIPKIN_EVENT':
          events.push(SpanAttachedEvent.decode(span));
          break;
      }
    } catch (error) {
      log.warn('a row of a trace cannot be read', {err: error, bytes: row.byteLength});
    }
  }
  return {segments, spans, events};
}
