import {
  compareNativeRoots,
  type LocatedSpan,
  type NativeTrace,
  nativeParent,
  nativeSpanView,
  type Segment,
} from '../../api/adapter.js';
import {MICROS_PER_MS} from '../time.js';
import type {IndexedSpan, TraceModel} from './model.js';

/** Segments of the SkyWalking protocol, each a fragment with any number of spans. */
export const nativeModel: TraceModel<Segment, NativeTrace> = {
  name: 'native',
  fragments: 'segments',
  hasEmptyService: true,
  hasFineBounds: false,
  canonicalId: text => text.toWellFormed(),
  traceId: segment => segment.traceId,
  identity: segment => segment.traceSegmentId.toWellFormed(),

  spans(segment) {
    return segment.spans.map((span): IndexedSpan => {
      const {service, name, kind, status, duration} = nativeSpanView(segment, span);
      const tags = new Map(span.tags.map(({key, value}) => [key, value]));
      const start = span.startTime * MICROS_PER_MS;
      return {start, duration, end: start + duration, service, name, kind, status, tags};
    });
  },

  trace: (traceId, segments, summary) => (summary === undefined ? {traceId, segments} : {traceId, segments, summary}),

  bounds: (_, bounds) => bounds,

  parts: segment => segment.spans.map(span => ({...segment, spans: [span]})),

  hasParent(part, fragment) {
    const parent = nativeParent(located(part));
    if (parent === undefined) return false;
    const {spans = []} = fragment(parent.segmentId.toWellFormed()) ?? {};
    return spans.some(({spanId}) => spanId === parent.spanId);
  },

  compareRoots: (a, b) => compareNativeRoots(located(a), located(b)),
};

/** The one span of a part. */
function located(part: Segment): LocatedSpan {
  const [span] = part.spans;
  if (span === undefined) throw new Error('BUG: a part without a span');
  return {segment: part, span};
}
