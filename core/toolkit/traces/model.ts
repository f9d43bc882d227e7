import type {SpanKind, SpanStatus} from '../../api/adapter.js';

/** The kinds of traces that the contract knows. */
export type TraceModelName = 'compat' | 'native' | 'otlp';

export const TRACE_MODEL_NAMES: readonly TraceModelName[] = ['compat', 'native', 'otlp'];

/** A span as an index of traces sees it. */
export interface IndexedSpan {
  /** Microseconds; undefined when the span has none, and then it lies in no window. */
  readonly start: number | undefined;
  /** Microseconds; 0 when the span has none. Of OTLP with the nanoseconds as a fraction. */
  readonly duration: number;
  /** Whole microseconds; undefined when the span has no start. */
  readonly end: number | undefined;
  readonly service: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** Each key once. Values of OTLP are typed terms (`typedTerm`). */
  readonly tags: ReadonlyMap<string, string>;
  /** Of OTLP, attributes of the resource as `tags`; spans of one resource object share the map. */
  readonly resourceTags?: ReadonlyMap<string, string>;
}

/**
 * What an adapter that stores several kinds of traces in tables of one shape has to know of each. A *fragment* is what is
 * stored and replaced as one: a span of a compat or OTLP trace, a segment of a native one. `Time` is that of a summary's bounds:
 * microseconds, or nanoseconds as a big integer. How a fragment is written down is the
 * adapter's own.
 */
export interface TraceModel<Fragment, Trace, Time = number> {
  readonly name: TraceModelName;
  /** What its fragments are called in messages. */
  readonly fragments: 'spans' | 'segments';
  /** Whether a span can have an empty service, rather than none. */
  readonly hasEmptyService: boolean;
  /** Whether `bounds` are finer than microseconds, so that the edges of a trace have to be read for them. */
  readonly hasFineBounds: boolean;
  /** The id under which a trace is stored, for any text that names it; undefined for text that can be no id. */
  canonicalId(text: string): string | undefined;
  traceId(fragment: Fragment): string;
  /** Tells the fragments of one trace apart: one that has the same replaces the other. Well-formed text. */
  identity(fragment: Fragment): string;
  spans(fragment: Fragment): readonly IndexedSpan[];
  trace(traceId: string, fragments: readonly Fragment[], summary?: ModelSummary<Fragment, Time>): Trace;
  /**
   * The bounds of a trace as its summary has them. `edges` are the fragments that start first or end last, `bounds` in whole
   * microseconds.
   */
  bounds(edges: readonly Fragment[], bounds: ModelBounds<number>): ModelBounds<Time>;

  /** A fragment for each of its spans, with that alone: what the following are about. */
  parts(fragment: Fragment): readonly Fragment[];
  /** Whether the span of a part has a parent in its trace; `fragment` gives those of the trace by their identity. */
  hasParent(part: Fragment, fragment: (identity: string) => Fragment | undefined): boolean;
  /** Of parts that all have a parent, or none: negative when `a` is the root rather than `b`. */
  compareRoots(a: Fragment, b: Fragment): number;
}

export interface ModelBounds<Time> {
  readonly start: Time;
  readonly end: Time;
}

/** As the contract's summaries: `root` is a fragment with that span alone. */
export interface ModelSummary<Fragment, Time> extends ModelBounds<Time> {
  readonly root: Fragment;
}
