import {GatewayError, type Logger} from '../../../core/api/adapter.js';
import {MAINTENANCE, type PostgresDatabase, type Transaction} from '../client/database.js';
import type {PostgresConfig} from '../config.js';
import {lock} from './locks.js';
import {MIGRATIONS, SCHEMA_VERSION} from './migrations.js';

/** As `server_version_num` counts. */
const OLDEST_SERVER = 150_000;
const SQL_IN_DOCS =
  'run the SQL of docs/postgres.md as the user of the url, or set storage.config.createSchema to true';

interface FoundSchema {
  readonly hasSchema: boolean;
  /** 0 when there are no tables. */
  readonly version: number;
}

/** Makes sure that the tables are there, of this version, and ours to change; else says what to do. */
export async function prepareSchema(
  database: PostgresDatabase,
  config: PostgresConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const [[server = 0, recovering = false] = []] = await database.query<[number, boolean]>(
    `SELECT current_setting('server_version_num')::int, pg_is_in_recovery()`,
    [],
    signal,
  );
  const where = `PostgreSQL at ${database.server}`;
  if (server < OLDEST_SERVER) {
    const version = `${Math.floor(server / 10_000)}.${server % 10_000}`;
    throw new GatewayError('storage_failed', `${where} is of version ${version}; 15 or newer is needed`);
  }
  if (recovering) {
    throw new GatewayError(
      'storage_unavailable',
      `${where} is a standby and takes no writes; name the primary in the url`,
    );
  }
  const {schema, createSchema} = config;
  if (createSchema) await database.transaction(transaction => migrate(transaction, schema, where, log), MAINTENANCE);
  await database.transaction(async transaction => {
    const {version} = await inspectSchema(transaction, schema);
    refuseNewer(version, schema, where);
    if (version === 0) {
      throw new GatewayError(
        'storage_failed',
        `${where} has no tables of the gateway in the schema "${schema}", and storage.config.createSchema is false: ${SQL_IN_DOCS}`,
      );
    }
    if (version < SCHEMA_VERSION) {
      throw new GatewayError(
        'storage_failed',
        `the tables in the schema "${schema}" of ${where} are of version ${version}, this gateway needs ${SCHEMA_VERSION}, and storage.config.createSchema is false: ${SQL_IN_DOCS}`,
      );
    }
    await checkRights(transaction, schema, where);
  }, MAINTENANCE);
}

async function migrate(transaction: Transaction, schema: string, where: string, log: Logger): Promise<void> {
  await lock(transaction, schema, 'migrations');
  const {hasSchema, version} = await inspectSchema(transaction, schema);
  refuseNewer(version, schema, where);
  if (version === SCHEMA_VERSION) return;
  // What gateways of the earlier version are writing is there, or fails, before the tables change.
  await lock(transaction, schema, 'metrics');
  await lock(transaction, schema, 'traces');
  await lock(transaction, schema, 'otlp');
  if (!hasSchema) await transaction.query(`CREATE SCHEMA "${schema}"`);
  for (const migration of MIGRATIONS.slice(version)) await transaction.query(migration);
  await transaction.query('UPDATE store SET version = $1', [SCHEMA_VERSION]);
  log.info('the tables were brought up to date', {schema, from: version, to: SCHEMA_VERSION});
}

async function inspectSchema(transaction: Transaction, schema: string): Promise<FoundSchema> {
  const [[hasSchema = false, hasTables = false] = []] = await transaction.query<[boolean, boolean]>(
    'SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL',
    [`"${schema}"`, `"${schema}".store`],
  );
  if (!hasTables) return {hasSchema, version: 0};
  const [[version = 0] = []] = await transaction.query<[number]>(`SELECT version FROM "${schema}".store`);
  return {hasSchema, version};
}

function refuseNewer(version: number, schema: string, where: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new GatewayError(
    'storage_failed',
    `the tables in the schema "${schema}" of ${where} are of version ${version}, and this gateway knows ${SCHEMA_VERSION}: run the newer gateway that made them, or name another storage.config.schema`,
  );
}

/** Partitions are made and dropped while the gateway runs, which is the right of the tables' owner. */
async function checkRights(transaction: Transaction, schema: string, where: string): Promise<void> {
  const [[user = '', maySee = false, mayCreate = false, foreign = null] = []] = await transaction.query<
    [string, boolean, boolean, string | null]
  >(
    `SELECT current_user::text, has_schema_privilege($1, 'USAGE'), has_schema_privilege($1, 'CREATE'),
            (SELECT string_agg(relname::text, ', ' ORDER BY relname) FROM pg_class
             WHERE relnamespace = to_regnamespace($2) AND relkind IN ('r', 'p')
               AND NOT relispartition AND NOT pg_has_role(relowner, 'USAGE'))`,
    [schema, `"${schema}"`],
  );
  const lack = !maySee
    ? `has no right to use the schema "${schema}": GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${user}"`
    : !mayCreate
      ? `may not create partitions in the schema "${schema}": GRANT CREATE ON SCHEMA "${schema}" TO "${user}"`
      : foreign === null
        ? undefined
        : `does not own the tables ${foreign} of the schema "${schema}": ALTER TABLE … OWNER TO "${user}"`;
  if (lack !== undefined) throw new GatewayError('storage_failed', `the user "${user}" of ${where} ${lack}`);
}
