import {
  ENTITY_KEYS,
  type Entity,
  entityOf,
  type MetricDefinition,
  type Scope,
  type ValueLabels,
} from '../../../../core/api/plugin.js';
import {didYouMean, listOf, quote} from '../../../../core/toolkit/messages.js';
import {type Fields, isFields, refuse, refuseValue} from '../refusal.js';
import {nameField} from './fields.js';

/** The entity of a record whose keys were checked. */
export function readEntity(fields: Fields, scope: Scope): Entity {
  return entityOf(
    scope,
    ENTITY_KEYS[scope].map(key => nameField(fields, key)),
  );
}

/** The declaration of the record's metric. */
export function readMetric(fields: Fields, declared: ReadonlyMap<string, MetricDefinition>): MetricDefinition {
  const name = nameField(fields, 'metric');
  const metric = declared.get(name);
  if (metric === undefined) {
    const near = didYouMean(name, declared.keys());
    return refuse('metric', `found ${quote(name)}, which is not declared; declare it before its samples${near}`);
  }
  return metric;
}

/** One value for each label that the metric declares, in that order. */
export function readLabels(fields: Fields, metric: MetricDefinition): ValueLabels {
  const labels = Object.hasOwn(fields, 'labels') ? fields.labels : {};
  if (!isFields(labels)) return refuseValue('labels', labels, 'an object of label values');
  const {name, valueLabels} = metric;
  const has = `"${name}" has ${valueLabels.length === 0 ? 'no labels' : `the labels ${listOf(valueLabels)}`}`;
  for (const label of Object.keys(labels)) {
    if (valueLabels.includes(label)) continue;
    refuse('labels', `found ${quote(label)}, but ${has}${didYouMean(label, valueLabels)}`);
  }
  const pairs = valueLabels.map(label => {
    if (!Object.hasOwn(labels, label)) refuse('labels', `"${label}" is missing; ${has}`);
    return [label, nameField(labels, label, `labels.${label}`)];
  });
  return Object.fromEntries(pairs);
}
