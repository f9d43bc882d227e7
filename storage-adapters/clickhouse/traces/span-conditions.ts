import type {DurationCondition, OtlpCondition, OtlpFilter, TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import {joined, Sql, sql} from '../client/sql.js';
import type {ClickHouseFragmentModel} from './model.js';

const NOTHING = sql`0`;

/** The spans that lie in a window. The hour is repeated because it is what the table is ordered by. */
function inWindow({from, to}: TimeWindow): Sql {
  const first = Math.floor(from / MICROS_PER_HOUR);
  const last = Math.floor((to - 1) / MICROS_PER_HOUR);
  return sql`hour >= ${first} AND hour <= ${last} AND start >= ${from} AND start < ${to}`;
}

/** Conditions that read tags, which are most of a row. */
const OF_TAGS: ReadonlySet<OtlpCondition['on']> = new Set(['tag', 'resource', 'name-or-tag']);

/**
 * ` WHERE …`: the spans of a window that a filter selects, exactly, and that meet `more` conditions. Of one service, whose
 * spans are few and lie together, the server is told to read tags only where all else fits. Of all services it is not: most
 * of a window is left then, and two steps take longer than one.
 */
export function spansWhere(
  window: TimeWindow,
  filter: OtlpFilter,
  model: ClickHouseFragmentModel<unknown>,
  more: readonly Sql[] = [],
): Sql {
  const first: Sql[] = [inWindow(window)];
  const rest: Sql[] = [];
  for (const condition of filter) {
    const text = written(condition, model);
    (OF_TAGS.has(condition.on) || text === NOTHING ? rest : first).push(text);
  }
  rest.push(...more);
  if (!filter.some(({on}) => on === 'service') || rest.length === 0)
    return sql` WHERE ${joined([...first, ...rest], ' AND ')}`;
  return sql` PREWHERE ${joined(first, ' AND ')} WHERE ${joined(rest, ' AND ')}`;
}

/** Whose an attribute is: the span's or its resource's. */
export type AttributeOf = 'tag' | 'resource';

const KEYS = {tag: sql`tag_keys`, resource: sql`resource_keys`} as const;
const VALUES = {tag: sql`tag_values`, resource: sql`resource_values`} as const;

/** The stored value of an attribute, of a span that has the key. */
export function attributeValue(of: AttributeOf, key: string): Sql {
  return sql`${VALUES[of]}[indexOf(${KEYS[of]}, ${key})]`;
}

export function hasAttribute(of: AttributeOf, key: string): Sql {
  return sql`has(${KEYS[of]}, ${key})`;
}

function written(condition: OtlpCondition, model: ClickHouseFragmentModel<unknown>): Sql {
  switch (condition.on) {
    case 'service':
      return condition.value === '' && !model.hasEmptyService ? NOTHING : sql`service = ${condition.value}`;
    case 'name':
      return sql`name = ${condition.value}`;
    case 'kind':
      return sql`kind = ${condition.value}`;
    case 'status':
      return sql`status = ${condition.value}`;
    case 'tag':
    case 'resource':
      return attributeIs(condition.on, condition.key, model.valuesOf(condition.value));
    case 'name-or-tag':
      return sql`(${joined([sql`name = ${condition.name}`, sql`(${attributeIs('tag', 'name', model.valuesOf(condition.value))})`], ' OR ')})`;
    case 'duration':
      return model.hasResources ? fineDurationIs(condition) : durationIs(condition);
  }
}

/** One of `values`. That some attribute has one is implied, and is what an index can tell. */
function attributeIs(of: AttributeOf, key: string, values: readonly string[]): Sql {
  const some = values.map(value => sql`has(${VALUES[of]}, ${value})`);
  return sql`(${joined(some, ' OR ')}) AND ${hasAttribute(of, key)} AND ${attributeValue(of, key)} IN ${values}`;
}

/** Of durations with a fraction. The number goes as its bytes: early servers read some decimals a little wrong. */
function fineDurationIs({is, value}: DurationCondition): Sql {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return sql`duration ${new Sql(is)} reinterpretAsFloat64(${bytes})`;
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
