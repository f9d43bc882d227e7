import {
  type Call,
  type CompatSpan,
  type CompatTrace,
  type CompatTraceReader,
  compatPlace,
  compatRoot,
  compatSpanView,
  GatewayError,
} from '../../core/api/plugin.js';
import {quote} from '../../core/toolkit/messages.js';
import {SERVICE_ALONE} from '../traceql/language/subset.js';
import {answerConverted} from '../traceql/otlp/answer-converted.js';
import type {Pieces, TraceForm} from '../traceql/otlp/form.js';
import {nanosOfMicros} from '../traceql/otlp/nanos.js';
import {boundsOf, boundsOfMicros} from '../traceql/search/trace-bounds.js';
import type {CandidateBounds, CandidateSpan, CandidateTrace, SourceReader, TraceSource} from '../traceql/source.js';
import {taggedReader} from '../traceql/tagged-reader.js';
import {convertCompatTrace} from './convert.js';

/** Compat traces. Their ids are public as they are; services and names are stored in lower case. */
export class CompatSource implements TraceSource<CompatTrace> {
  readonly statuses = ['error'];
  readonly subset = SERVICE_ALONE;
  readonly valueTypes = 1;
  readonly reader: SourceReader<CompatTrace>;
  readonly #traces: CompatTraceReader;

  constructor(reader: CompatTraceReader) {
    this.#traces = reader;
    this.reader = taggedReader(reader);
  }

  foldName(name: string): string {
    return name.toLowerCase();
  }

  storedId(publicId: string): string {
    if (/^[0-9a-f]{1,32}$/i.test(publicId) && !/^0+$/.test(publicId)) return publicId;
    const expected = '1 to 32 digits of hex, not all of them 0';
    throw new GatewayError('bad_request', `the trace id: found ${quote(publicId)}, expected ${expected}`);
  }

  answer(id: string, form: TraceForm, call: Call): Promise<Pieces | undefined> {
    return answerConverted(this.#traces, id, convertCompatTrace, form, call);
  }

  candidate(trace: CompatTrace): CandidateTrace {
    return new CompatCandidate(trace);
  }
}

class CompatCandidate implements CandidateTrace {
  readonly spans: readonly CandidateSpan[];
  readonly #trace: CompatTrace;

  constructor(trace: CompatTrace) {
    this.spans = trace.spans.map(candidateSpan);
    this.#trace = trace;
  }

  get traceId(): string {
    return this.#trace.traceId;
  }

  get root(): CandidateSpan {
    return candidateSpan(this.#trace.summary?.root ?? compatRoot(this.#trace));
  }

  get bounds(): CandidateBounds {
    const {summary} = this.#trace;
    return summary === undefined ? boundsOf(this.spans) : boundsOfMicros(summary);
  }
}

function candidateSpan(span: CompatSpan): CandidateSpan {
  const attributes = compatSpanView(span);
  return {
    attributes,
    spanId: span.id,
    start: span.timestamp,
    get startNanos() {
      return nanosOfMicros(span.timestamp ?? 0);
    },
    get durationNanos() {
      return nanosOfMicros(attributes.duration);
    },
    serviceName: compatPlace(span).service,
    rootSpanName: span.name || 'unknown',
  };
}
