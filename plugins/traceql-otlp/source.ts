import {
  type Call,
  canonicalOtlpTraceId,
  GatewayError,
  type MatchedSpan,
  OTLP_VALUE_TYPES,
  type OtlpSpan,
  type OtlpTrace,
  type OtlpTraceReader,
  otlpAttribute,
  otlpDuration,
  otlpEnd,
  otlpRoot,
  otlpSpanView,
  otlpStart,
  otlpText,
  otlpValueType,
  type TypedText,
} from '../../core/api/plugin.js';
import {quote} from '../../core/toolkit/messages.js';
import {encodeOtlpTraces} from '../../core/toolkit/otlp/encode.js';
import {cooperate} from '../../core/toolkit/yielder.js';
import type {Pieces, TraceForm} from '../traceql/otlp/form.js';
import {lengthDelimited} from '../traceql/otlp/service-bytes.js';
import type {CandidateBounds, CandidateSpan, CandidateTrace, TraceSource} from '../traceql/source.js';
import {otlpJson} from './json.js';
import {spanGroups} from './span-groups.js';

/** OTLP traces. Their ids are public as they are, names are compared as they are, and resources have attributes. */
export class OtlpSource implements TraceSource<OtlpTrace> {
  readonly statuses = ['ok', 'error', 'unset'];
  readonly valueTypes = OTLP_VALUE_TYPES.length;
  readonly subset = {resourceAttributes: true};
  readonly reader: OtlpTraceReader;

  constructor(reader: OtlpTraceReader) {
    this.reader = reader;
  }

  foldName(name: string): string {
    return name;
  }

  storedId(publicId: string): string {
    const id = publicId.length > LONGEST_ID ? undefined : canonicalOtlpTraceId(publicId);
    if (id !== undefined) return id;
    const expected = '1 to 32 digits of hex, not all of them 0';
    throw new GatewayError('bad_request', `the trace id: found ${quote(publicId)}, expected ${expected}`);
  }

  /** Protobuf is written from its end, and so made before it is sent. */
  async answer(id: string, {version, isProtobuf}: TraceForm, call: Call): Promise<Pieces | undefined> {
    const trace = await this.reader.trace(id, call);
    if (trace === undefined) return undefined;
    const groups = await cooperate(spanGroups(trace.spans), call);
    if (!isProtobuf) return otlpJson(groups);
    const bytes = await cooperate(encodeOtlpTraces(groups), call);
    return version === 'v1' ? [bytes].values() : [Buffer.concat([lengthDelimited(1, bytes.length), bytes])].values();
  }

  candidate(trace: OtlpTrace): CandidateTrace {
    return new OtlpCandidate(trace);
  }
}

const LONGEST_ID = 32;

class OtlpCandidate implements CandidateTrace {
  readonly spans: readonly CandidateSpan[];
  readonly #trace: OtlpTrace;

  constructor(trace: OtlpTrace) {
    this.spans = trace.spans.map(span => new OtlpCandidateSpan(span));
    this.#trace = trace;
  }

  get traceId(): string {
    return this.#trace.traceId;
  }

  get root(): CandidateSpan {
    return new OtlpCandidateSpan(this.#trace.summary?.root ?? otlpRoot(this.#trace.spans));
  }

  get bounds(): CandidateBounds {
    const {start, end} = this.#trace.summary ?? boundsOf(this.#trace.spans);
    return {startNanos: String(start), duration: Number(end - start) / NANOS_PER_MICRO};
  }
}

const NANOS_PER_MICRO = 1000;

/** Of spans that have a time there is at least one. */
function boundsOf(spans: readonly OtlpSpan[]): {readonly start: bigint; readonly end: bigint} {
  let start: bigint | undefined;
  let end = 0n;
  for (const span of spans) {
    if (span.startTime === 0n) continue;
    if (start === undefined || span.startTime < start) start = span.startTime;
    const last = otlpEnd(span);
    if (last > end) end = last;
  }
  return {start: start ?? 0n, end};
}

class OtlpCandidateSpan implements CandidateSpan {
  readonly attributes: MatchedSpan;
  readonly start: number | undefined;
  readonly #span: OtlpSpan;

  constructor(span: OtlpSpan) {
    this.attributes = otlpSpanView(span);
    this.start = otlpStart(span);
    this.#span = span;
  }

  get spanId(): string {
    return this.#span.spanId;
  }

  get startNanos(): string {
    return String(this.#span.startTime);
  }

  get durationNanos(): string {
    return String(otlpDuration(this.#span));
  }

  get serviceName(): string {
    return this.attributes.service ?? 'unknown';
  }

  get rootSpanName(): string {
    return this.#span.name || 'unknown';
  }

  typedTag(key: string): TypedText | undefined {
    const value = otlpAttribute(this.#span.attributes, key);
    return value === undefined ? undefined : {type: otlpValueType(value), text: otlpText(value)};
  }
}
