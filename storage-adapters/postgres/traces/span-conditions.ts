import type {SpanCondition, SpanFilter} from '../../../core/api/adapter.js';
import type {PostgresParameters} from '../client/sql.js';
import {encodeText} from '../client/text.js';
import {wantedTerms} from './index-terms.js';

/** Columns hold what the shared definition of matching made of a span when it was stored, so this is exact. */
export function exactConditions(filter: SpanFilter, parameters: PostgresParameters): string[] {
  return filter.map(condition => exact(condition, parameters));
}

function exact(condition: SpanCondition, parameters: PostgresParameters): string {
  const text = (value: string): string => parameters.add(encodeText(value), 'text');
  switch (condition.on) {
    case 'tag':
      return `${tagValue(condition.key, parameters)} = ${text(condition.value)}`;
    case 'name-or-tag':
      return `(name = ${text(condition.name)} OR ${tagValue('name', parameters)} = ${text(condition.value)})`;
    case 'duration':
      return `duration::float8 ${condition.is} ${parameters.add(condition.value, 'float8')}`;
    default:
      return `${condition.on} = ${text(condition.value)}`;
  }
}

/** NULL for a span without the tag. */
export function tagValue(key: string, parameters: PostgresParameters): string {
  return `tag_values[array_position(tag_keys, ${parameters.add(encodeText(key), 'text')})]`;
}

/** Narrows the spans of some hours down by the index; undefined when no condition is in it. */
export function indexCondition(
  filter: SpanFilter,
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
