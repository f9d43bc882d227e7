import {
  GatewayError,
  type LocatedSpan,
  type MatchedSpan,
  type NativeTrace,
  type NativeTraceReader,
  nativeRoot,
  nativeSpanView,
} from '../../core/api/plugin.js';
import {quote} from '../../core/toolkit/messages.js';
import {MICROS_PER_MS} from '../../core/toolkit/time.js';
import type {ConvertedTrace} from '../traceql/otlp/model.js';
import {boundsOf} from '../traceql/search/trace-bounds.js';
import type {CandidateBounds, CandidateSpan, CandidateTrace, TraceSource} from '../traceql/source.js';
import {convertNativeTrace, nativeServiceName, nativeSpanName} from './convert.js';
import {SpanIds} from './span-ids.js';
import {decodeId, encodeId} from './trace-id.js';

/** Native traces. Their ids are any text and public in hex; names are compared as they are. */
export class NativeSource implements TraceSource<NativeTrace> {
  readonly statuses = ['ok', 'error'];
  readonly reader: NativeTraceReader;

  constructor(reader: NativeTraceReader) {
    this.reader = reader;
  }

  foldName(name: string): string {
    return name;
  }

  storedId(publicId: string): string {
    const id = decodeId(publicId);
    if (id !== undefined) return id;
    const expected = "the hex form of the id's UTF-8 bytes, two digits a byte";
    throw new GatewayError('bad_request', `the trace id: found ${quote(publicId)}, expected ${expected}`);
  }

  convert(trace: NativeTrace): ConvertedTrace {
    return convertNativeTrace(trace);
  }

  candidate(trace: NativeTrace): CandidateTrace {
    return new NativeCandidate(trace);
  }
}

/** Ids are made for spans that are shown alone. */
class NativeCandidate implements CandidateTrace {
  readonly traceId: string;
  readonly spans: readonly CandidateSpan[];
  readonly #trace: NativeTrace;
  readonly #ids = new SpanIds();

  constructor(trace: NativeTrace) {
    this.traceId = encodeId(trace.traceId);
    this.#trace = trace;
    this.spans = trace.segments.flatMap(segment =>
      segment.spans.map(span => new NativeCandidateSpan({segment, span}, this.#ids)),
    );
  }

  get root(): CandidateSpan {
    const segment = this.#trace.summary?.root;
    const root = nativeRoot(segment === undefined ? this.#trace : {...this.#trace, segments: [segment]});
    return new NativeCandidateSpan(root, this.#ids);
  }

  get bounds(): CandidateBounds {
    return this.#trace.summary ?? boundsOf(this.spans);
  }
}

class NativeCandidateSpan implements CandidateSpan {
  readonly attributes: MatchedSpan;
  readonly start: number;
  readonly #located: LocatedSpan;
  readonly #ids: SpanIds;

  constructor(located: LocatedSpan, ids: SpanIds) {
    this.attributes = nativeSpanView(located.segment, located.span);
    this.start = located.span.startTime * MICROS_PER_MS;
    this.#located = located;
    this.#ids = ids;
  }

  get spanId(): string {
    const {segment, span} = this.#located;
    return this.#ids.of(segment.traceSegmentId, span.spanId);
  }

  get serviceName(): string {
    return nativeServiceName(this.#located.segment);
  }

  get rootSpanName(): string {
    return nativeSpanName(this.#located.span);
  }
}
