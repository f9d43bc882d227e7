import type {AdapterDefinition} from '../../core/api/adapter.js';
import {addressOf} from './client/url.js';
import {checkConfig, configSchema, type PostgresConfig} from './config.js';
import {PostgresStorage} from './storage.js';

/** A PostgreSQL database that several gateways may share. Everything but native traces. */
const postgres: AdapterDefinition<PostgresConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'postgres',
  configSchema,
  severalProcesses: true,
  checkConfig,
  places: ({url, tls, schema}: PostgresConfig) => {
    const {host, port, database} = addressOf(url, tls !== undefined);
    return [{key: 'url', what: `the schema ${schema} of the database ${database} at ${host}:${port}`}];
  },
  backupTools: 'pg_dump, or a base backup of the server',
  create: context => new PostgresStorage(context),
};

export default postgres;
