import type {Call} from './call.js';

/**
 * Traces of the two older kinds (those of OTLP are in `otlp-traces.ts`), and the narrow reads from which a trace query language is evaluated.
 *
 * *Compat* traces are spans of the public Zipkin v2 API; *native* traces are segments of the public SkyWalking report
 * protocol. Both readers have the same four methods, because the same plugin code asks both.
 *
 * A search yields whole traces, newest first. Every trace that matches must be yielded; others may be: the plugin looks
 * at the spans again and stops at its limit, so a reader pushes down what it can do soundly and no more. Tag keys and
 * attribute values are *exact*, because nobody can look at them again.
 *
 * Times of compat spans are whole microseconds, those of segments whole milliseconds, both since the Unix epoch and both
 * exact as JavaScript numbers. Windows are microseconds for both kinds.
 */

/** As OTLP names them, without the prefix `SPAN_KIND_`. */
export type SpanKind = 'UNSPECIFIED' | 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER';

/** As OTLP names them, without the prefix `STATUS_CODE_`. */
export type SpanStatus = 'UNSET' | 'OK' | 'ERROR';

/**
 * One condition on one span. `span-matching.ts` says for both kinds exactly what each means; a reader that must be exact
 * calls it for what its engine cannot express.
 */
export type SpanCondition =
  /** The span's service: `localEndpoint.serviceName` of a compat span, the segment's service of a native one. */
  | {readonly on: 'service'; readonly value: string}
  /** The span's name, `operationName` of a native one. */
  | {readonly on: 'name'; readonly value: string}
  | {readonly on: 'tag'; readonly key: string; readonly value: string}
  /** The span's name is `name`, or its tag `name` is `value`. The two differ where names are stored in lower case. */
  | {readonly on: 'name-or-tag'; readonly name: string; readonly value: string}
  | {readonly on: 'kind'; readonly value: SpanKind}
  | {readonly on: 'status'; readonly value: SpanStatus}
  /** The span's duration in microseconds, 0 where it has none; `value` need not be whole. */
  | {readonly on: 'duration'; readonly is: '=' | '>' | '>=' | '<' | '<='; readonly value: number};

/** All conditions hold on the same span. Empty: every span. */
export type SpanFilter = readonly SpanCondition[];

/** Microseconds: `from` included, `to` excluded. A span lies in it by its start; one without a start in none. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export interface TraceSearchRequest extends TimeWindow {
  /** A trace matches when a span that lies in the window satisfies this. */
  readonly filter: SpanFilter;
  /** A hint: the duration of the whole trace in microseconds, both ends included. */
  readonly traceDuration?: {readonly min?: number; readonly max?: number};
  /**
   * A hint: of a trace no more is wanted than its matching spans, its root and its bounds. A reader that knows these
   * without reading the whole trace may yield it with a `summary`, and without the other spans. Most traces are small and
   * may as well come whole.
   */
  readonly matching?: boolean;
}

export interface TagKeysRequest extends TimeWindow {
  /** Only tags of spans that satisfy this. */
  readonly filter: SpanFilter;
}

/** What values are listed of: the service, the span's name, its status, its kind, or one of its tags. */
export type Attribute =
  | {readonly of: 'service' | 'name' | 'status' | 'kind'}
  | {readonly of: 'tag'; readonly key: string};

export interface AttributeValuesRequest extends TimeWindow {
  readonly attribute: Attribute;
  readonly filter: SpanFilter;
  /** At least 1. */
  readonly limit: number;
}

/** What both kinds of traces can be asked. All methods may run concurrently, and reject when cancelled. */
export interface TraceReader<Trace> {
  /**
   * The whole trace, or undefined. A search for text that can be no id finds nothing. Spans in any order. What has been
   * stored under the id is returned however old it is.
   */
  trace(id: string, call: Call): Promise<Trace | undefined>;

  /**
   * As `trace`, for a trace that nobody needs to hold whole; an adapter that holds it anyway leaves this out. Some spans at a
   * time: at least one part, none empty, each with spans of one service, and all of them together in the order of
   * `trace-order.ts` (segments of a native part in the order of their spans, a segment as often as others come between). What
   * is yielded is of one moment, that of the call, however slowly it is taken; when it cannot be read to its end the
   * iteration rejects. What is the only part may be the trace as `trace` gives it: of several services, in any order. The
   * consumer may stop early, and is not told of an abort once the promise is resolved.
   */
  traceInOrder?(id: string, call: Call): Promise<AsyncIterable<Trace> | undefined>;

  /**
   * Whole traces, unless `matching` is asked for, with a matching span, newest first: by the earliest start of their spans, descending, then by trace id,
   * ascending in code points. Spans outside the window come along. A trace is yielded once. The consumer stops at its
   * limit, and the reader then ends its work (`return()` of the iterator); so does a call that is cancelled, within 100 ms.
   */
  search(request: TraceSearchRequest, call: Call): AsyncIterable<Trace>;

  /** Exact. The keys of tags of the spans that lie in the window and satisfy the filter, in code point order. */
  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]>;

  /**
   * Exact. The distinct values of an attribute of the spans that lie in the window and satisfy the filter, ordered by
   * the start of the earliest such span, ascending, then by value in code points; cut to `limit`. A span without a
   * service has no value of it; likewise an empty name.
   */
  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]>;
}

