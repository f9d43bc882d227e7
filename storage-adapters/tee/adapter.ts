import type {AdapterDefinition} from '../../core/api/adapter.js';
import {checkConfig, configSchema, NAME, type TeeConfig} from './config.js';
import {TeeStorage} from './storage.js';

/** Two storages as one: both are written, the first one answers, and the second is asked the same and compared. */
const tee: AdapterDefinition<TeeConfig> = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: NAME,
  configSchema,
  checkConfig,
  backupTools: 'a configuration of one of its storages alone',
  create: context => new TeeStorage(context),
};

export default tee;
