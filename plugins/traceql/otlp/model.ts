import type {KeyValue, SpanKind, SpanStatus} from '../../../core/api/plugin.js';

/**
 * A trace in the shape of OTLP, between the conversion of each kind (`convert.ts` of the two plugins) and the writers of
 * `otlp/`. It is what the JSON form shows and no more: every attribute is text, there are no links and no trace state.
 *
 * Times are nanoseconds since the Unix epoch as decimal text ("0" when there is none), because they exceed what a number
 * holds exactly; a conversion makes them by appending zeros. Ids are lower case hex of an even length, of any length.
 */
export interface OtlpTrace {
  /** That of every span. */
  readonly traceId: string;
  /** The instrumentation scope of every span. */
  readonly scope: OtlpScope;
  /** One element a service, in the order in which services are first seen. */
  readonly resources: readonly OtlpResource[];
}

export interface OtlpScope {
  readonly name: string;
  readonly version: string;
}

export interface OtlpResource {
  /** Never empty. The one attribute of the resource, `service.name`. */
  readonly serviceName: string;
  /** Made as they are iterated, so that a writer never holds all spans of a large trace in this form. */
  readonly spans: Iterable<OtlpSpan>;
}

export interface OtlpSpan {
  readonly spanId: string;
  /** None for a root. */
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  /** In order. Keys are unique. */
  readonly attributes: readonly KeyValue[];
  readonly events: readonly OtlpEvent[];
  readonly status: OtlpStatus;
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  /** In order. Keys are unique. */
  readonly attributes: readonly KeyValue[];
}

export interface OtlpStatus {
  readonly code: SpanStatus;
  /** Never empty. */
  readonly message?: string;
}
