import type {ClickHouseClient} from '../client/client.js';
import {sql} from '../client/sql.js';
import type {Settings} from '../client/statement.js';

/** What the server can do, by its version: year and month, `18.16` is 1816. */
export interface ServerFeatures {
  readonly version: string;
  /** Compression by column, since 19.17 reliably. */
  readonly hasCodecs: boolean;
  /** Dictionaries of few values in a column; an experiment in earlier versions. */
  readonly hasLowCardinality: boolean;
  /** Bloom filters per granule. */
  readonly hasSkipIndexes: boolean;
  readonly settings: Settings;
}

const OLDEST = 1816;

/**
 * Settings that each statement should have, where the server knows them: a write is stored when it is acknowledged; all
 * gateways read and write the same replica first, so that each sees what was written, and read no replica that lacks
 * something older than a second while there is another; a batch may hold any number of days.
 */
const WANTED: Settings = {
  async_insert: 0,
  insert_distributed_sync: 1,
  distributed_foreground_insert: 1,
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  max_replica_delay_for_distributed_queries: 1,
  fallback_to_stale_replicas_for_distributed_queries: 1,
  max_partitions_per_insert_block: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  join_use_nulls: 0,
  any_join_distinct_right_table_keys: 0,
  max_query_size: 4_194_304,
};

export async function probeServer(client: ClickHouseClient, signal: AbortSignal): Promise<ServerFeatures> {
  const [version = ''] = await client.rows(sql`SELECT toUInt8(1), version()`, row => row.string(), signal);
  const known = await client.rows(
    sql`SELECT toUInt8(1), name FROM system.settings WHERE name IN ${Object.keys(WANTED)}`,
    row => row.string(),
    signal,
  );
  // Newer servers know the setting under both names, of which only one may be given.
  const named = new Set(known);
  if (named.has('distributed_foreground_insert')) named.delete('insert_distributed_sync');
  return serverOf(version, Object.fromEntries(Object.entries(WANTED).filter(([name]) => named.has(name))));
}

/** What follows from a version such as `24.8.1.1`; undefined settings are none. */
export function serverOf(version: string, settings: Settings = {}): ServerFeatures {
  const [year = 0, month = 0] = version.split('.').map(Number);
  const number = year * 100 + month;
  return {
    version,
    hasCodecs: number >= 1917,
    hasLowCardinality: number >= 2003,
    hasSkipIndexes: number >= 2003,
    settings,
  };
}

export function isTooOld(version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number);
  return year * 100 + month < OLDEST;
}
