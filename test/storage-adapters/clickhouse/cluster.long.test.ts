import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import adapter from '../../../storage-adapters/clickhouse/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import {IS_KIT_BRIEF} from '../../support/fuzz.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {CLUSTER, type ClickHouseCluster, startCluster} from '../../support/servers/cluster.js';
import {testReplicaFaults} from './replica-faults.js';

/** Groups that read or keep all that a store holds, but the one that stores much itself. */
const EXPORTS = /_(export_(?!many)\w+|history(_again)?)$/;

suiteWith(test, ['clickhouse-server', 'zookeeper'], 'clickhouse on a cluster', () => {
  let started: Promise<ClickHouseCluster> | undefined;
  const cluster = (): Promise<ClickHouseCluster> => {
    started ??= startCluster(owner);
    return started;
  };

  testAdapter(test, {
    adapter,
    name: 'clickhouse on two shards of two replicas',
    module: './dist/storage-adapters/clickhouse/adapter.js',
    // Groups share tables: to make them on every node takes longer than the tests. Exports would read what all have written.
    config: async ({name}) => {
      const database = EXPORTS.test(name) ? 'kit_exports' : 'kit';
      return {config: {urls: (await cluster()).urls, database, cluster: CLUSTER}};
    },
    expects: CAPABILITY_NAMES,
    brief: IS_KIT_BRIEF,
    exempt: {
      'a read beside writes sees each batch of samples whole or not at all':
        'two shards do not take their parts of a batch in the same moment',
    },
  });
  testReplicaFaults(test, cluster);
  // After the kit, which stops its adapters at the end.
  const owner = ownerOf(test);
});
