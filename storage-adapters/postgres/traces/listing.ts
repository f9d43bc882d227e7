import type {OtlpFilter, TimeWindow} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {numbers, PostgresParameters} from '../client/sql.js';
import {decodeText} from '../client/text.js';
import {dayRange} from './hours.js';
import {coverageOf, type ListCoverage} from './list-coverage.js';
import {MICROS_PER_PERIOD} from './periods.js';
import {attributeValue, exactConditions, indexCondition, type StoredText} from './span-conditions.js';
import {type ListSubject, listId, scopeOf} from './span-lists.js';
import type {TraceTables} from './tables.js';

export interface ListingRequest extends TimeWindow {
  readonly listed: ListSubject;
  readonly filter: OtlpFilter;
}

/** Lists keys and values of attributes exactly, as they are stored: from the lists of periods, and where there are none from the spans. */
export class PostgresTraceListing {
  readonly #database: PostgresDatabase;

  readonly #tables: TraceTables;
  readonly #storedText: StoredText;

  constructor(database: PostgresDatabase, tables: TraceTables, storedText: StoredText) {
    this.#database = database;
    this.#tables = tables;
    this.#storedText = storedText;
  }

  /** In the order of code points. */
  async keys(listing: ListingRequest, signal: AbortSignal): Promise<readonly string[]> {
    return this.#list(listing, values => `SELECT DISTINCT value FROM ${values} ORDER BY value`, signal);
  }

  /** By the start of the earliest span that has it, then in the order of code points. */
  async values(listing: ListingRequest, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#list(
      listing,
      (values, parameters) =>
        `SELECT value FROM ${values} GROUP BY value ORDER BY min(start), value LIMIT ${parameters.add(limit, 'bigint')}`,
      signal,
    );
  }

  async #list(
    listing: ListingRequest,
    statement: (values: string, parameters: PostgresParameters) => string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const {filter, listed, from, to} = listing;
    if (from >= to) return [];
    const rows = await this.#database.snapshot(signal, async transaction => {
      const coverage = await coverageOf(transaction, this.#tables, {from, to}, scopeOf(filter), listed);
      const parameters = new PostgresParameters();
      const parts = [this.#fromLists(listing, coverage, parameters), this.#fromSpans(listing, coverage, parameters)];
      const values = parts.filter(part => part !== undefined).join(' UNION ALL ');
      if (values === '') return [];
      return transaction.query<[string]>(statement(`(${values}) v`, parameters), parameters.values);
    });
    return rows.map(([value]) => decodeText(value));
  }

  /** Values with the starts of the first spans that have them; undefined when there is nothing to read. */
  #fromLists(
    {filter, listed, to}: ListingRequest,
    coverage: ListCoverage,
    parameters: PostgresParameters,
  ): string | undefined {
    const scope = scopeOf(filter);
    if (scope === undefined || coverage.listed.length === 0) return undefined;
    return `SELECT value, start FROM (
        SELECT value, period::bigint * ${MICROS_PER_PERIOD} + first AS start
        FROM ${this.#tables.lists.name} CROSS JOIN unnest(entries, firsts) AS e (value, first)
        WHERE list = ${parameters.add(listId(scope, listed), 'uuid')}
          AND period = ANY(${parameters.add(numbers(coverage.listed), 'int[]')})
      ) l WHERE start < ${parameters.add(to, 'float8')}`;
  }

  /** The same of the spans that no list tells of. */
  #fromSpans(
    {filter, listed}: ListingRequest,
    {ranges, late, hours}: ListCoverage,
    parameters: PostgresParameters,
  ): string | undefined {
    const [first] = hours;
    const last = hours.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const times = ranges.map(
      ({from, to}) => `start >= ${parameters.add(from, 'bigint')} AND start < ${parameters.add(to, 'bigint')}`,
    );
    if (late.length > 0) times.push(`start = ANY(${parameters.add(numbers(late), 'bigint[]')})`);
    const conditions = [
      `(${dayRange(first, last)})`,
      `(${times.join(' OR ')})`,
      indexCondition(filter, hours, parameters) ?? 'true',
      ...exactConditions(filter, parameters, this.#storedText),
    ];
    const spans = `FROM ${this.#tables.spans.name} WHERE ${conditions.join(' AND ')}`;
    switch (listed.of) {
      case 'tag-keys':
      case 'resource-keys': {
        const keys = listed.of === 'tag-keys' ? 'tag_keys' : 'resource_keys';
        // Many spans have the same keys, which are taken apart once.
        return `SELECT value, 0 AS start FROM (SELECT DISTINCT ${keys} ${spans}) s CROSS JOIN unnest(${keys}) AS value`;
      }
      case 'tag':
      case 'resource': {
        const value = attributeValue(listed.of, listed.key, parameters);
        return `SELECT value, start FROM (SELECT ${value} AS value, start ${spans}) s WHERE value IS NOT NULL`;
      }
      default:
        return `SELECT ${listed.of} AS value, start ${spans} AND ${listed.of} <> ''`;
    }
  }
}
