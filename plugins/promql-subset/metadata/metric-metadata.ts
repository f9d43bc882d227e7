import type {MetricCatalog} from '../model/catalog.js';
import {fullMatch} from './full-match.js';
import {cut} from './name-lists.js';

/** Type, help and unit of the metrics whose whole name the pattern matches. */
export function metricMetadata(
  catalog: MetricCatalog,
  pattern: string | undefined,
  limit: number,
): Readonly<Record<string, unknown>> {
  const passes = pattern === undefined ? () => true : fullMatch(pattern, 'the parameter "metric"');
  const selected = catalog.metrics.filter(({name}) => passes(name));
  const entries = cut(selected, limit).map(({name, type, help, unit}) => [name, [{type, help, unit}]] as const);
  return Object.fromEntries(entries);
}
