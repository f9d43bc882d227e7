import {
  ENTITY_KEYS,
  type Entity,
  GatewayError,
  type HttpRequest,
  type MetricDefinition,
  type SeenWindow,
} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {cooperate} from '../../../core/toolkit/yielder.js';
import type {MetricCatalog} from '../model/catalog.js';
import {BUILT_IN_LAYERS} from '../model/layers.js';
import {ENTITY_LABELS, SCOPES} from '../model/metric-labels.js';
import type {StorageReaders} from '../model/storage-readers.js';
import {entityNames} from './entity-names.js';
import {DEFAULT_LIMIT, limitOfRequest, sortedNames} from './name-lists.js';
import {selectedMetrics} from './selected-metrics.js';
import {type LabelTest, passesAll, type SeriesSelector} from './series-selector.js';
import {type TrafficRequest, trafficRequests} from './traffic-request.js';

export interface LabelValuesRequest {
  readonly label: string;
  readonly selectors: readonly SeriesSelector[];
  /** The day of which entities and value labels are listed. */
  readonly seen: SeenWindow;
  readonly limit: number | undefined;
  /** What an answer may hold, whatever the limit. */
  readonly most: number;
}

/** The values of one label, distinct, in code point order. More than `most` when there are more. */
export async function labelValues(
  request: LabelValuesRequest,
  catalog: MetricCatalog,
  storage: StorageReaders,
  call: HttpRequest,
): Promise<readonly string[]> {
  const {label, selectors, limit} = request;
  const traffic = selectors.map(trafficRequests);
  const found: (readonly string[])[] = [];
  for (const one of traffic.flat()) found.push(await trafficValues(one, request, storage, call));
  const onlyTraffic = selectors.length > 0 && traffic.every(requests => requests.length > 0);
  if (label === '__name__') found.push(await metricNames(selectors, catalog, storage, call));
  else if (label === 'scope') found.push(SCOPES.filter(scope => passesAny(selectors, label, scope)));
  else if (label === 'layer' && !onlyTraffic) {
    const layers = [...BUILT_IN_LAYERS.slice(1), ...(await storage.metadata.layers(call))];
    found.push(layers.filter(layer => passesAny(selectors, label, layer)));
  } else {
    for (const selector of selectors) found.push(await valueLabelValues(selector, request, catalog, storage, call));
  }
  const ownLimit = traffic.flat().some(one => one.limit !== undefined);
  const most = limit ?? (ownLimit ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT);
  return cooperate(sortedNames(found, most), call);
}

async function metricNames(
  selectors: readonly SeriesSelector[],
  catalog: MetricCatalog,
  {metadata}: StorageReaders,
  call: HttpRequest,
): Promise<readonly string[]> {
  if (selectors.length === 0) return catalog.metrics.map(({name}) => name);
  const selected = await Promise.all(selectors.map(selector => selectedMetrics(selector, catalog, metadata, call)));
  return selected.flat().map(({name}) => name);
}

/** Whether the selectors' own conditions on the label let the value pass; no selector lets everything pass. */
function passesAny(selectors: readonly SeriesSelector[], label: string, value: string): boolean {
  return selectors.length === 0 || selectors.some(({tests}) => passesAll(testsOf(tests, label), value));
}

function testsOf(tests: readonly LabelTest[], label: string): readonly LabelTest[] {
  return tests.filter(test => test.label === label);
}

/** The listed names, or what all the listed series have in common when there is any. */
async function trafficValues(
  one: TrafficRequest,
  {label, seen, limit, most}: LabelValuesRequest,
  {metadata}: StorageReaders,
  call: HttpRequest,
): Promise<readonly string[]> {
  const {metric, layer, service} = one;
  if (label === metric.nameLabel) {
    return entityNames(one, seen, limitOfRequest(one.limit, limit, most), metadata, call);
  }
  const common = label === 'layer' ? layer : label === 'service' ? service : undefined;
  if (common === undefined) return [];
  const some = await entityNames(one, seen, 1, metadata, call);
  return some.length > 0 ? [common] : [];
}

async function valueLabelValues(
  selector: SeriesSelector,
  {label, seen}: LabelValuesRequest,
  catalog: MetricCatalog,
  {metrics, metadata}: StorageReaders,
  call: HttpRequest,
): Promise<readonly string[]> {
  const values: string[] = [];
  for (const metric of await selectedMetrics(selector, catalog, metadata, call)) {
    if (!metric.valueLabels.includes(label)) continue;
    const entity = partialEntity(metric, selector.tests);
    if (entity === undefined) continue;
    const sets = await metrics.valueLabels({metric, entity, ...seen}, call);
    for (const set of sets) {
      const passes = metric.valueLabels.every(name => passesAll(testsOf(selector.tests, name), set[name] ?? ''));
      if (passes && set[label] !== undefined) values.push(set[label]);
    }
  }
  return values;
}

/**
 * The entity labels of the selector, as far as given; undefined when they contradict each other. The storage compares
 * them exactly, so only = will do.
 */
function partialEntity({name, scope}: MetricDefinition, tests: readonly LabelTest[]): Partial<Entity> | undefined {
  const entity: Partial<Record<keyof Entity, string>> = {};
  for (const key of ENTITY_KEYS[scope]) {
    for (const {operator, value, position} of testsOf(tests, ENTITY_LABELS[key])) {
      if (operator !== '=') {
        const message = `${quote(ENTITY_LABELS[key])} of ${quote(name)} takes = only, and ${quote(operator)} was given`;
        throw new GatewayError('bad_request', message, {position});
      }
      if (entity[key] !== undefined && entity[key] !== value) return undefined;
      entity[key] = value;
    }
  }
  return entity;
}
