import type {Call} from './call.js';
import type {OtlpSpan} from './otlp-span.js';
import type {TypedText} from './otlp-values.js';
import type {Attribute, SpanCondition, TimeWindow, TraceSearchRequest} from './traces.js';

/**
 * Traces of the third kind, and the narrow reads from which a trace query language is evaluated. They are those of the two
 * other kinds (`traces.ts`, which says what is not said again here), and beyond them tell attributes of the resource from
 * those of the span, and the types of values.
 *
 * Spans have nanoseconds; windows, and the order of traces and values, go by whole microseconds, which every backend can
 * index and every number holds. `otlp-matching.ts` has the rules: `otlpStart` gives the start by which a span lies in a
 * window, `otlpSpanView` what a filter sees.
 */

/** `value` is compared with the text of the attribute (`otlpText`), as that of `tag` is. */
export type ResourceCondition = {readonly on: 'resource'; readonly key: string; readonly value: string};

/** A condition `tag` is on an attribute of the span, whatever its type; `service` on `otlpServiceName`. */
export type OtlpCondition = SpanCondition | ResourceCondition;

/** All conditions hold on the same span. Empty: every span. */
export type OtlpFilter = readonly OtlpCondition[];

export interface OtlpSearchRequest extends Omit<TraceSearchRequest, 'filter'> {
  readonly filter: OtlpFilter;
}

export interface OtlpTagKeysRequest extends TimeWindow {
  /** Whose attributes. */
  readonly scope: 'resource' | 'span';
  readonly filter: OtlpFilter;
}

/** `tag` is an attribute of the span. */
export type OtlpListedAttribute = Attribute | {readonly of: 'resource'; readonly key: string};

export interface OtlpValuesRequest extends TimeWindow {
  readonly attribute: OtlpListedAttribute;
  readonly filter: OtlpFilter;
  /** At least 1. */
  readonly limit: number;
}

/** As of the two other kinds; times are the nanoseconds of the spans. */
export interface OtlpTraceSummary {
  readonly start: bigint;
  readonly end: bigint;
  /** What `otlpRoot` says of the whole trace. */
  readonly root: OtlpSpan;
}

export interface OtlpTrace {
  readonly traceId: string;
  /** At least one. */
  readonly spans: readonly OtlpSpan[];
  /** Absent where all of its spans are there; present at most where a search asked for `matching`. */
  readonly summary?: OtlpTraceSummary;
}

/** `traces.otlp.v1`. Trace ids are looked up in any case and with or without leading zeros (`canonicalOtlpTraceId`). */
export interface OtlpTraceReader {
  /** The whole trace, or undefined, however old it is. Spans in any order. */
  trace(id: string, call: Call): Promise<OtlpTrace | undefined>;

  /**
   * Traces with a matching span in the window, each once: by the earliest `otlpStart` of their spans, descending, then by
   * id. Those that do not match may come along. The consumer stops at its limit.
   */
  search(request: OtlpSearchRequest, call: Call): AsyncIterable<OtlpTrace>;

  /** Exact. The keys of attributes of the spans that lie in the window and satisfy the filter, in code point order. */
  tagKeys(request: OtlpTagKeysRequest, call: Call): Promise<readonly string[]>;

  /**
   * Exact. The distinct texts of an attribute, each with its type: a text that occurs with two types is there twice. By the
   * `otlpStart` of the earliest such span, ascending, then by type in the order of `OTLP_VALUE_TYPES`, then by text in code
   * points; cut to `limit`. What is no attribute of a sender (service, name, status, kind) has the type `string`, and an
   * empty one is none.
   */
  attributeValues(request: OtlpValuesRequest, call: Call): Promise<readonly TypedText[]>;
}

/**
 * `ingest.otlp.v1`. As `MetricWriter.write`: whole or nothing, visible and safe when it resolves, harmless again. The same
 * trace id and span id again replaces the earlier span, whatever its resource; within a batch the later one stands. A span
 * may lack a service: whether such spans are taken is decided before.
 */
export interface OtlpSpanWriter {
  write(spans: readonly OtlpSpan[], call: Call): Promise<void>;

  /**
   * The same, of spans that are still encoded: senders encode them, and a storage that keeps that form need not make objects of
   * them in between. A writer need not have this; then whoever has encoded spans makes objects of them for `write`.
   */
  writeEncoded?(spans: EncodedOtlpSpans, call: Call): Promise<void>;
}

/**
 * Spans in the binary form of the protocol. They are as good as objects of `OtlpSpan`: the ids are there, all text is UTF-8,
 * and nothing nests deeper than `DEEPEST_OTLP_VALUE`; whoever hands them over has seen to that. Otherwise a sender may have
 * written them in any way that protobuf allows: fields in any order, fields that occur again, of which the last counts
 * (elements of a list all count, and messages come together), an id of zeros for no parent, and fields that this contract
 * does not know, which need not be kept. Nobody changes the bytes any more, and they may be views.
 */
export interface EncodedOtlpSpans {
  readonly bytes: Uint8Array;
  /** Three numbers a span: the index of its origin, and where in `bytes` its message `Span` begins and ends. Ascending. */
  readonly spans: Uint32Array;
  readonly origins: readonly EncodedOtlpOrigin[];
}

/** What spans were sent under: messages `Resource` and `InstrumentationScope`, each with the schema URL that stands beside it. */
export interface EncodedOtlpOrigin {
  readonly resource: Uint8Array;
  readonly resourceSchemaUrl: string;
  readonly scope: Uint8Array;
  readonly scopeSchemaUrl: string;
}
