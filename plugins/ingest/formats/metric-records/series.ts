import type {Entity, MetricDefinition, Scope, ValueLabels} from '../../../../core/api/plugin.js';
import {ENTITY_KEYS} from '../../../../core/api/plugin.js';
import {type Fields, refuse, show, suggestion} from '../refusal.js';
import {nameField} from './fields.js';

/** The entity of a record whose keys were checked. */
export function readEntity(fields: Fields, scope: Scope): Entity {
  const entity: Partial<Record<keyof Entity, string>> = {};
  for (const key of ENTITY_KEYS[scope]) entity[key] = nameField(fields, key);
  return entity as Entity;
}

/** The declaration of the record's metric. */
export function readMetric(fields: Fields, declared: ReadonlyMap<string, MetricDefinition>): MetricDefinition {
  const name = nameField(fields, 'metric');
  const metric = declared.get(name);
  if (metric === undefined) {
    const near = suggestion(name, declared.keys());
    return refuse('metric', `${show(name)} is not declared; a record of the type metric must come first${near}`);
  }
  return metric;
}

/** One value for each label that the metric declares, in that order. */
export function readLabels(fields: Fields, metric: MetricDefinition): ValueLabels {
  const labels = Object.hasOwn(fields, 'labels') ? fields.labels : {};
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    return refuse('labels', `${show(labels)} is not an object of label values`);
  }
  const expected = metric.valueLabels.length === 0 ? 'no labels' : `the labels ${metric.valueLabels.join(', ')}`;
  for (const label of Object.keys(labels)) {
    if (!metric.valueLabels.includes(label)) {
      const near = suggestion(label, metric.valueLabels);
      refuse('labels', `${show(label)} is not a label of ${metric.name}, which has ${expected}${near}`);
    }
  }
  const pairs = metric.valueLabels.map(label => {
    if (!Object.hasOwn(labels, label)) refuse('labels', `${show(label)} is missing; ${metric.name} has ${expected}`);
    return [label, nameField(labels as Fields, label, `labels.${label}`)];
  });
  return Object.fromEntries(pairs);
}
