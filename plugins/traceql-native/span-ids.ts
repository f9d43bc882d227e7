import type {NativeSpan, Segment} from '../../core/api/plugin.js';
import {encodeId} from './trace-id.js';

/** The public ids of spans of one trace: the hex form of the segment's id, the letter S and the number in the segment. */
export class SpanIds {
  readonly #traceId: string;
  /** By segment: what its spans' ids have in common. */
  readonly #prefixes = new Map<string, string>();

  /** `traceId` is the native one. */
  constructor(traceId: string) {
    this.#traceId = traceId;
  }

  of(segmentId: string, spanNumber: number): string {
    let prefix = this.#prefixes.get(segmentId);
    if (prefix === undefined) {
      prefix = encodeId(`${segmentId}S`);
      this.#prefixes.set(segmentId, prefix);
    }
    return prefix + encodeId(String(spanNumber));
  }

  /**
   * The parent in the same segment; for a segment's first span the caller's, by the first reference of this trace.
   * A batch's consumer has references of several traces: the others are no parents here. The parent need not have been
   * stored. A span that names itself has none.
   */
  parentOf(segment: Segment, span: NativeSpan): string | undefined {
    if (span.parentSpanId >= 0) {
      return span.parentSpanId === span.spanId ? undefined : this.of(segment.traceSegmentId, span.parentSpanId);
    }
    const reference = span.refs.find(ref => ref.traceId === this.#traceId);
    if (reference === undefined) return undefined;
    const {parentTraceSegmentId, parentSpanId} = reference;
    if (parentTraceSegmentId === segment.traceSegmentId && parentSpanId === span.spanId) return undefined;
    return this.of(parentTraceSegmentId, parentSpanId);
  }
}
