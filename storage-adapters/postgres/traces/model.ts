import type {IndexedSpan, TraceModel} from '../../../core/toolkit/traces/model.js';
import type {TraceTables} from './tables.js';

/** A trace model, each fragment of which is a span, with the form in which its spans are stored. */
export interface PostgresTraceModel<Span, Trace, Time = number> extends TraceModel<Span, Trace, Time> {
  readonly tables: TraceTables;
  /** All columns of its spans, with their types. */
  readonly columns: string;
  /** Those columns whose values other models have not, or write down in another way. */
  ownColumns(span: Span, indexed: IndexedSpan): object;
  /** What makes a span the same one within its trace, as a UUID. */
  key(span: Span): string;
  /** The text of a tag's value, which conditions compare. */
  tagText(value: string): string;
  /** What makes that of a stored value, in SQL. */
  storedText(value: string): string;
  /** The columns that `decode` takes. */
  readonly body: string;
  decode(traceId: string, body: readonly unknown[]): Span;
  /** Whether a span `s` has a parent in its trace, in SQL; `own` selects the spans of the trace. */
  hasStoredParent(own: string): string;
}
