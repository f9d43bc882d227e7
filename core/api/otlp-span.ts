/**
 * A span of the OpenTelemetry protocol, as it came: the public message `opentelemetry.proto.trace.v1.Span` together with
 * the resource and the instrumentation scope that it was sent under. What a sender put in comes out again: types of values,
 * 64-bit integers, nanoseconds, the order of lists, numbers of enumerations that nobody knows yet.
 *
 * What protobuf cannot tell from its default is the default: an empty text, 0, an empty list. So every key is there, and two
 * spans are the same when all of it is the same. Fields that the protocol had not in version 1.5 are not kept.
 *
 * Ids are lower case hex, two digits a byte. All text is well-formed Unicode. Objects are immutable and may be shared: a
 * decoder gives all spans of one message the same resource and scope object, and whoever encodes them may go by that.
 */
export interface OtlpSpan {
  /** 32 digits, not all of them 0. */
  readonly traceId: string;
  /** 16 digits, not all of them 0. */
  readonly spanId: string;
  /** In the form of the W3C header `tracestate`; kept as it is. */
  readonly traceState: string;
  /** 16 digits; absent when there is none, which is also what an id of zeros says. */
  readonly parentSpanId?: string;
  /** 32 bits without a sign. */
  readonly flags: number;
  readonly name: string;
  /** Of the enumeration `SpanKind`: 32 bits with a sign, also numbers that it does not have. */
  readonly kind: number;
  /** Nanoseconds since the Unix epoch, 64 bits without a sign; 0 when it is not known. */
  readonly startTime: bigint;
  readonly endTime: bigint;
  readonly attributes: readonly OtlpAttribute[];
  /** This and the other counts of what a sender has left out: 32 bits without a sign. */
  readonly droppedAttributesCount: number;
  readonly events: readonly OtlpEvent[];
  readonly droppedEventsCount: number;
  readonly links: readonly OtlpLink[];
  readonly droppedLinksCount: number;
  readonly status: OtlpStatus;
  readonly resource: OtlpResource;
  readonly scope: OtlpScope;
}

/**
 * A value by the type that JavaScript has for it: text, `bool`, `int` as a big integer of 64 bits with a sign, `double` as a
 * number (NaN, the infinities and -0 among them), `bytes`, an array, a list of keys and values, and null for a value that was
 * sent without any content. Arrays and lists nest to `DEEPEST_OTLP_VALUE`.
 */
export type OtlpValue =
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | readonly OtlpValue[]
  | OtlpKeyValueList
  | null;

/** How many arrays and lists may lie in one another. A writer need not store deeper ones, and a decoder refuses them. */
export const DEEPEST_OTLP_VALUE = 32;

export interface OtlpKeyValueList {
  readonly entries: readonly OtlpAttribute[];
}

/** Keys should be unique in their list. Where they are not, all are kept, and the last counts in a search. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export interface OtlpEvent {
  /** Nanoseconds, as of the span. */
  readonly time: bigint;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly droppedAttributesCount: number;
}

/** Its ids may be of any length, and empty. */
export interface OtlpLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly droppedAttributesCount: number;
  readonly flags: number;
}

export interface OtlpStatus {
  /** Of the enumeration `StatusCode`: 32 bits with a sign, also numbers that it does not have. */
  readonly code: number;
  readonly message: string;
}

/** What sent the span. */
export interface OtlpResource {
  readonly attributes: readonly OtlpAttribute[];
  readonly droppedAttributesCount: number;
  /** That of the message `ResourceSpans`. */
  readonly schemaUrl: string;
}

/** The library that made the span. */
export interface OtlpScope {
  readonly name: string;
  readonly version: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly droppedAttributesCount: number;
  /** That of the message `ScopeSpans`. */
  readonly schemaUrl: string;
}
