import type {AdapterDefinition} from '../../core/api/adapter.js';
import {backup} from './backup/backup.js';
import {checkConfig, checkStored, configSchema, type EmbeddedConfig} from './config.js';
import {EmbeddedStorage} from './storage.js';

/** A database in a folder, in this process: nothing to install or start. */
const embedded: AdapterDefinition<EmbeddedConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'embedded',
  configSchema,
  checkConfig,
  checkStored,
  exclusive: ({path}: EmbeddedConfig) => [{key: 'path', what: `the folder ${path}`}],
  backup,
  create: context => new EmbeddedStorage(context),
};

export default embedded;
