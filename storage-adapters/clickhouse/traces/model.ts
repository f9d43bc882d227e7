import type {SpanKind, SpanStatus, TraceSummary} from '../../../core/api/adapter.js';

/** A span as it is searched. */
export interface IndexedSpan {
  /** Microseconds; undefined when the span has none, and then it lies in no window. */
  readonly start: number | undefined;
  readonly duration: number | undefined;
  readonly service: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** Each key once. */
  readonly tags: ReadonlyMap<string, string>;
}

/**
 * What differs between the two kinds of traces. A *unit* is what is stored and replaced as one: a span of a compat
 * trace, a segment of a native one.
 */
export interface TraceKind<Unit, Trace> {
  /** The beginning of the names of its tables. */
  readonly name: 'compat' | 'native';
  /** Whether a span can have an empty service, rather than none. */
  readonly hasEmptyService: boolean;
  /** The id under which a trace is stored, for any text that names it; undefined for text that can be no id. */
  canonicalId(text: string): string | undefined;
  traceId(unit: Unit): string;
  /** Tells the units of one trace apart: one that has the same replaces the other. */
  identity(unit: Unit): string;
  encode(unit: Unit): string;
  decode(body: string): Unit;
  spans(unit: Unit): readonly IndexedSpan[];
  trace(traceId: string, units: readonly Unit[], summary?: TraceSummary<Unit>): Trace;
  /**
   * A unit with the root of a trace alone, where that is among the spans that start first; undefined where these do not
   * tell. `first`: the units that have them.
   */
  rootOf(first: readonly Unit[]): Unit | undefined;
}
