import {
  type CompatSpan,
  type CompatTrace,
  type CompatTraceReader,
  compatRoot,
  compatSpanView,
  GatewayError,
} from '../../core/api/plugin.js';
import {quote} from '../../core/toolkit/messages.js';
import type {ConvertedTrace} from '../traceql/otlp/model.js';
import {boundsOf} from '../traceql/search/trace-bounds.js';
import type {CandidateBounds, CandidateSpan, CandidateTrace, TraceSource} from '../traceql/source.js';
import {compatServiceName, convertCompatTrace} from './convert.js';

/** Compat traces. Their ids are public as they are; services and names are stored in lower case. */
export class CompatSource implements TraceSource<CompatTrace> {
  readonly statuses = ['error'];
  readonly reader: CompatTraceReader;

  constructor(reader: CompatTraceReader) {
    this.reader = reader;
  }

  foldName(name: string): string {
    return name.toLowerCase();
  }

  storedId(publicId: string): string {
    if (/^[0-9a-f]{1,32}$/i.test(publicId) && !/^0+$/.test(publicId)) return publicId;
    const expected = '1 to 32 digits of hex, not all of them 0';
    throw new GatewayError('bad_request', `the trace id: found ${quote(publicId)}, expected ${expected}`);
  }

  convert(trace: CompatTrace): ConvertedTrace {
    return convertCompatTrace(trace);
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
    return this.#trace.summary ?? boundsOf(this.spans);
  }
}

function candidateSpan(span: CompatSpan): CandidateSpan {
  return {
    attributes: compatSpanView(span),
    spanId: span.id,
    start: span.timestamp,
    serviceName: compatServiceName(span),
    rootSpanName: span.name || 'unknown',
  };
}