/** `localEndpoint` and `remoteEndpoint` of the Zipkin v2 API, normalised: what is empty or 0 is absent. */
export interface CompatEndpoint {
  /** Lower case. */
  readonly serviceName?: string;
  readonly ipv4?: string;
  /** In canonical form. */
  readonly ipv6?: string;
  readonly port?: number;
}

export interface CompatAnnotation {
  readonly timestamp: number;
  readonly value: string;
}

/**
 * A span of the Zipkin v2 API, normalised. The same trace id, id, kind and `shared` again replaces the earlier span; the
 * two halves of a shared span are two spans.
 */
export interface CompatSpan {
  /** 16 or 32 digits of lower case hex. */
  readonly traceId: string;
  /** 16 digits of lower case hex. */
  readonly id: string;
  readonly parentId?: string;
  /** As it was sent, in upper case; kinds that Zipkin does not know are kept. */
  readonly kind?: string;
  /** Lower case. */
  readonly name?: string;
  readonly timestamp?: number;
  /** At least 1. */
  readonly duration?: number;
  readonly localEndpoint?: CompatEndpoint;
  readonly remoteEndpoint?: CompatEndpoint;
  /** By time, then value, without repetitions. */
  readonly annotations: readonly CompatAnnotation[];
  /** In code point order of the keys. */
  readonly tags: ReadonlyMap<string, string>;
  readonly debug?: boolean;
  readonly shared?: boolean;
}

/**
 * What is known of a trace that comes without some of its spans. All of its spans that satisfy the filter of the search
 * are there, also those outside the window and those without a time; others may be.
 */
export interface TraceSummary<Root> {
  /** Microseconds: the earliest start of a span of the whole trace, and the latest end. */
  readonly start: number;
  readonly end: number;
  /** What `trace-root.ts` says is the root of the whole trace; of a native trace its segment, with that span alone. */
  readonly root: Root;
}

export interface CompatTrace {
  readonly traceId: string;
  readonly spans: readonly CompatSpan[];
  /** Absent where all of its spans are there; present at most where a search asked for `matching`. */
  readonly summary?: TraceSummary<CompatSpan>;
}

/** `traces.compat.v1`. Trace ids are looked up in any case and with or without leading zeros. */
export type CompatTraceReader = TraceReader<CompatTrace>;

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export interface SegmentLog {
  /** Milliseconds. */
  readonly time: number;
  readonly data: readonly KeyValue[];
}

/** Where a segment was called from. */
export interface SegmentReference {
  readonly refType: string;
  readonly traceId: string;
  readonly parentTraceSegmentId: string;
  readonly parentSpanId: number;
  readonly parentService: string;
  readonly parentServiceInstance: string;
  readonly parentEndpoint: string;
  readonly networkAddressUsedAtPeer: string;
}

export interface Instant {
  readonly seconds: bigint;
  readonly nanos: number;
}

export interface AttachedEvent {
  readonly startTime: Instant;
  readonly endTime: Instant;
  readonly event: string;
  readonly tags: readonly KeyValue[];
  readonly summary: readonly {readonly key: string; readonly value: bigint}[];
}

export interface NativeSpan {
  /** From 0, unique in the segment. */
  readonly spanId: number;
  /** -1: the first span of the segment. */
  readonly parentSpanId: number;
  /** Milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  readonly operationName: string;
  readonly peer: string;
  /** `Entry`, `Exit`, `Local`; empty when absent; other words are kept. */
  readonly spanType: string;
  /** `Unknown` when absent. */
  readonly spanLayer: string;
  readonly componentId: number;
  /** The component's name where the sender gave a name in place of the id. */
  readonly component?: string;
  readonly isError: boolean;
  readonly skipAnalysis: boolean;
  /** In the order of the sender; keys may repeat, the last value of a key counts. */
  readonly tags: readonly KeyValue[];
  readonly logs: readonly SegmentLog[];
  readonly refs: readonly SegmentReference[];
  readonly attachedEvents: readonly AttachedEvent[];
}

/** A segment of the SkyWalking protocol. The same trace and segment id again replaces the earlier one. */
export interface Segment {
  readonly traceId: string;
  readonly traceSegmentId: string;
  readonly layer: string;
  readonly service: string;
  readonly serviceInstance: string;
  readonly spans: readonly NativeSpan[];
}

export interface NativeTrace {
  readonly traceId: string;
  readonly segments: readonly Segment[];
  /** As of a compat trace. The segments that are there have all of their spans, or those that match. */
  readonly summary?: TraceSummary<Segment>;
}

/** `traces.native.v2`, trace query v2. Ids are the native text, exactly. */
export type NativeTraceReader = TraceReader<NativeTrace>;

/** `ingest.compat.v1`. As `MetricWriter.write`: whole or nothing, visible and safe when it resolves, harmless again. */
export interface CompatSpanWriter {
  write(spans: readonly CompatSpan[], call: Call): Promise<void>;
}

/** `ingest.native.v1`. */
export interface SegmentWriter {
  write(segments: readonly Segment[], call: Call): Promise<void>;
}
