import {ENTITY_KEYS, type Entity, entityOf, type Scope} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import type {RowColumns} from '../client/row-reader.js';
import {joined, sql} from '../client/sql.js';
import {entityConditions, LAST_EDGE} from '../metrics/entity-conditions.js';

export const ENTITY_NAMES = sql`layer, service, name, dest_layer, dest_service, dest_name`;

/** A statement has a limited length. */
const IDS_PER_READ = 4000;
const KEPT = 100_000;

/** The entity of the columns `ENTITY_NAMES`. */
export function readEntity(scope: Scope, row: RowColumns): Entity {
  const own = ENTITY_KEYS[scope].length;
  const [layer, service, name] = [row.string(), row.string(), row.string()];
  const [destLayer, destService, destName] = [row.string(), row.string(), row.string()];
  const source = [layer, service, ...(own % 3 === 0 ? [name] : [])];
  const dest = [destLayer, destService, ...(own === 6 ? [destName] : [])];
  return entityOf(scope, scope.endsWith('Relation') ? [...source, ...dest] : source);
}

/** The entities of ids, each read once: hour after hour has the same. */
export class EntityNames {
  readonly #client: ClickHouseClient;
  #known = new Map<string, Entity>();

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  get(id: string): Entity | undefined {
    return this.#known.get(id);
  }

  /** Makes `get` answer for these, if the storage has them. */
  async read(scope: Scope, ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const missing = [...ids].filter(id => !this.#known.has(id));
    for (let i = 0; i < missing.length; i += IDS_PER_READ) {
      const conditions = [
        ...entityConditions(scope, {}),
        LAST_EDGE,
        sql`hex(id) IN ${missing.slice(i, i + IDS_PER_READ)}`,
      ];
      const rows = await this.#client.rows(
        sql`SELECT toUInt8(1), hex(id), ${ENTITY_NAMES} FROM entities WHERE ${joined(conditions, ' AND ')}`,
        row => [row.string(), readEntity(scope, row)] as const,
        signal,
      );
      for (const [id, entity] of rows) this.#known.set(id, entity);
    }
  }

  /** Between pages: forgets all when they are many. */
  trim(): void {
    if (this.#known.size > KEPT) this.#known = new Map();
  }
}
