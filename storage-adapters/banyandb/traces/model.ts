import type {MatchedSpan, SpanFilter} from '../../../core/api/adapter.js';
import type {RowCondition} from '../client/criteria.js';

/** What the server can select of a filter: every row with a matching span, and others. */
export interface Pushdown {
  readonly conditions: readonly RowCondition[];
  /** The tags of the conditions. */
  readonly tags: readonly string[];
}

/** A span as it is searched. */
export interface SearchedSpan {
  /** Microseconds; undefined when it has none, and then it lies in no window. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly view: MatchedSpan;
  readonly tagKeys: Iterable<string>;
}

/** What differs between compat and native traces. */
export interface BanyanDBTraceModel<Trace> {
  /** The name of the trace in the server's registry. */
  readonly schema: string;
  /** The order by the time of the rows. The server has others, which do not keep to the time asked for. */
  readonly order: string;
  /** How long before its last span a row may begin, in milliseconds: 0 where a row is a span. */
  readonly longestRow: number;
  /** The id as readers show it, from the stored one. */
  canonicalId(stored: string): string;
  /** The ids under which the trace that this text names may be stored. */
  storedIds(text: string): readonly string[];
  /** From the payloads of all rows of a trace. */
  decode(id: string, payloads: readonly Uint8Array[]): Trace;
  idOf(trace: Trace): string;
  spansOf(trace: Trace): readonly SearchedSpan[];
  pushdown(filter: SpanFilter): Pushdown;
  /** Only rows that last at least so many milliseconds. */
  lasting(milliseconds: number): Pushdown;
}

/** By any id. */
export const TRACE_ID = 'trace_id';
