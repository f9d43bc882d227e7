import type {LockName} from '../schema/locks.js';
import {OTLP_SPAN_LISTS, OTLP_SPANS, type PartitionedTable, SPAN_LISTS, SPANS} from '../schema/partitions.js';

/** The tables of one kind of traces. They have the same columns but for what a span is written down in. */
export interface TraceTables {
  readonly traces: string;
  readonly spans: PartitionedTable;
  readonly periods: string;
  readonly lists: PartitionedTable;
  /** What its writers, and the jobs over it, hold. */
  readonly lock: LockName;
  /** When a span `s` ended, in microseconds. */
  readonly finish: string;
  /** Whether its spans have attributes of a resource beside their own. */
  readonly hasResources: boolean;
}

export const COMPAT_TABLES: TraceTables = {
  traces: 'traces',
  spans: SPANS,
  periods: 'span_periods',
  lists: SPAN_LISTS,
  lock: 'traces',
  finish: 's.start + coalesce(s.duration, 0)',
  hasResources: false,
};

export const OTLP_TABLES: TraceTables = {
  traces: 'otlp_traces',
  spans: OTLP_SPANS,
  periods: 'otlp_span_periods',
  lists: OTLP_SPAN_LISTS,
  lock: 'otlp',
  finish: 's.finish',
  hasResources: true,
};

export const ALL_TRACE_TABLES: readonly TraceTables[] = [COMPAT_TABLES, OTLP_TABLES];
