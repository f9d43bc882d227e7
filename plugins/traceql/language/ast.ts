import type {SpanKind, SpanStatus} from '../../../core/api/plugin.js';

/**
 * One condition of a query: a condition on a span, with names as the text has them. `{…}` of a query is a conjunction
 * of them, so its tree is a list.
 */
export type QueryCondition =
  | {readonly on: 'service' | 'name' | 'name-or-tag'; readonly value: string}
  | {readonly on: 'tag' | 'resource'; readonly key: string; readonly value: string}
  | {readonly on: 'kind'; readonly value: SpanKind}
  | {readonly on: 'status'; readonly value: SpanStatus}
  | DurationComparison;

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

export interface DurationComparison {
  readonly on: 'duration';
  readonly is: Comparison;
  /** Microseconds, need not be whole. */
  readonly value: number;
}

/** What a condition is about, and what values are listed of. */
export type QueryAttribute =
  | {readonly on: 'service' | 'name' | 'name-or-tag' | 'kind' | 'status' | 'duration'}
  | {readonly on: 'tag' | 'resource'; readonly key: string};
