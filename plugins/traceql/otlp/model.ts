import type {KeyValue, SpanKind, SpanStatus} from '../../../core/api/plugin.js';

/**
 * A trace in the shape of OTLP, between the conversion of each kind (`convert.ts` of the two plugins) and the writers of
 * `otlp/`. It is what the JSON form shows and no more: every attribute is text, there are no links and no trace state.
 *
 * Times are nanoseconds since the Unix epoch as decimal text ("0" when there is none), because they exceed what a number
 * holds exactly; a conversion makes them by appending zeros. Ids are lower case hex of an even length, of any length.
 */
export interface ConvertedTrace {
  /** That of every span. */
  readonly traceId: string;
  /** The instrumentation scope of every span. */
  readonly scope: ConvertedScope;
  /** One element a service, in the order in which services are first seen. */
  readonly resources: readonly ConvertedResource[];
}

export interface ConvertedScope {
  readonly name: string;
  readonly version: string;
}

export interface ConvertedResource {
  /** Never empty. The one attribute of the resource, `service.name`. */
  readonly serviceName: string;
  /** Made as they are iterated, so that a writer never holds all spans of a large trace in this form. */
  readonly spans: Iterable<ConvertedSpan>;
}

export interface ConvertedSpan {
  readonly spanId: string;
  /** None for a root. */
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  /** In order. Keys are unique. */
  readonly attributes: readonly KeyValue[];
  readonly events: readonly ConvertedEvent[];
  readonly status: ConvertedStatus;
}

export interface ConvertedEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  /** In order. Keys are unique. */
  readonly attributes: readonly KeyValue[];
}

export interface ConvertedStatus {
  readonly code: SpanStatus;
  /** Never empty. */
  readonly message?: string;
}
