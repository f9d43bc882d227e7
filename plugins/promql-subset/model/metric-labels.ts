import {ENTITY_KEYS, type Entity, type MetricDefinition, type Scope} from '../../../core/api/plugin.js';
import {listOf, quote} from '../../../core/toolkit/messages.js';

/** The words of the protocol: which label names what, and which labels a metric has. */

export const ENTITY_LABELS: Readonly<Record<keyof Entity, string>> = {
  layer: 'layer',
  service: 'service',
  serviceInstance: 'service_instance',
  endpoint: 'endpoint',
  destLayer: 'dest_layer',
  destService: 'dest_service',
  destServiceInstance: 'dest_service_instance',
  destEndpoint: 'dest_endpoint',
};

/** Label names with a meaning of their own, in the order in which they are listed. All others are value labels. */
export const RESERVED_LABELS = [
  '__name__',
  'layer',
  'scope',
  'service',
  'service_instance',
  'endpoint',
  'parent_service',
  'top_n',
  'order',
  'record',
  'limit',
  'keyword',
  'dest_service',
  'dest_layer',
  'dest_service_instance',
  'dest_endpoint',
] as const;

const RESERVED: ReadonlySet<string> = new Set(RESERVED_LABELS);

export function isValueLabel(label: string): boolean {
  return !RESERVED.has(label);
}

export const SCOPES = Object.keys(ENTITY_KEYS) as readonly Scope[];

/** Labels that select one entity of the scope. */
export function entityLabels(scope: Scope): readonly string[] {
  return ENTITY_KEYS[scope].map(key => ENTITY_LABELS[key]);
}

const LISTED: Readonly<Record<Scope, readonly string[]>> = {
  Service: ['layer', 'service', 'top_n', 'order'],
  ServiceInstance: ['layer', 'service', 'top_n', 'order', 'service_instance', 'parent_service'],
  Endpoint: ['layer', 'service', 'top_n', 'order', 'endpoint', 'parent_service'],
  ServiceRelation: ['layer', 'service', 'dest_service', 'dest_layer'],
  ServiceInstanceRelation: [
    'layer',
    'service',
    'dest_service',
    'dest_layer',
    'service_instance',
    'dest_service_instance',
  ],
  EndpointRelation: ['layer', 'service', 'dest_service', 'dest_layer', 'endpoint', 'dest_endpoint'],
};

/** The labels that a selector of the metric may carry, as label lists show them. */
export function labelsOf(metric: MetricDefinition): readonly string[] {
  if (metric.kind === 'sampled-record') return RECORD_LABELS;
  return metric.kind === 'labeled' ? [...LISTED[metric.scope], ...metric.valueLabels] : LISTED[metric.scope];
}

export const RECORD_LABELS: readonly string[] = ['layer', 'parent_service', 'top_n', 'order'];

export function isRelation(scope: Scope): boolean {
  return ENTITY_KEYS[scope].includes('destService');
}

/** The labels of a series of the scope, sorted by name, each with the key of the entity that gives its value. */
export const SERIES_LABELS: Readonly<
  Record<Scope, readonly (readonly [label: string, key: keyof Entity | 'scope'])[]>
> = Object.fromEntries(
  SCOPES.map(scope => {
    const labels = ENTITY_KEYS[scope].map(key => [ENTITY_LABELS[key], key] as const);
    return [scope, [...labels, ['scope', 'scope'] as const].sort(([a], [b]) => (a < b ? -1 : 1))];
  }),
) as Record<Scope, (readonly [string, keyof Entity | 'scope'])[]>;

/** The message of a selector that lacks labels. */
export function needsLabels(metric: string, missing: readonly string[]): string {
  return `${quote(metric)} needs the label${missing.length > 1 ? 's' : ''} ${listOf(missing)}`;
}
