/**
 * Which tests run. `npm test` leaves out those that a person does not wait for, `*.long.test.ts` and
 * `*.long.fuzz.test.ts`: real clusters, long random histories, mutants of the kit, storages
 * compared with each other, time limits that are waited for, packages that are built and installed.
 * `npm run test:all` runs all; with TESTS=long it runs what `npm test` left out.
 */
const LONG = 'dist/test/**/*.long.{test,fuzz.test}.js';
const FILES = {
  short: ['dist/test/**/*.test.js', `!${LONG}`],
  long: [LONG],
  all: ['dist/test/**/*.test.js'],
};

export default {
  files: FILES[process.env.TESTS ?? 'short'],
  require: ['./dist/test/support/file-times.js'],
  timeout: '3m',
};
