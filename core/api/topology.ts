import type {Call} from './call.js';
import type {BucketWindow, Entity} from './metrics.js';

/**
 * Who calls whom, read from the metrics of relations: what a picture of the services is drawn from.
 *
 * A relation is an entity of two ends, and is in the answer while it has values: a window in which nobody called anybody has
 * none. That it was seen, which a writer may note without a value, makes its ends known to `MetadataReader` and does not
 * make it a line of the picture. Sampled records are no values here.
 */
export type RelationScope = 'ServiceRelation' | 'ServiceInstanceRelation' | 'EndpointRelation';

/** Every scope of relations, from the coarsest to the finest. */
export const RELATION_SCOPES: readonly RelationScope[] = [
  'ServiceRelation',
  'ServiceInstanceRelation',
  'EndpointRelation',
];

export interface RelationsRequest {
  readonly scope: RelationScope;
  /**
   * By the same buckets as `MetricReader.values`: a relation passes when that has a series of some metric for it. So a window
   * of days still has the relations of which only days are kept.
   */
  readonly window: BucketWindow;
  /** Only relations of which at least one end is this service, or an instance or endpoint of it. */
  readonly of?: {readonly layer: string; readonly service: string};
  /** At least 1. */
  readonly limit: number;
}

/** `topology.query.v1`. May be called concurrently, and rejects with `signal.reason` when cancelled. */
export interface TopologyReader {
  /**
   * Exact. Each relation once, however many metrics and label sets have a value of it, with every key of its scope.
   * Ordered by the names of its keys in the order of `ENTITY_KEYS`, ascending in code points, and cut to `limit`. Whoever
   * wants to know whether there are more asks for one more.
   */
  relations(request: RelationsRequest, call: Call): Promise<readonly Entity[]>;
}
