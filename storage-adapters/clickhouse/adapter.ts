import type {AdapterDefinition} from '../../core/api/adapter.js';
import {type ClickHouseConfig, checkConfig, configSchema} from './config.js';
import {ClickHouseStorage} from './storage.js';

/** A ClickHouse server or cluster, over its HTTP interface. */
const clickhouse: AdapterDefinition<ClickHouseConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'clickhouse',
  configSchema,
  severalProcesses: true,
  checkConfig,
  places: ({urls, database}: ClickHouseConfig) =>
    urls.map(url => ({key: 'database', what: `the database ${database} at ${new URL(url).host}`})),
  backupTools: 'BACKUP of the server, or clickhouse-backup',
  create: context => new ClickHouseStorage(context),
};

export default clickhouse;
