import type {AttributeValuesRequest, SpanFilter, TagKeysRequest, TimeWindow} from '../../../core/api/adapter.js';
import type {Database} from '../client/database.js';
import {Parameters} from '../client/sql.js';
import {decodeText} from '../text.js';
import {exactConditions, indexCondition, tagValue} from './conditions.js';
import {hourOf, MICROSECONDS_PER_HOUR} from './span-row.js';
import {dayRange} from './trace-search.js';

/** Lists tag keys and attribute values exactly, from the columns of the spans. */
export class ValueListing {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async tagKeys({filter, ...window}: TagKeysRequest, signal: AbortSignal): Promise<readonly string[]> {
    const parameters = new Parameters();
    const spans = await this.#spans(filter, window, parameters, signal);
    if (spans === undefined) return [];
    const rows = await this.#database.query<[string]>(
      // Many spans have the same keys, which are taken apart once.
      `SELECT DISTINCT key FROM (SELECT DISTINCT tag_keys FROM ${spans}) s CROSS JOIN unnest(tag_keys) AS key ORDER BY key`,
      parameters.values,
      signal,
    );
    return rows.map(([key]) => decodeText(key));
  }

  async attributeValues(
    {attribute, filter, limit, ...window}: AttributeValuesRequest,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const parameters = new Parameters();
    const spans = await this.#spans(filter, window, parameters, signal);
    if (spans === undefined) return [];
    const column = attribute.of === 'tag' ? tagValue(attribute.key, parameters) : attribute.of;
    const isValue = attribute.of === 'tag' ? 'value IS NOT NULL' : "value <> ''";
    const rows = await this.#database.query<[string]>(
      `SELECT value FROM (SELECT ${column} AS value, start FROM ${spans}) v WHERE ${isValue}
       GROUP BY value ORDER BY min(start), value LIMIT ${parameters.add(limit, 'bigint')}`,
      parameters.values,
      signal,
    );
    return rows.map(([value]) => decodeText(value));
  }

  /** The spans that lie in the window and satisfy the filter; undefined when no hour of the window has any. */
  async #spans(
    filter: SpanFilter,
    {from, to}: TimeWindow,
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (from >= to) return undefined;
    const rows = await this.#database.query<[number]>(
      'SELECT hour FROM span_hours WHERE hour >= $1::float8 AND hour <= $2::float8 ORDER BY hour',
      [hourOf(from), hourOf(to - 1)],
      signal,
    );
    const hours = rows.map(([hour]) => hour);
    const [first] = hours;
    const last = hours.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const begin = Math.max(from, first * MICROSECONDS_PER_HOUR);
    const end = Math.min(to, (last + 1) * MICROSECONDS_PER_HOUR);
    const conditions = [
      `(${dayRange(first, last)})`,
      `start >= ${parameters.add(begin, 'bigint')} AND start < ${parameters.add(end, 'bigint')}`,
      indexCondition(filter, hours, parameters) ?? 'true',
      ...exactConditions(filter, parameters),
    ];
    return `(SELECT * FROM spans WHERE ${conditions.join(' AND ')}) s`;
  }
}
