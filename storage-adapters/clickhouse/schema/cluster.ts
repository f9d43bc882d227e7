import {GatewayError} from '../../../core/api/adapter.js';
import {listOf, quote} from '../../../core/toolkit/messages.js';
import type {ClickHouseClient} from '../client/client.js';
import {serverErrorNumber, TIMEOUT_EXCEEDED} from '../client/server-error.js';
import {type Sql, sql} from '../client/sql.js';
import type {TablePlace} from './ddl.js';

/** The replicas that every shard of a cluster has. Refuses a cluster that the server does not know. */
export async function replicasOf(client: ClickHouseClient, cluster: string, signal: AbortSignal): Promise<number> {
  const shards = await client.systemRows(
    sql`SELECT toUInt8(1), cluster, toInt64(count()) FROM system.clusters GROUP BY cluster, shard_num`,
    row => ({cluster: row.string(), replicas: row.int64()}),
    signal,
  );
  const replicas = shards.filter(shard => shard.cluster === cluster).map(shard => shard.replicas);
  if (replicas.length > 0) return Math.min(...replicas);
  const names = [...new Set(shards.map(shard => shard.cluster))];
  throw new GatewayError(
    'storage_failed',
    `ClickHouse knows no cluster ${quote(cluster)}; its configuration names ${listOf(names) || 'none'}`,
  );
}

export interface EverywhereOptions {
  /** How long nodes are waited for, in milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

/**
 * Carries out a statement on every node. The nodes of a cluster that did not report in time, which carry it out when
 * they are back: none when all did.
 */
export async function everywhere(
  client: ClickHouseClient,
  statement: Sql,
  {cluster}: TablePlace,
  {patience, signal}: EverywhereOptions,
): Promise<readonly string[]> {
  if (cluster === undefined) {
    await client.execute(statement, {signal});
    return [];
  }
  try {
    const settings = {distributed_ddl_task_timeout: Math.ceil(patience / 1000)};
    await client.execute(statement, {settings, signal});
    return [];
  } catch (error) {
    const task = /\/\S+\/query-\d+/.exec((error as Error).message)?.[0];
    if (serverErrorNumber(error) !== TIMEOUT_EXCEEDED || task === undefined) throw error;
    const silent = await unfinished(client, cluster, task, signal);
    if (silent.length === 0) throw error;
    return silent;
  }
}

/** The nodes, as the configuration of the server calls them, that have not reported the end of a task in ZooKeeper. */
async function unfinished(
  client: ClickHouseClient,
  cluster: string,
  task: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const nodes = await client.systemRows(
    sql`SELECT toUInt8(1), host_name, toInt64(port) FROM system.clusters WHERE cluster = ${cluster}`,
    row => `${row.string()}:${row.int64()}`,
    signal,
  );
  const finished = await client.systemRows(
    sql`SELECT toUInt8(1), name FROM system.zookeeper WHERE path = ${`${task}/finished`}`,
    row => decodeURIComponent(row.string()),
    signal,
  );
  return nodes.filter(node => !finished.includes(node));
}
