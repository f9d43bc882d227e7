import type {Scope} from '../../../core/api/plugin.js';

/** A metric that has no values and lists the entities that exist. */
export interface TrafficMetric {
  readonly name: 'service_traffic' | 'instance_traffic' | 'endpoint_traffic';
  readonly scope: Scope;
  /** The label whose values are the listed names, and which takes every match operator. */
  readonly nameLabel: string;
  readonly required: readonly string[];
  /** The labels that its selectors may carry, as label lists show them. */
  readonly labels: readonly string[];
}

export const TRAFFIC_METRICS: readonly TrafficMetric[] = [
  {
    name: 'service_traffic',
    scope: 'Service',
    nameLabel: 'service',
    required: ['layer'],
    labels: ['layer', 'limit', 'service'],
  },
  {
    name: 'instance_traffic',
    scope: 'ServiceInstance',
    nameLabel: 'service_instance',
    required: ['layer', 'service'],
    labels: ['layer', 'limit', 'service', 'service_instance'],
  },
  {
    name: 'endpoint_traffic',
    scope: 'Endpoint',
    nameLabel: 'endpoint',
    required: ['layer', 'service'],
    labels: ['layer', 'limit', 'service', 'keyword', 'endpoint'],
  },
];

export function isTrafficMetric(name: string): boolean {
  return TRAFFIC_METRICS.some(metric => metric.name === name);
}
