/**
 * Names that a metric query could not reach or would take for something else: stored under them, data would be lost to
 * its readers.
 */

/**
 * The metrics that list the entities themselves, words that are numbers in a query, and the word that after an operator is
 * part of it. All other keywords of queries stay names wherever a metric stands.
 */
const METRICS = /^(?:(?:service|instance|endpoint)_traffic|[Nn][Aa][Nn]|[Ii][Nn][Ff]|[Bb][Oo][Oo][Ll])$/;

/** The labels by which a query names an entity, a ranking or a record. */
const LABELS: ReadonlySet<string> = new Set([
  'layer',
  'scope',
  'service',
  'service_instance',
  'endpoint',
  'dest_layer',
  'dest_service',
  'dest_service_instance',
  'dest_endpoint',
  'parent_service',
  'top_n',
  'order',
  'record',
  'limit',
  'keyword',
]);

export function isReservedMetric(name: string): boolean {
  return METRICS.test(name);
}

export function isReservedLabel(name: string): boolean {
  return name.startsWith('__') || LABELS.has(name);
}
