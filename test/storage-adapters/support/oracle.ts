import {HEALTHY} from '../../../core/api/adapter.js';
import {createOracle} from '../../../storage-adapters/conformance/oracle/oracle.js';
import {StorageHarness} from './storage-harness.js';

/** The kit's oracle in the place of a storage: what it answers is what the contract says. It forgets with a restart. */
export async function startOracle(): Promise<StorageHarness> {
  const oracle = new StorageHarness(() => ({
    start: async () => createOracle(),
    health: async () => HEALTHY,
    stop: async () => undefined,
  }));
  await oracle.start();
  return oracle;
}
