import type {
  Call,
  EndpointsRequest,
  Entity,
  InstancesRequest,
  MetadataReader,
  NameHint,
  NamePages,
  Scope,
  SeenWindow,
  ServicesRequest,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {entityConditions, LAST_EDGE} from '../metrics/entity-conditions.js';

const PAGE = 1000;
/** Names beyond this number are filtered by whoever asks. */
const NAMES_IN_STATEMENT = 1000;

/** Lists entities, each page with one statement. */
export class ClickHouseMetadataReader implements MetadataReader {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  layers(call: Call): Promise<readonly string[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), layer FROM entities WHERE scope = 'Service' GROUP BY layer ORDER BY layer`,
      row => row.string(),
      call.signal,
    );
  }

  services({layer, name}: ServicesRequest, call: Call): NamePages {
    return this.#pages('Service', {layer}, sql`service`, [], name, undefined, call);
  }

  instances({layer, service, seen, name}: InstancesRequest, call: Call): NamePages {
    return this.#pages('ServiceInstance', {layer, service}, sql`name`, [], name, seen, call);
  }

  endpoints({layer, service, seen, name, keyword = ''}: EndpointsRequest, call: Call): NamePages {
    const where = keyword === '' ? [] : [sql`position(name, ${keyword}) > 0`];
    return this.#pages('Endpoint', {layer, service}, sql`name`, where, name, seen, call);
  }

  async *#pages(
    scope: Scope,
    given: Partial<Entity>,
    column: Sql,
    where: readonly Sql[],
    hint: NameHint | undefined,
    seen: SeenWindow | undefined,
    call: Call,
  ): AsyncGenerator<readonly string[]> {
    // When it was first seen is needed only of entities that a window is asked for.
    const edges = seen === undefined ? [LAST_EDGE] : [];
    const conditions = [...entityConditions(scope, given), ...edges, ...where, ...hintConditions(column, hint)];
    const window = seen === undefined ? sql`` : sql` HAVING ${seenCondition(seen)}`;
    let after: string | undefined;
    for (;;) {
      call.signal.throwIfAborted();
      const from = after === undefined ? [] : [sql`${column} > ${after}`];
      const names = await this.#client.rows(
        sql`SELECT toUInt8(1), ${column} AS listed FROM entities WHERE ${joined([...conditions, ...from], ' AND ')} GROUP BY listed${window} ORDER BY listed LIMIT ${PAGE}`,
        row => row.string(),
        call.signal,
      );
      yield names;
      if (names.length < PAGE) return;
      after = names.at(-1);
    }
  }
}

function seenCondition({from, to}: SeenWindow): Sql {
  const first = Math.floor(from / SECONDS_PER_MINUTE);
  const last = Math.floor(to / SECONDS_PER_MINUTE);
  return sql`max(minute) >= ${first} AND min(minute) <= ${last}`;
}

function hintConditions(column: Sql, {equals, oneOf, prefix}: NameHint = {}): readonly Sql[] {
  const conditions: Sql[] = [];
  if (equals !== undefined) conditions.push(sql`${column} = ${equals}`);
  if (oneOf !== undefined && oneOf.length <= NAMES_IN_STATEMENT) {
    conditions.push(oneOf.length === 0 ? sql`0` : sql`${column} IN ${oneOf}`);
  }
  if (prefix !== undefined && prefix !== '') conditions.push(sql`startsWith(${column}, ${prefix})`);
  return conditions;
}
