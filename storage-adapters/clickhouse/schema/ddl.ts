import {identifier, Sql, sql} from '../client/sql.js';
import type {ServerFeatures} from './server.js';
import type {Table, TableColumn} from './tables.js';

/** Where the tables live. */
export interface TablePlace {
  readonly database: string;
  /** Undefined: on one server. */
  readonly cluster: string | undefined;
}

/** The suffix of the tables that hold the rows of one shard, behind the tables that are asked. */
export const LOCAL = '_local';

/** ` ON CLUSTER name`, or nothing. */
export function onCluster({cluster}: TablePlace): Sql {
  return cluster === undefined ? sql`` : sql` ON CLUSTER ${identifier(cluster)}`;
}

export function createDatabase(place: TablePlace): Sql {
  return sql`CREATE DATABASE IF NOT EXISTS ${identifier(place.database)}${onCluster(place)}`;
}

/** The statements that make a table, with what the version of the server offers. All may be repeated. */
export function createTable(table: Table, place: TablePlace, server: ServerFeatures): readonly Sql[] {
  const name = (suffix = '') => sql`${identifier(place.database)}.${identifier(table.name + suffix)}`;
  const columns = table.columns.map(column => columnText(column, server));
  const filters = server.hasSkipIndexes ? (table.bloom ?? []) : [];
  const indexes = filters.map(column => `INDEX bloom_${column} ${column} TYPE bloom_filter(0.01) GRANULARITY 1`);
  const body = (engine: string) =>
    new Sql(
      [
        ` (\n  ${[...columns, ...indexes].join(',\n  ')}\n)`,
        `ENGINE = ${engine}`,
        ...(table.partition === undefined ? [] : [`PARTITION BY ${table.partition}`]),
        `ORDER BY (${table.key})`,
        `SETTINGS index_granularity = ${table.granularity ?? 8192}`,
      ].join('\n'),
    );
  const {cluster, database} = place;
  if (cluster === undefined) {
    return [sql`CREATE TABLE IF NOT EXISTS ${name()}${body(`ReplacingMergeTree(${table.newest})`)}`];
  }
  const path = sql`${`/clickhouse/tables/{shard}/${database}/${table.name}`}`;
  const newest = table.newest === '' ? '' : `, ${table.newest}`;
  const engine = `ReplicatedReplacingMergeTree(${path.text}, '{replica}'${newest})`;
  const sharded = sql`Distributed(${cluster}, ${database}, ${table.name + LOCAL}, ${new Sql(table.sharding)})`;
  return [
    sql`CREATE TABLE IF NOT EXISTS ${name(LOCAL)}${onCluster(place)}${body(engine)}`,
    sql`CREATE TABLE IF NOT EXISTS ${name()}${onCluster(place)} AS ${name(LOCAL)} ENGINE = ${sharded}`,
  ];
}

export function dropPartition(table: string, partition: number, place: TablePlace): Sql {
  const local = place.cluster === undefined ? table : table + LOCAL;
  const name = sql`${identifier(place.database)}.${identifier(local)}`;
  return sql`ALTER TABLE ${name}${onCluster(place)} DROP PARTITION ${partition}`;
}

function columnText({name, type, few, codec}: TableColumn, server: ServerFeatures): string {
  const stored = few && server.hasLowCardinality ? `LowCardinality(${type})` : type;
  return `${name} ${stored}${codec !== undefined && server.hasCodecs ? ` CODEC(${codec})` : ''}`;
}
