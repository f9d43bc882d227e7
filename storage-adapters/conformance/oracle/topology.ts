import {
  type Call,
  compareNameLists,
  type Entity,
  namesOf,
  type RelationsRequest,
  type TopologyReader,
} from '../../../core/api/adapter.js';
import type {OracleMetrics} from './metrics.js';

/** Relations, found by looking at every value. */
export class OracleTopology implements TopologyReader {
  readonly #metrics: OracleMetrics;

  constructor(metrics: OracleMetrics) {
    this.#metrics = metrics;
  }

  async relations({scope, window, of, limit}: RelationsRequest, {signal}: Call): Promise<readonly Entity[]> {
    signal.throwIfAborted();
    const found = this.#metrics
      .entitiesWithValues(scope, window)
      .filter(entity => of === undefined || isEnd(entity, of));
    return found.sort((a, b) => compareNameLists(namesOf(scope, a), namesOf(scope, b))).slice(0, limit);
  }
}

function isEnd(entity: Entity, {layer, service}: NonNullable<RelationsRequest['of']>): boolean {
  return (
    (entity.layer === layer && entity.service === service) ||
    (entity.destLayer === layer && entity.destService === service)
  );
}
