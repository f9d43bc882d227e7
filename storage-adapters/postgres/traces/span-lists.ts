import {hash} from 'node:crypto';
import type {OtlpFilter, OtlpListedAttribute} from '../../../core/api/adapter.js';
import type {Transaction} from '../client/database.js';
import {encodeText} from '../client/text.js';
import {createPartition, partitionOf} from '../schema/partitions.js';
import {dayRange, hourOf} from './hours.js';
import {MICROS_PER_PERIOD} from './periods.js';
import type {TraceTables} from './tables.js';

/**
 * The lists of a period are those of all its spans, and those of the spans of each service that has many: the keys of their
 * tags, the values of each tag, and the other attributes, each value with the start of its first span. A list that would
 * save little, as of ids, is there without its values; one that would be empty is not there at all.
 */
export interface ListLimits {
  /** Of fewer spans no lists are made: reading them is as cheap. */
  readonly spans: number;
  /** The most values that a list has for each of the spans it is made of, and the most bytes of their text. */
  readonly valuesPerSpan: number;
  readonly bytesPerSpan: number;
}

export const LIST_LIMITS: ListLimits = {spans: 256, valuesPerSpan: 1 / 2, bytesPerSpan: 16};

/** What a list is of: the keys of tags or of attributes of resources, or the values of an attribute. */
export type ListSubject = OtlpListedAttribute | {readonly of: 'tag-keys' | 'resource-keys'};

/** Of which spans: of all, or of those of one service. */
export type ListScope = {readonly service?: string};

/** The spans of a filter, where there may be lists of exactly them. */
export function scopeOf(filter: OtlpFilter): ListScope | undefined {
  const [condition] = filter;
  if (condition === undefined) return {};
  if (filter.length > 1 || condition.on !== 'service' || condition.value === '') return undefined;
  return {service: condition.value};
}

/** The name of a list in the table, short however long its parts are. */
export function listId({service = ''}: ListScope, listed: ListSubject): string {
  const key = 'key' in listed ? listed.key : '';
  // The name that lists of keys had when there were no resources.
  const of = listed.of === 'tag-keys' ? 'keys' : listed.of;
  const parts = [of, encodeText(service), encodeText(key)];
  return hash('sha256', parts.join(SEPARATOR), 'hex').slice(0, 32);
}

/** Every span has a kind, so this list is there wherever those of its scope are. */
export const MARKER: ListSubject = {of: 'kind'};

/** Escaped text has no such thing. */
const SEPARATOR = '\x01 ';

/** Spans of one resource are many, so its attributes are taken apart once. */
const RESOURCES = `, resources AS (
       SELECT scope, resource_keys, resource_values, min(first) AS first
       FROM scoped GROUP BY scope, resource_keys, resource_values
     ), resource_tags AS MATERIALIZED (
       SELECT scope, key, value, min(first) AS first
       FROM resources CROSS JOIN unnest(resource_keys, resource_values) AS t (key, value) GROUP BY scope, key, value
     )`;
const ATTRIBUTES_OF_RESOURCES = `UNION ALL SELECT scope, 'resource', key, value, first FROM resource_tags
       UNION ALL SELECT scope, 'resource-keys', '', key, min(first) FROM resource_tags GROUP BY scope, key`;

/** Makes the lists of a period anew, in a transaction that keeps the writers of spans away. */
export async function makeLists(
  transaction: Transaction,
  {spans, lists, periods, hasResources}: TraceTables,
  period: number,
  limits: ListLimits,
): Promise<void> {
  await createPartition(transaction, lists, partitionOf(lists, period));
  await transaction.query(`DELETE FROM ${lists.name} WHERE period = $1`, [period]);
  const begin = period * MICROS_PER_PERIOD;
  await transaction.query("SELECT set_config('work_mem', '64MB', true)");
  await transaction.query(
    `WITH taken AS MATERIALIZED (
       SELECT service, name, kind, status, tag_keys, tag_values${hasResources ? ', resource_keys, resource_values' : ''},
         (start - $1)::int AS first
       FROM ${spans.name}
       WHERE (${dayRange(hourOf(begin), hourOf(begin))}) AND start >= $1 AND start < $1 + ${MICROS_PER_PERIOD}::bigint
     ), scopes AS (
       SELECT '' AS scope, count(*) AS spans FROM taken HAVING count(*) >= $2
       UNION ALL SELECT service, count(*) FROM taken WHERE service IS NOT NULL GROUP BY service HAVING count(*) >= $2
     ), scoped AS MATERIALIZED (
       SELECT t.*, scope FROM taken t LEFT JOIN scopes ON scope = service
     ), tags AS MATERIALIZED (
       SELECT scope, key, value, min(first) AS first
       FROM scoped CROSS JOIN unnest(tag_keys, tag_values) AS t (key, value) GROUP BY scope, key, value
     )${hasResources ? RESOURCES : ''}, attributes AS MATERIALIZED (
       SELECT scope, 'tag' AS attribute, key, value, first FROM tags
       UNION ALL SELECT scope, 'keys', '', key, min(first) FROM tags GROUP BY scope, key
       ${hasResources ? ATTRIBUTES_OF_RESOURCES : ''}
       UNION ALL SELECT scope, 'kind', '', kind, min(first) FROM scoped GROUP BY scope, kind
       UNION ALL SELECT scope, 'status', '', status, min(first) FROM scoped GROUP BY scope, status
       UNION ALL SELECT scope, 'name', '', name, min(first) FROM scoped WHERE name <> '' GROUP BY scope, name
       UNION ALL SELECT scope, 'service', '', service, min(first) FROM scoped WHERE service IS NOT NULL
         GROUP BY scope, service
     ), everything AS (
       SELECT '' AS scope, attribute, key, value, min(first) AS first FROM attributes GROUP BY attribute, key, value
       UNION ALL SELECT * FROM attributes WHERE scope IS NOT NULL
     ), lists AS (
       SELECT attribute, scope, key, array_agg(value) AS entries, array_agg(first) AS firsts,
         count(*) <= spans * $3::float8 AND sum(octet_length(value)) <= spans * $4::float8 AS fits
       FROM everything JOIN scopes USING (scope) GROUP BY attribute, scope, key, spans
     )
     INSERT INTO ${lists.name} (period, list, entries, firsts)
     SELECT $5, encode(substr(sha256(convert_to(concat_ws(chr(1) || ' ', attribute, scope, key), 'UTF8')), 1, 16), 'hex')::uuid,
       CASE WHEN fits THEN entries END, CASE WHEN fits THEN firsts END
     FROM lists`,
    [begin, limits.spans, limits.valuesPerSpan, limits.bytesPerSpan, period],
  );
  await transaction.query(
    `UPDATE ${periods} SET pending = false, late = '{}', listed = EXISTS (SELECT FROM ${lists.name} WHERE period = $1)
     WHERE period = $1`,
    [period],
  );
}
