import type {Call, MetadataReader} from '../../../core/api/plugin.js';
import {complete} from '../../../core/toolkit/yielder.js';
import type {MetricCatalog} from '../model/catalog.js';
import {labelsOf, RESERVED_LABELS} from '../model/metric-labels.js';
import {TRAFFIC_METRICS} from '../model/traffic-metrics.js';
import {sortedNames} from './name-lists.js';
import {selectedMetrics} from './selected-metrics.js';
import {passesAll, type SeriesSelector} from './series-selector.js';
import {trafficRequests} from './traffic-request.js';

/** Label names: of all metrics, or of those that any of the selectors selects, in the order in which they are met. */
export async function labelNames(
  selectors: readonly SeriesSelector[],
  catalog: MetricCatalog,
  reader: MetadataReader,
  call: Call,
): Promise<readonly string[]> {
  if (selectors.length === 0) {
    const valueLabels = catalog.metrics.flatMap(metric => metric.valueLabels);
    return [...new Set([...RESERVED_LABELS, ...complete(sortedNames([valueLabels], Number.POSITIVE_INFINITY))])];
  }
  const names = new Set<string>();
  for (const selector of selectors) {
    const metrics = await selectedMetrics(selector, catalog, reader, call);
    for (const label of metrics.flatMap(labelsOf)) names.add(label);
    for (const label of ofTraffic(selector)) names.add(label);
  }
  return [...names];
}

/** A traffic metric that is named shows its labels without having its required ones: that is how one learns of them. */
function ofTraffic(selector: SeriesSelector): readonly string[] {
  if (selector.metric === undefined) return trafficRequests(selector).flatMap(({metric}) => metric.labels);
  return TRAFFIC_METRICS.filter(({name}) => passesAll(selector.nameTests, name)).flatMap(({labels}) => labels);
}
