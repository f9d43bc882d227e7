import {
  type Call,
  GatewayError,
  type LocatedSpan,
  type MatchedSpan,
  type NativeTrace,
  type NativeTraceReader,
  nativePlace,
  nativeRoot,
  nativeSpanView,
} from '../../core/api/plugin.js';
import {quote} from '../../core/toolkit/messages.js';
import {MICROS_PER_MS} from '../../core/toolkit/time.js';
import {SERVICE_ALONE} from '../traceql/language/subset.js';
import {answerConverted} from '../traceql/otlp/answer-converted.js';
import type {Pieces, TraceForm} from '../traceql/otlp/form.js';
import {nanosOfMicros} from '../traceql/otlp/nanos.js';
import {boundsOf, boundsOfMicros} from '../traceql/search/trace-bounds.js';
import type {CandidateBounds, CandidateSpan, CandidateTrace, SourceReader, TraceSource} from '../traceql/source.js';
import {taggedReader} from '../traceql/tagged-reader.js';
import {convertNativeTrace, nativeSpanName} from './convert.js';
import {SpanIds} from './span-ids.js';
import {decodeId, encodeId} from './trace-id.js';

/** Native traces. Their ids are any text and public in hex; names are compared as they are. */
export class NativeSource implements TraceSource<NativeTrace> {
  readonly statuses = ['ok', 'error'];
  readonly subset = SERVICE_ALONE;
  readonly valueTypes = 1;
  readonly reader: SourceReader<NativeTrace>;
  readonly #traces: NativeTraceReader;

  constructor(reader: NativeTraceReader) {
    this.#traces = reader;
    this.reader = taggedReader(reader);
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

  answer(id: string, form: TraceForm, call: Call): Promise<Pieces | undefined> {
    return answerConverted(this.#traces, id, convertNativeTrace, form, call);
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
    const {summary} = this.#trace;
    return summary === undefined ? boundsOf(this.spans) : boundsOfMicros(summary);
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

  get startNanos(): string {
    return nanosOfMicros(this.start);
  }

  get durationNanos(): string {
    return nanosOfMicros(this.attributes.duration);
  }

  get serviceName(): string {
    return nativePlace(this.#located).service;
  }

  get rootSpanName(): string {
    return nativeSpanName(this.#located.span);
  }
}
