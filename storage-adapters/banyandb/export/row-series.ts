import type {Entity, Logger, Scope, Series, ValueLabels} from '../../../core/api/adapter.js';
import type {Services} from '../metadata/services.js';
import {labelsOf} from '../metrics/data-table.js';
import {entityOf, relationsOf} from '../metrics/entities.js';
import {scopeById} from '../metrics/metric-scope.js';
import type {MeasuredSource} from '../metrics/metric-source.js';
import {endsOf} from '../schema/entity-ids.js';

/**
 * The series of the ids and label keys of a metric's rows, each made once. A service of several layers has one id, so that
 * a value of it is of a series in each, as it is read.
 */
export class RowSeries {
  readonly #source: MeasuredSource;
  readonly #services: Services;
  readonly #log: Logger;
  readonly #entities = new Map<string, readonly Entity[]>();
  readonly #labels = new Map<string, ValueLabels | undefined>();

  constructor(source: MeasuredSource, services: Services, log: Logger) {
    this.#source = source;
    this.#services = services;
    this.#log = log;
  }

  /** None for ids of services that the lists do not have any more, and for labels that the metric does not have. */
  of(id: string, key: string): readonly Series[] {
    const labels = this.#labelsOf(key);
    if (labels === undefined) return [];
    const metric = this.#source.definition.name;
    return this.#entitiesOf(id).map(entity => ({metric, entity, labels}));
  }

  #entitiesOf(id: string): readonly Entity[] {
    const known = this.#entities.get(id);
    if (known !== undefined) return known;
    const {scope} = this.#source.definition;
    const entities = isIdOf(scope, id) ? entitiesOf(scope, id, this.#services) : [];
    this.#entities.set(id, entities);
    return entities;
  }

  /** One for each label that is declared. */
  #labelsOf(key: string): ValueLabels | undefined {
    if (this.#labels.has(key)) return this.#labels.get(key);
    const {kind, name, valueLabels} = this.#source.definition;
    const found = kind === 'labeled' ? labelsOf(key) : {};
    const others = Object.keys(found).filter(label => !valueLabels.includes(label));
    const labels = Object.fromEntries(valueLabels.map(label => [label, found[label] ?? '']));
    this.#labels.set(key, others.length === 0 ? labels : undefined);
    if (others.length > 0) this.#log.warn('values with labels that the metric does not have are left out', {name, key});
    return this.#labels.get(key);
  }
}

function entitiesOf(scope: Scope, id: string, services: Services): readonly Entity[] {
  if (scope.endsWith('Relation')) return relationsOf(scope, id, services);
  const [{serviceId} = {serviceId: ''}] = endsOf(scope, id);
  return services.layersOf(serviceId).map(layer => entityOf(scope, id, layer, services));
}

function isIdOf(scope: Scope, id: string): boolean {
  const found = scopeById(id);
  return found === 'child' ? scope === 'ServiceInstance' || scope === 'Endpoint' : found === scope;
}
