import {
  type BucketWindow,
  type Call,
  type Entity,
  entityOf,
  type RelationScope,
  type RelationsRequest,
  type TopologyReader,
} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {type BucketRange, type CutOffs, inMinutes, rangeOf} from './buckets.js';
import type {ClickHouseCatalog} from './catalog.js';
import {entityConditions, LAST_EDGE} from './entity-conditions.js';

/** Lists relations with one statement: the entities of those ids of which a bucket has a row. */
export class ClickHouseTopologyReader implements TopologyReader {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #cutOffs: () => Promise<CutOffs>;

  constructor(client: ClickHouseClient, catalog: ClickHouseCatalog, cutOffs: () => Promise<CutOffs>) {
    this.#client = client;
    this.#catalog = catalog;
    this.#cutOffs = cutOffs;
  }

  async relations({scope, window, of, limit}: RelationsRequest, {signal}: Call): Promise<readonly Entity[]> {
    signal.throwIfAborted();
    const metrics = (await this.#catalog.list()).filter(one => one.scope === scope && one.kind !== 'sampled-record');
    if (metrics.length === 0) return [];
    const names = metrics.map(({name}) => name);
    const present = idsWithValues(names, window, await this.#cutOffs());
    const ends = of === undefined ? [] : [isEnd(of)];
    const conditions = [...entityConditions(scope, {}), LAST_EDGE, ...ends, sql`id GLOBAL IN (${present})`];
    const columns = sql`layer, service, name, dest_layer, dest_service, dest_name`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), ${columns} FROM entities WHERE ${joined(conditions, ' AND ')} GROUP BY ${columns} ORDER BY ${columns} LIMIT ${limit}`,
      row => {
        const [layer, service, name, destLayer, destService, destName] = [1, 2, 3, 4, 5, 6].map(() => row.string());
        return relationOf(scope, [layer, service, name], [destLayer, destService, destName]);
      },
      signal,
    );
  }
}

function isEnd({layer, service}: NonNullable<RelationsRequest['of']>): Sql {
  return sql`((layer = ${layer} AND service = ${service}) OR (dest_layer = ${layer} AND dest_service = ${service}))`;
}

type EndNames = readonly (string | undefined)[];

/** Services have no third name. */
function relationOf(scope: RelationScope, source: EndNames, destination: EndNames): Entity {
  const length = scope === 'ServiceRelation' ? 2 : 3;
  const names = [...source.slice(0, length), ...destination.slice(0, length)];
  return entityOf(
    scope,
    names.map(name => name ?? ''),
  );
}

/** Of the parts of a window from the tables that hold them: what was made of removed minutes, and the minutes that are there. */
function idsWithValues(metrics: readonly string[], window: BucketWindow, cutOffs: CutOffs): Sql {
  const {step} = window;
  const sources: Sql[] = [];
  let {first, end} = rangeOf(window);
  const add = (table: 'days' | 'hours' | 'minutes', condition: Sql): void => {
    const from = {days: sql`days`, hours: sql`hours`, minutes: sql`minutes`}[table];
    sources.push(sql`SELECT entity FROM ${from} WHERE metric IN ${metrics} AND ${condition}`);
  };
  if (step === 'day') {
    const border = between(cutOffs.days, {first, end});
    if (border > first) add('days', sql`day >= ${first} AND day < ${border}`);
    [first, end] = [border * HOURS_PER_DAY, end * HOURS_PER_DAY];
  }
  if (step !== 'minute') {
    const border = between(cutOffs.hours, {first, end});
    if (border > first) add('hours', sql`hour >= ${first} AND hour < ${border}`);
    [first, end] = [border * MINUTES_PER_HOUR, end * MINUTES_PER_HOUR];
  }
  if (first < end) add('minutes', inMinutes({first, end}));
  return sql`SELECT entity FROM (${joined(sources, ' UNION ALL ')})`;
}

function between(border: number, {first, end}: BucketRange): number {
  return Math.min(Math.max(first, border), end);
}
