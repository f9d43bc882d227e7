import test from 'ava';
import {type AdapterDefinition, CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import adapter from '../../../storage-adapters/clickhouse/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import {ownerOf} from '../../support/owner.js';
import {type Program, suiteWith} from '../../support/programs.js';
import type {startChdb} from '../../support/servers/chdb.js';
import type {startClickHouse} from '../../support/servers/clickhouse.js';

/** Declares the conformance kit over one engine: each in a file of its own, so that they run beside each other. */
export function testKitOver(
  program: Program,
  name: string,
  start: typeof startChdb | typeof startClickHouse,
  brief = false,
): void {
  suiteWith(test, program, `the conformance kit of ${name}`, () => {
    let server: ReturnType<typeof start> | undefined;
    testAdapter(test, {
      adapter: adapter as AdapterDefinition,
      name,
      config: async ({name: database}) => {
        server ??= start(owner);
        const running = await server;
        const remove = async () => void (await running.query(`DROP DATABASE IF EXISTS ${database}`));
        return {config: {urls: [running.url], database}, remove};
      },
      expects: CAPABILITY_NAMES,
      brief,
      module: './dist/storage-adapters/clickhouse/adapter.js',
    });
    // After the kit, which removes its databases at the end.
    const owner = ownerOf(test);
  });
}
