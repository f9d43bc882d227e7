import {codec} from './definitions.js';
import type * as messages from './messages.generated.js';

/** What the rows of a trace hold as bytes: a wrapper, and inside it what its `source` says. */
export const SpanWrapper = codec<messages.SpanWrapper>('skywalking.v3.SpanWrapper');

/** Of the source `SKYWALKING`. */
export const SegmentObject = codec<messages.SegmentObject>('skywalking.v3.SegmentObject');

/** Of the sources `SKYWALKING_EVENT` and `ZIPKIN_EVENT`. */
export const SpanAttachedEvent = codec<messages.SpanAttachedEvent>('skywalking.v3.SpanAttachedEvent');

/** Of the source `ZIPKIN`, with one span in it. */
export const ListOfSpans = codec<messages.ListOfSpans>('zipkin.proto3.ListOfSpans');
