import type {OtlpCondition} from '../../../core/api/adapter.js';
import type {IndexedSpan} from '../../../core/toolkit/traces/model.js';

/**
 * Terms of the inverted index: a number for each thing that a span can be found by in the hour in which it starts. They
 * only narrow a search down: two things may share a number, so every search looks at the columns too. `textOf` gives the
 * text of an attribute's value, which conditions compare.
 */
export function termsOf(span: IndexedSpan, hour: number, textOf: (value: string) => string): number[] {
  const terms = new Set<number>();
  if (span.service !== undefined) terms.add(term(SERVICE, span.service, '', hour));
  terms.add(term(NAME, span.name, '', hour));
  if (span.status === 'ERROR') terms.add(term(STATUS, span.status, '', hour));
  for (const [key, value] of span.tags) terms.add(term(TAG, key, textOf(value), hour));
  for (const [key, value] of span.resourceTags ?? []) terms.add(term(RESOURCE, key, textOf(value), hour));
  return [...terms];
}

const SERVICE = 1;
const NAME = 2;
const STATUS = 3;
const TAG = 4;
const RESOURCE = 5;

/**
 * Of the terms in `hour` at least one must be there; undefined when the condition is not in the index, as it tells too few
 * spans from the rest.
 */
export function wantedTerms(condition: OtlpCondition, hour: number): readonly number[] | undefined {
  switch (condition.on) {
    case 'service':
      return [term(SERVICE, condition.value, '', hour)];
    case 'name':
      return [term(NAME, condition.value, '', hour)];
    case 'tag':
      return [term(TAG, condition.key, condition.value, hour)];
    case 'resource':
      return [term(RESOURCE, condition.key, condition.value, hour)];
    case 'name-or-tag':
      return [term(NAME, condition.name, '', hour), term(TAG, 'name', condition.value, hour)];
    case 'status':
      return condition.value === 'ERROR' ? [term(STATUS, condition.value, '', hour)] : undefined;
    default:
      return undefined;
  }
}

/** FNV-1a over the parts, with a separator that is no code unit between them, into a signed 32-bit integer. */
function term(attribute: number, first: string, second: string, hour: number): number {
  let hash = mixed(mixed(0x811c9dc5, hour), attribute);
  for (let i = 0; i < first.length; i++) hash = mixed(hash, first.charCodeAt(i));
  hash = mixed(hash, 0x1_0000);
  for (let i = 0; i < second.length; i++) hash = mixed(hash, second.charCodeAt(i));
  // Spreads what the last characters have changed over all bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}
