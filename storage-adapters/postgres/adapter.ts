import type {AdapterDefinition} from '../../core/api/adapter.js';
import {checkConfig, configSchema, type PostgresConfig} from './config.js';
import {PostgresStorage} from './storage.js';

/** A PostgreSQL database that several gateways may share. Everything but native traces. */
const postgres: AdapterDefinition<PostgresConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'postgres',
  configSchema,
  checkConfig,
  backupTools: 'pg_dump, or a base backup of the server',
  create: context => new PostgresStorage(context),
};

export default postgres;
