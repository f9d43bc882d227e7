import {ENTITY_KEYS, type Entity, type ValueLabels, type ValueLabelsRequest} from '../../../core/api/adapter.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {equals, isOneOf, type RowCondition} from '../client/criteria.js';
import type {BanyanDBMeasures} from '../client/measures.js';
import type {Services} from '../metadata/services.js';
import {entityId, serviceId, serviceIds} from '../schema/entity-ids.js';
import type {TimeZone} from '../schema/time-zone.js';
import {cover, slotOf} from './bucket-times.js';
import {labelsOf, parseDataTable} from './data-table.js';
import {hasKeys} from './entities.js';
import type {MetricSource} from './metric-source.js';
import {RowBudget, scanRows} from './row-scan.js';

export interface ValueLabelsOptions {
  readonly measures: BanyanDBMeasures;
  readonly zone: TimeZone;
  readonly services: Services;
  readonly maxRows: number;
}

/**
 * The distinct label sets in a time. There is no index of them: all rows are read, but those of hours and days where
 * they fit, which have the labels of all their minutes.
 */
export async function readValueLabels(
  {measures, zone, services, maxRows}: ValueLabelsOptions,
  {definition, field, schemas}: Extract<MetricSource, {of: 'measure'}>,
  {entity = {}, from, to}: ValueLabelsRequest,
  signal: AbortSignal,
): Promise<readonly ValueLabels[]> {
  const {scope} = definition;
  const now = Date.now() / MS_PER_SECOND;
  const has = {now, hasHours: schemas.hour !== undefined, hasDays: schemas.day !== undefined};
  const found = new Map<string, ValueLabels>();
  const ids = new Map<string, boolean>();
  const isWanted = (id: string): boolean => {
    const known = ids.get(id) ?? hasKeys(scope, id, entity, services);
    ids.set(id, known);
    return known;
  };
  const budget = new RowBudget(maxRows);
  for (const window of to < from ? [] : cover(from, to, zone, has)) {
    const schema = schemas[window.step];
    if (schema === undefined) continue;
    const conditions = conditionsOf(definition, entity, schema.families.has('service_id'));
    const tags = ['entity_id', ...(schema.families.has('service_id') ? ['service_id'] : [])];
    for await (const rows of scanRows(measures, {schema, conditions, tags, field}, window, zone, budget, signal)) {
      for (const {time, tags: rowTags, value} of rows) {
        if (typeof value !== 'string' || slotOf(time, window, zone) === undefined) continue;
        if (!isWanted(rowTags.get('entity_id') ?? '')) continue;
        for (const {key} of parseDataTable(value)) if (!found.has(key)) found.set(key, labelsOf(key));
      }
    }
  }
  return [...found.values()];
}

/** What the server can select of the keys that are given. */
function conditionsOf(
  {scope}: Extract<MetricSource, {of: 'measure'}>['definition'],
  entity: Partial<Entity>,
  hasServiceId: boolean,
): readonly RowCondition[] {
  if (ENTITY_KEYS[scope].every(key => entity[key] !== undefined)) {
    return [equals('entity_id', entityId(scope, entity as Entity))];
  }
  const {layer, service} = entity;
  if (service === undefined || service.trim() === '') return [];
  if (scope === 'Service') return [isOneOf('entity_id', serviceIds(service))];
  if (!hasServiceId) return [];
  return [
    layer === undefined ? isOneOf('service_id', serviceIds(service)) : equals('service_id', serviceId(layer, service)),
  ];
}
