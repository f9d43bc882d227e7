import {GatewayError, type Logger} from '../../../core/api/adapter.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {ClickHouseClient} from '../client/client.js';
import {RowWriter} from '../client/row-writer.js';
import {
  ACCESS_DENIED,
  READ_ONLY_USER,
  serverErrorNumber,
  TABLE_EXISTS,
  UNKNOWN_DATABASE,
  UNKNOWN_TABLE,
} from '../client/server-error.js';
import {type Sql, sql} from '../client/sql.js';
import type {ClickHouseConfig} from '../config.js';
import {type EverywhereOptions, everywhere} from './cluster.js';
import {createDatabase, createTable, type TablePlace} from './ddl.js';
import type {ServerFeatures} from './server.js';
import {TABLES} from './tables.js';

/**
 * The version of the tables that this gateway works with, and the key under which it stands in the table `meta`. Version 2 has
 * those of OTLP further.
 */
export const SCHEMA_VERSION = 2;
const KEY = 'schema_version';

const COMMAND = 'query-gateway check --connect';

/**
 * Brings the schema to the version of this gateway, or refuses to work with another. Each statement may be repeated, so
 * gateways that start at the same time do no harm to each other, and one that was interrupted is completed by the next.
 */
export async function prepareSchema(
  client: ClickHouseClient,
  place: TablePlace,
  server: ServerFeatures,
  {createSchema, queryTimeout}: Pick<ClickHouseConfig, 'createSchema' | 'queryTimeout'>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const found = await schemaVersion(client, place, signal);
  if (found === SCHEMA_VERSION) return;
  const where = `the database ${quote(place.database)} of ClickHouse`;
  if (found > SCHEMA_VERSION) {
    throw new GatewayError(
      'storage_failed',
      `${where} has version ${found} of the schema, and this gateway works with version ${SCHEMA_VERSION}: it needs a newer release`,
    );
  }
  if (!createSchema) {
    throw new GatewayError(
      'storage_failed',
      `${where} has ${found === 0 ? 'no tables of the gateway' : `version ${found} of the schema`}, and createSchema is false: run "${COMMAND}" once with createSchema true and a user that may create tables`,
    );
  }
  log.info('creating the tables of the storage', {database: place.database, version: SCHEMA_VERSION});
  await findZooKeeper(client, place, signal);
  const options = {patience: queryTimeout, signal};
  await define(client, createDatabase(place), place, options);
  for (const table of TABLES) {
    for (const statement of createTable(table, place, server)) await define(client, statement, place, options);
  }
  const row = new RowWriter();
  row.string(KEY);
  row.int64(SCHEMA_VERSION);
  await client.insert(sql`meta (key, value)`, row.finish());
}

/** 0 when there is no database or no tables. */
async function schemaVersion(client: ClickHouseClient, {database}: TablePlace, signal: AbortSignal): Promise<number> {
  try {
    const select = sql`SELECT toUInt8(1), max(value) FROM meta WHERE key = ${KEY}`;
    const [version = 0] = await client.rows(select, row => row.int64(), signal);
    return version;
  } catch (error) {
    const number = serverErrorNumber(error);
    if (number === UNKNOWN_DATABASE || number === UNKNOWN_TABLE) return 0;
    if (number !== ACCESS_DENIED) throw error;
    throw new GatewayError('storage_failed', `the user may not read the database ${quote(database)} of ClickHouse`, {
      cause: error,
    });
  }
}

/** Fails when it cannot be reached; a server of 18.16 dies of an ON CLUSTER statement then. */
async function findZooKeeper(client: ClickHouseClient, {cluster}: TablePlace, signal: AbortSignal): Promise<void> {
  if (cluster === undefined) return;
  try {
    await client.systemRows(
      sql`SELECT toUInt8(1), name FROM system.zookeeper WHERE path = '/'`,
      row => row.string(),
      signal,
    );
  } catch (error) {
    const number = serverErrorNumber(error);
    if (number === ACCESS_DENIED) return;
    if (number !== UNKNOWN_TABLE) throw error;
    throw new GatewayError(
      'storage_failed',
      `ClickHouse is configured without ZooKeeper or Keeper, which the cluster ${quote(cluster)} needs`,
      {cause: error},
    );
  }
}

async function define(
  client: ClickHouseClient,
  statement: Sql,
  place: TablePlace,
  options: EverywhereOptions,
): Promise<void> {
  try {
    const silent = await everywhere(client, statement, place, options);
    if (silent.length === 0) return;
    throw new GatewayError(
      'storage_unavailable',
      `the tables cannot be made on all nodes of the ClickHouse cluster ${quote(place.cluster)}: ${silent.join(', ')} did not answer within ${options.patience / 1000} seconds; start again when they run and reach ZooKeeper`,
    );
  } catch (error) {
    const number = serverErrorNumber(error);
    // Another gateway was quicker.
    if (number === TABLE_EXISTS) return;
    if (number !== ACCESS_DENIED && number !== READ_ONLY_USER) throw error;
    throw new GatewayError(
      'storage_failed',
      `the user may not create tables in ClickHouse: grant it CREATE, or run "${COMMAND}" once with a user that may and set createSchema to false here`,
      {cause: error},
    );
  }
}
