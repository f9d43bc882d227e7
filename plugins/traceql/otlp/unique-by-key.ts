import type {KeyValue} from '../../../core/api/plugin.js';

/**
 * Attributes without repeated keys, as OTLP wants them. The last value of a key counts and stands where the key first
 * occurred; the others keep their order.
 */
export function uniqueByKey(attributes: readonly KeyValue[]): readonly KeyValue[] {
  if (!hasRepeatedKey(attributes)) return attributes;
  const values = new Map(attributes.map(({key, value}) => [key, value]));
  return Array.from(values, ([key, value]) => ({key, value}));
}

/** Nearly always there is none and the list is short: then comparing is faster than to build a set. */
function hasRepeatedKey(attributes: readonly KeyValue[]): boolean {
  if (attributes.length > 16) return new Set(attributes.map(({key}) => key)).size < attributes.length;
  return attributes.some(({key}, index) => {
    for (let i = 0; i < index; i++) if (attributes[i]?.key === key) return true;
    return false;
  });
}
