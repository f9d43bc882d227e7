import type {Scope} from '../../../core/api/adapter.js';
import type {RowSchema} from '../client/row-schema.js';
import {formOf, type IdForm} from '../schema/entity-ids.js';
import {scopeByName} from './metric-names.js';

/** What the tags of a metric say of its scope: it, or what it is unless its rows say something else. */
export type ScopeHint = {readonly scope: Scope} | {readonly otherwise: Scope | undefined};

export function scopeByTags(metric: string, {families, shardingKey}: RowSchema): ScopeHint {
  if (shardingKey.includes('service_id')) return {scope: 'Endpoint'};
  const hasService = families.has('service_id');
  const hasAttributes = families.has('attr0');
  if (hasService && !hasAttributes) return {scope: 'ServiceInstance'};
  const named = scopeByName(metric);
  // Histograms of meters have neither the service nor a sharding key, whatever they are of.
  if (hasAttributes && !hasService) return named === 'Service' ? {scope: named} : {otherwise: named ?? 'Service'};
  return {otherwise: named};
}

const BY_FORM: Readonly<Record<Exclude<IdForm, 'child'>, Scope>> = {
  service: 'Service',
  'service relation': 'ServiceRelation',
  'instance relation': 'ServiceInstanceRelation',
  'endpoint relation': 'EndpointRelation',
};

/** What an id is of; `child` where that is an instance or an endpoint, undefined for processes and the like. */
export function scopeById(id: string): Scope | 'child' | undefined {
  const form = formOf(id);
  return form === undefined || form === 'child' ? form : BY_FORM[form];
}
