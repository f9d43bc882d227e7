import type {AdapterDefinition} from '../../core/api/adapter.js';
import {configSchema, type PostgresConfig} from './config.js';
import {PostgresStorage} from './storage.js';

/** A PostgreSQL database that several gateways may share. Everything but native traces. */
const postgres: AdapterDefinition<PostgresConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'postgres',
  configSchema,
  create: context => new PostgresStorage(context),
};

export default postgres;
