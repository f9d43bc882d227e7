import type {BucketWindow} from '../../../core/api/plugin.js';
import type {LabelSet} from '../model/label-set.js';

/**
 * One series during evaluation. The arrays belong to the evaluation, which computes in place; they may be longer than
 * the vector's count, and what lies behind it has no meaning.
 */
export interface VectorSeries {
  readonly labels: LabelSet;
  readonly values: Float64Array;
  /** 1 where the slot has a sample. A series may have none left: it still takes part in pairing, and is not shown. */
  readonly present: Uint8Array;
  /** The time of the one sample of an instant vector, in seconds; 0 in a range. */
  readonly time: number;
}

/** What a vector was read from, for arithmetic between vectors, which wants both sides to be of the same selector. */
export interface SelectorIdentity {
  readonly metric: string;
  /** The labels of the selector, value lists in a normal order. */
  readonly labels: ReadonlyMap<string, string>;
}

export interface Vector {
  /** The buckets of a range; undefined for an instant vector, whose series have one slot. */
  readonly window: BucketWindow | undefined;
  readonly series: readonly VectorSeries[];
  /** Undefined once the metric name is gone. */
  readonly identity: SelectorIdentity | undefined;
}

export type QueryValue = number | Vector;

export function slots(vector: Vector): number {
  return vector.window?.count ?? 1;
}
