import test from 'ava';
import {type AdapterDefinition, CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import adapter from '../../../storage-adapters/clickhouse/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import {ownerOf} from '../../support/owner.js';
import {type Program, suiteWith} from '../../support/programs.js';
import {startChdb} from '../../support/servers/chdb.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';

const ENGINES = [
  {program: 'clickhouse-server', start: startClickHouse, name: 'clickhouse'},
  {program: 'chdb', start: startChdb, name: 'clickhouse with the current engine'},
] as const satisfies readonly {program: Program; start: unknown; name: string}[];

for (const {program, start, name} of ENGINES) {
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
      module: './dist/storage-adapters/clickhouse/adapter.js',
    });
    // After the kit, which removes its databases at the end.
    const owner = ownerOf(test);
  });
}
