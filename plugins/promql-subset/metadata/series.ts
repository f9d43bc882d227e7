import type {HttpRequest, MetadataReader, MetricDefinition, SeenWindow} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {MetricCatalog} from '../model/catalog.js';
import {type Label, LabelSet} from '../model/label-set.js';
import {labelsOf} from '../model/metric-labels.js';
import {entityNames} from './entity-names.js';
import {cut, limitOfRequest} from './name-lists.js';
import {selectedMetrics} from './selected-metrics.js';
import type {SeriesSelector} from './series-selector.js';
import {type TrafficRequest, trafficRequests} from './traffic-request.js';

/** How many maps are made between two pauses. */
const MAPS_A_STEP = 256;

export interface SeriesRequest {
  readonly selectors: readonly SeriesSelector[];
  readonly seen: SeenWindow;
  readonly limit: number | undefined;
  /** What an answer may hold, whatever the limit. */
  readonly most: number;
}

/** The label maps of all series that any selector selects, each once, as JSON. More than `most` when there are more. */
export async function seriesMaps(
  {selectors, seen, limit, most}: SeriesRequest,
  catalog: MetricCatalog,
  reader: MetadataReader,
  call: HttpRequest,
): Promise<readonly string[]> {
  const maps = new Set<string>();
  for (const selector of selectors) {
    for (const metric of await selectedMetrics(selector, catalog, reader, call)) maps.add(mapOfMetric(metric));
    for (const request of trafficRequests(selector)) {
      if (maps.size > most) break;
      const wanted = limitOfRequest(request.limit, limit, most);
      for (const [i, name] of (await entityNames(request, seen, wanted, reader, call)).entries()) {
        maps.add(mapOfEntity(request, name));
        if (i % MAPS_A_STEP === MAPS_A_STEP - 1) await pause(call);
      }
    }
  }
  return cut([...maps], limit ?? Number.POSITIVE_INFINITY);
}

/** An ordinary metric is one map, which shows its labels by empty values: its entities are not asked for. */
function mapOfMetric(metric: MetricDefinition): string {
  const labels = labelsOf(metric).map((label): Label => [label, '']);
  return LabelSet.sorted(metric.name, [['scope', metric.scope], ...labels]).json;
}

function mapOfEntity({metric, layer, service}: TrafficRequest, name: string): string {
  const labels: Label[] = [
    [metric.nameLabel, name],
    ['scope', metric.scope],
    ['layer', layer],
  ];
  if (metric.nameLabel !== 'service') labels.push(['service', service]);
  return LabelSet.sorted(metric.name, labels).json;
}
