import type {SpanKind, SpanStatus, TraceSummary} from '../../api/adapter.js';

/** The two kinds of traces that the contract knows. */
export type TraceModelName = 'compat' | 'native';

export const TRACE_MODEL_NAMES: readonly TraceModelName[] = ['compat', 'native'];

/** A span as an index of traces sees it. */
export interface IndexedSpan {
  /** Microseconds; undefined when the span has none, and then it lies in no window. */
  readonly start: number | undefined;
  /** Microseconds; 0 when the span has none. */
  readonly duration: number;
  readonly service: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** Each key once. */
  readonly tags: ReadonlyMap<string, string>;
}

/**
 * What an adapter that stores both kinds of traces in tables of one shape has to know of each. A *fragment* is what is
 * stored and replaced as one: a span of a compat trace, a segment of a native one. How a fragment is written down is the
 * adapter's own.
 */
export interface TraceModel<Fragment, Trace> {
  readonly name: TraceModelName;
  /** What its fragments are called in messages. */
  readonly fragments: 'spans' | 'segments';
  /** Whether a span can have an empty service, rather than none. */
  readonly hasEmptyService: boolean;
  /** The id under which a trace is stored, for any text that names it; undefined for text that can be no id. */
  canonicalId(text: string): string | undefined;
  traceId(fragment: Fragment): string;
  /** Tells the fragments of one trace apart: one that has the same replaces the other. Well-formed text. */
  identity(fragment: Fragment): string;
  spans(fragment: Fragment): readonly IndexedSpan[];
  trace(traceId: string, fragments: readonly Fragment[], summary?: TraceSummary<Fragment>): Trace;

  /** A fragment for each of its spans, with that alone: what the following are about. */
  parts(fragment: Fragment): readonly Fragment[];
  /** Whether the span of a part has a parent in its trace; `fragment` gives those of the trace by their identity. */
  hasParent(part: Fragment, fragment: (identity: string) => Fragment | undefined): boolean;
  /** Of parts that all have a parent, or none: negative when `a` is the root rather than `b`. */
  compareRoots(a: Fragment, b: Fragment): number;
}
