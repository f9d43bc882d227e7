import type {SpanKind, SpanStatus, TraceSummary} from '../../api/adapter.js';

export type KindName = 'compat' | 'native';

/** A span as the index sees it. */
export interface IndexedSpan {
  /** Microseconds; undefined when the span has none, and then it lies in no window. */
  readonly start: number | undefined;
  readonly duration: number;
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
  readonly name: KindName;
  /** The id under which a trace is stored, for any text that names it; undefined for text that can be no id. */
  canonicalId(text: string): string | undefined;
  traceId(unit: Unit): string;
  /** Tells the units of one trace apart: one that has the same replaces the other. */
  identity(unit: Unit): string;
  /** A JSON text without the trace id. */
  encode(unit: Unit): string;
  /** `body` is what `encode` wrote, parsed. */
  decode(traceId: string, body: unknown): Unit;
  spans(unit: Unit): readonly IndexedSpan[];
  trace(traceId: string, units: readonly Unit[], summary?: TraceSummary<Unit>): Trace;

  /** A unit for each of its spans, with that alone. */
  parts(unit: Unit): readonly Unit[];
  /** Whether the span of a part has a parent in its trace; `unit` gives those of the trace by their identity. */
  hasParent(part: Unit, unit: (identity: string) => Unit | undefined): boolean;
  /** Of parts that all have a parent, or none: negative when `a` is the root rather than `b`. */
  compareRoots(a: Unit, b: Unit): number;
}
