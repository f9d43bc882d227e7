import type {DurationCondition, SpanCondition, SpanFilter, TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import {joined, type Sql, sql} from '../client/sql.js';

const NOTHING = sql`0`;

/** The spans that lie in a window. The hour is repeated because it is what the table is ordered by. */
export function inWindow({from, to}: TimeWindow): Sql {
  const first = Math.floor(from / MICROS_PER_HOUR);
  const last = Math.floor((to - 1) / MICROS_PER_HOUR);
  return sql`hour >= ${first} AND hour <= ${last} AND start >= ${from} AND start < ${to}`;
}

/** The conditions of a filter on a row of spans, exactly. */
export function spanConditions(filter: SpanFilter, hasEmptyService: boolean): readonly Sql[] {
  return filter.map(condition => written(condition, hasEmptyService));
}

/** The value of a tag, of a span that has the key. */
export function tagValue(key: string): Sql {
  return sql`tag_values[indexOf(tag_keys, ${key})]`;
}

export function hasTag(key: string): Sql {
  return sql`has(tag_keys, ${key})`;
}

function written(condition: SpanCondition, hasEmptyService: boolean): Sql {
  switch (condition.on) {
    case 'service':
      return condition.value === '' && !hasEmptyService ? NOTHING : sql`service = ${condition.value}`;
    case 'name':
      return sql`name = ${condition.value}`;
    case 'kind':
      return sql`kind = ${condition.value}`;
    case 'status':
      return sql`status = ${condition.value}`;
    case 'tag':
      return tagIs(condition.key, condition.value);
    case 'name-or-tag':
      return sql`(${joined([sql`name = ${condition.name}`, sql`(${tagIs('name', condition.value)})`], ' OR ')})`;
    case 'duration':
      return durationIs(condition);
  }
}

/** That some tag has the value is implied, and is what an index can tell. */
function tagIs(key: string, value: string): Sql {
  return sql`has(tag_values, ${value}) AND ${hasTag(key)} AND ${tagValue(key)} = ${value}`;
}

/** Durations are whole, so a bound that is not becomes the nearest that is. */
function durationIs({is, value}: DurationCondition): Sql {
  switch (is) {
    case '=':
      return Number.isInteger(value) ? durationBetween(value, value) : NOTHING;
    case '>':
      return durationBetween(Math.floor(value) + 1, Number.POSITIVE_INFINITY);
    case '>=':
      return durationBetween(Math.ceil(value), Number.POSITIVE_INFINITY);
    case '<':
      return durationBetween(Number.NEGATIVE_INFINITY, Math.ceil(value) - 1);
    case '<=':
      return durationBetween(Number.NEGATIVE_INFINITY, Math.floor(value));
  }
}

function durationBetween(least: number, most: number): Sql {
  const [low, high] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  if (!(least <= most) || least > high || most < low) return NOTHING;
  return sql`has_duration = 1 AND duration >= ${Math.max(least, low)} AND duration <= ${Math.min(most, high)}`;
}
