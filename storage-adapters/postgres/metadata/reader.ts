import type {
  Call,
  EndpointsRequest,
  InstancesRequest,
  MetadataReader,
  NameHint,
  NamePages,
  Scope,
  ServicesRequest,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {decodeText, encodeText} from '../client/text.js';
import {entityKey, layerKey} from '../schema/keys.js';

const PAGE = 1000;

/** Lists entities from an index that has them in the order of their names. */
export class PostgresMetadataReader implements MetadataReader {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async layers({signal}: Call): Promise<readonly string[]> {
    const rows = await this.#database.query<[string]>(
      `SELECT DISTINCT names[1] AS layer FROM entities
       WHERE scope = 'Service' AND first_seen IS NOT NULL ORDER BY layer`,
      [],
      signal,
    );
    return rows.map(([layer]) => decodeText(layer));
  }

  services({layer, name}: ServicesRequest, call: Call): NamePages {
    return this.#list('Service', layerKey(layer), {name}, call);
  }

  instances({layer, service, ...conditions}: InstancesRequest, call: Call): NamePages {
    return this.#list('ServiceInstance', entityKey('Service', [layer, service]), conditions, call);
  }

  endpoints({layer, service, ...conditions}: EndpointsRequest, call: Call): NamePages {
    return this.#list('Endpoint', entityKey('Service', [layer, service]), conditions, call);
  }

  async *#list(
    scope: Scope,
    parent: string,
    {name, seen, keyword = ''}: Pick<EndpointsRequest, 'seen' | 'keyword'> & {readonly name?: NameHint | undefined},
    {signal}: Call,
  ): AsyncGenerator<readonly string[]> {
    const parameters = new PostgresParameters();
    const conditions = [
      `parent = ${parameters.add(parent, 'uuid')}`,
      `scope = ${parameters.add(scope, 'text')}`,
      'first_seen IS NOT NULL',
      ...hinted(name, parameters),
    ];
    if (seen !== undefined) {
      conditions.push(`last_seen >= ${parameters.add(Math.floor(seen.from / SECONDS_PER_MINUTE), 'bigint')}`);
      conditions.push(`first_seen <= ${parameters.add(Math.floor(seen.to / SECONDS_PER_MINUTE), 'bigint')}`);
    }
    if (keyword !== '') conditions.push(`strpos(name, ${parameters.add(encodeText(keyword), 'text')}) > 0`);
    const pages = this.#database.pages<[string]>(
      `SELECT name FROM entities WHERE ${conditions.join(' AND ')} ORDER BY name`,
      parameters.values,
      PAGE,
      signal,
    );
    for await (const rows of pages) {
      const names = rows.map(([encoded]) => decodeText(encoded));
      // Within an escaped text the code of another may begin in the middle of a code.
      yield keyword === '' ? names : names.filter(one => one.includes(keyword));
    }
  }
}

function hinted({equals, oneOf, prefix}: NameHint = {}, parameters: PostgresParameters): string[] {
  const conditions: string[] = [];
  if (equals !== undefined) conditions.push(`name = ${parameters.add(encodeText(equals), 'text')}`);
  if (oneOf !== undefined) conditions.push(`name = ANY(${parameters.add(oneOf.map(encodeText), 'text[]')})`);
  if (prefix !== undefined) conditions.push(`name ^@ ${parameters.add(encodeText(prefix), 'text')}`);
  return conditions;
}
