import type {MetricDefinition} from '../../../core/api/plugin.js';

export interface MetricCatalog {
  readonly metrics: readonly MetricDefinition[];
  readonly byName: ReadonlyMap<string, MetricDefinition>;
  /** Of all metrics. */
  readonly valueLabels: ReadonlySet<string>;
}

const catalogs = new WeakMap<readonly MetricDefinition[], MetricCatalog>();

/** The catalog by name. A reader hands out the same array while nothing has changed, and so the same object comes back. */
export function catalogOf(metrics: readonly MetricDefinition[]): MetricCatalog {
  let catalog = catalogs.get(metrics);
  if (catalog === undefined) {
    catalog = {
      metrics,
      byName: new Map(metrics.map(metric => [metric.name, metric])),
      valueLabels: new Set(metrics.flatMap(({valueLabels}) => valueLabels)),
    };
    catalogs.set(metrics, catalog);
  }
  return catalog;
}
