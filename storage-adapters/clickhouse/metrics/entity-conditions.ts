import type {Entity, Scope} from '../../../core/api/adapter.js';
import {joined, Sql, sql} from '../client/sql.js';

/** The column of the table `entities` that holds each key. */
const COLUMNS: Readonly<Record<keyof Entity, string>> = {
  layer: 'layer',
  service: 'service',
  serviceInstance: 'name',
  endpoint: 'name',
  destLayer: 'dest_layer',
  destService: 'dest_service',
  destServiceInstance: 'dest_name',
  destEndpoint: 'dest_name',
};

/** Of the two rows of each entity, the one that says when it was last seen: it is there for every entity. */
export const LAST_EDGE = sql`edge = 1`;

/** Conditions for the rows of the entities of a scope that have the given names. */
export function entityConditions(scope: Scope, given: Partial<Entity>): readonly Sql[] {
  const names = (Object.entries(given) as [keyof Entity, string][]).map(
    ([key, value]) => sql`${new Sql(COLUMNS[key])} = ${value}`,
  );
  return [sql`scope = ${scope}`, ...names];
}

export function idsOfEntities(scope: Scope, given: Partial<Entity>): Sql {
  return sql`SELECT id FROM entities WHERE ${joined([...entityConditions(scope, given), LAST_EDGE], ' AND ')}`;
}
