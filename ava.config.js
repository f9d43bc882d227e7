import {availableParallelism} from 'node:os';

/**
 * Which tests run. `npm test` leaves out those that a person does not wait for, `*.long.test.ts` and
 * `*.long.fuzz.test.ts`: real clusters, long random histories, mutants of the kit, storages
 * compared with each other, processes that are killed and files that are damaged, time limits that are waited for,
 * packages that are built and installed. `npm run test:all` runs all; with TESTS=long it runs what `npm test` left out. With
 * TESTS=later that, and what depends on how Node.js treats a connection, which `.ci/run` does on a later version.
 */
const LONG = 'dist/test/**/*.long.{test,fuzz.test}.js';
const FILES = {
  short: ['dist/test/**/*.test.js', `!${LONG}`],
  long: [LONG],
  later: [
    LONG,
    'dist/test/clients/**/*.test.js',
    'dist/test/core/remote/**/*.test.js',
    'dist/test/core/access/tls.test.js',
    'dist/test/core/http/{bodies,encoding,heavy,limits,routes,stream-body}.test.js',
  ],
  all: ['dist/test/**/*.test.js'],
};

/** What takes half a minute or more begins first, the longest before the others: one that began late would run on alone at the end. */
const LONGEST = [
  'clickhouse/cluster.long',
  'clickhouse/conformance-of-current',
  'clickhouse/conformance',
  'cli/copy.long',
  'banyandb/conformance.long',
  'swap/recipe/recipe.long',
  'swap/swap.long',
  'conformance/embedded.long',
  'test/installed.long',
  'conformance/memory.long',
  'tee/conformance.long',
  'console/pages',
  'http/connections.long',
  'clickhouse/faults',
  'postgres/conformance',
  'postgres/connections',
  'test/third-parties.long',
  'clickhouse/retention',
  'clickhouse/client',
  'cli/load.long',
  'host/reload.long',
  'embedded/library.long',
  'embedded/damage.long',
  'traces/traces.long.fuzz',
  'conformance/broken-traces.long',
  'conformance/broken-exports.long',
  'cli/copy-extent.long',
  'cli/copy-sources.long',
  'postgres/faults',
  'embedded/retention.long',
  'embedded/storage.long.fuzz',
  'swap/banyandb.long',
  'swap/banyandb-to-clickhouse.long',
  'swap/rankings.long.fuzz',
  'rehearse/defects.long',
  'cli/copy',
  'rehearse/rehearse',
  'cli/demo',
];
const rank = file => LONGEST.findIndex(name => file.endsWith(`/${name}.test.js`)) + 1 || LONGEST.length + 1;

// More files at a time than there are cores: many wait for a server, or for a program to start or end, more than they work.
const AT_ONCE = Math.ceil(1.5 * availableParallelism());

export default {
  files: FILES[process.env.TESTS ?? 'short'],
  sortTestFiles: (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
  require: ['./dist/test/support/file-times.js'],
  timeout: '3m',
  concurrency: AT_ONCE,
};
