import type {OtlpCondition, OtlpFilter} from '../../../core/api/adapter.js';
import type {PostgresParameters} from '../client/sql.js';
import {encodeText} from '../client/text.js';
import {wantedTerms} from './index-terms.js';

/** What makes the text of a stored value of an attribute, in SQL. */
export type StoredText = (value: string) => string;

/** Columns hold what the shared definition of matching made of a span when it was stored, so this is exact. */
export function exactConditions(filter: OtlpFilter, parameters: PostgresParameters, storedText: StoredText): string[] {
  return filter.map(condition => exact(condition, parameters, storedText));
}

function exact(condition: OtlpCondition, parameters: PostgresParameters, storedText: StoredText): string {
  const text = (value: string): string => parameters.add(encodeText(value), 'text');
  const attribute = (of: 'tag' | 'resource', key: string): string => storedText(attributeValue(of, key, parameters));
  switch (condition.on) {
    case 'tag':
    case 'resource':
      return `${attribute(condition.on, condition.key)} = ${text(condition.value)}`;
    case 'name-or-tag':
      return `(name = ${text(condition.name)} OR ${attribute('tag', 'name')} = ${text(condition.value)})`;
    case 'duration':
      return `duration::float8 ${condition.is} ${parameters.add(condition.value, 'float8')}`;
    default:
      return `${condition.on} = ${text(condition.value)}`;
  }
}

/** As it is stored; NULL for a span without the attribute. */
export function attributeValue(of: 'tag' | 'resource', key: string, parameters: PostgresParameters): string {
  return `${of}_values[array_position(${of}_keys, ${parameters.add(encodeText(key), 'text')})]`;
}

/** Narrows the spans of some hours down by the index; undefined when no condition is in it. */
export function indexCondition(
  filter: OtlpFilter,
  hours: readonly number[],
  parameters: PostgresParameters,
): string | undefined {
  const alternatives = hours.flatMap(hour => {
    const lists = filter.flatMap(condition => {
      const terms = wantedTerms(condition, hour);
      return terms === undefined ? [] : [terms];
    });
    if (lists.length === 0) return [];
    const single = lists.flatMap(terms => (terms.length === 1 ? terms : []));
    const conditions = lists
      .filter(terms => terms.length > 1)
      .map(terms => `terms && ${parameters.add(terms, 'int[]')}`);
    if (single.length > 0) conditions.push(`terms @> ${parameters.add(single, 'int[]')}`);
    return [conditions.join(' AND ')];
  });
  return alternatives.length === 0 ? undefined : `(${alternatives.join(' OR ')})`;
}
