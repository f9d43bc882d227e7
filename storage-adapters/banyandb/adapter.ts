import type {AdapterDefinition} from '../../core/api/adapter.js';
import {type BanyanDBConfig, checkConfig, configSchema} from './config.js';
import {BanyanDBStorage} from './storage.js';

/** Reads what a SkyWalking OAP has stored in BanyanDB. Read-only; native traces where the server has the trace model. */
const banyandb: AdapterDefinition<BanyanDBConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'banyandb',
  configSchema,
  severalProcesses: true,
  checkConfig,
  places: ({endpoints, namespace}: BanyanDBConfig) =>
    endpoints.map(endpoint => ({key: 'endpoints', what: `the namespace "${namespace}" at ${endpoint}`})),
  backupTools: 'the backup and restore tools of BanyanDB',
  create: context => new BanyanDBStorage(context),
};

export default banyandb;
