import type {MetricDefinition, MetricHistory} from '../../../core/api/adapter.js';

/** How an OAP makes hours is not stored, so a metric has had the rollup that it is read with. */
export function historyOf(definition: MetricDefinition): MetricHistory {
  return {definition, rollups: [{from: 0, rollup: definition.rollup}]};
}
