import {
  type Call,
  ENTITY_KEYS,
  type Entity,
  type RelationScope,
  type RelationsRequest,
  type TopologyReader,
} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {encodeText} from '../client/text.js';
import {decodedEntity} from '../schema/keys.js';
import {hasBuckets} from './buckets.js';
import type {PostgresCatalog} from './catalog.js';

/** Lists relations with one statement, which looks into the buckets of each of their series. */
export class PostgresTopologyReader implements TopologyReader {
  readonly #database: PostgresDatabase;
  readonly #catalog: PostgresCatalog;

  constructor(database: PostgresDatabase, catalog: PostgresCatalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  async relations({scope, window, of, limit}: RelationsRequest, {signal}: Call): Promise<readonly Entity[]> {
    signal.throwIfAborted();
    const {byName} = await this.#catalog.current(signal);
    const metrics = [...byName.values()].filter(({definition}) => definition.scope === scope).map(({id}) => id);
    if (metrics.length === 0) return [];
    const parameters = new PostgresParameters();
    const series = `SELECT s.entity FROM series s
      WHERE s.metric = ANY(${parameters.add(metrics, 'int[]')}) AND ${hasBuckets(window, parameters)}`;
    const ends = of === undefined ? '' : `AND ${isEnd(scope, of, parameters)}`;
    const rows = await this.#database.query<[string]>(
      `SELECT to_json(e.names)::text FROM entities e WHERE e.id IN (${series}) ${ends}
       ORDER BY e.names LIMIT ${parameters.add(limit, 'bigint')}`,
      parameters.values,
      signal,
    );
    return rows.map(([names]) => decodedEntity(scope, JSON.parse(names) as string[]));
  }
}

function isEnd(
  scope: RelationScope,
  {layer, service}: NonNullable<RelationsRequest['of']>,
  parameters: PostgresParameters,
): string {
  const [given, name] = [layer, service].map(text => parameters.add(encodeText(text), 'text'));
  const at = (key: keyof Entity): string => `e.names[${ENTITY_KEYS[scope].indexOf(key) + 1}]`;
  return `((${at('layer')} = ${given} AND ${at('service')} = ${name})
    OR (${at('destLayer')} = ${given} AND ${at('destService')} = ${name}))`;
}
