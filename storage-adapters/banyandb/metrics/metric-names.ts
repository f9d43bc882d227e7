import type {Scope} from '../../../core/api/adapter.js';

/** Names that the rules of every OAP give to metrics, for those that have no row yet which would show what they are of. */
const BY_NAME: readonly (readonly [RegExp, Scope])[] = [
  [/^service_relation_/, 'ServiceRelation'],
  [/^(service_)?instance_relation_/, 'ServiceInstanceRelation'],
  [/^endpoint_relation_/, 'EndpointRelation'],
  [/^(service_)?instance_/, 'ServiceInstance'],
  [/^meter_(.*_)?instance_/, 'ServiceInstance'],
  [/^endpoint_/, 'Endpoint'],
  [/^meter_(.*_)?endpoint_/, 'Endpoint'],
  [/^service_/, 'Service'],
];

export function scopeByName(metric: string): Scope | undefined {
  return BY_NAME.find(([pattern]) => pattern.test(metric))?.[1];
}

/** Streams of the same form as sampled records, whose entities are processes, which are in no scope here. */
const OF_PROCESSES: ReadonlySet<string> = new Set([
  'sampled_slow_trace_record',
  'sampled_status_4xx_trace_record',
  'sampled_status_5xx_trace_record',
]);

export const isOfProcesses = (stream: string): boolean => OF_PROCESSES.has(stream);
