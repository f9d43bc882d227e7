import type {Catalog} from '../catalog.js';
import {labelsOf, RESERVED_LABELS} from '../vocabulary.js';
import {sortedNames} from './names.js';
import {passesAll, type SeriesSelector, selectsMetric} from './selector.js';
import {TRAFFIC_METRICS, trafficRequests} from './traffic.js';

/** Label names: of all metrics, or of those that any of the selectors selects, in the order in which they are met. */
export function labelNames(selectors: readonly SeriesSelector[], catalog: Catalog): readonly string[] {
  if (selectors.length === 0) {
    const valueLabels = catalog.metrics.flatMap(metric => metric.valueLabels);
    return [...new Set([...RESERVED_LABELS, ...sortedNames(valueLabels, Number.POSITIVE_INFINITY)])];
  }
  return [...new Set(selectors.flatMap(selector => [...ofMetrics(selector, catalog), ...ofTraffic(selector)]))];
}

function ofMetrics(selector: SeriesSelector, catalog: Catalog): readonly string[] {
  return catalog.metrics.filter(metric => selectsMetric(selector, metric)).flatMap(labelsOf);
}

/** A traffic metric that is named shows its labels without having its required ones: that is how one learns of them. */
function ofTraffic(selector: SeriesSelector): readonly string[] {
  if (selector.metric === undefined) return trafficRequests(selector).flatMap(({metric}) => metric.labels);
  return TRAFFIC_METRICS.filter(({name}) => passesAll(selector.nameTests, name)).flatMap(({labels}) => labels);
}
