import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {runNode, scratchFolder} from '../../support/gateway.js';
import {gatewayWithout, type Sqlite} from '../../support/package.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';

const WHY: Readonly<Record<Sqlite, RegExp>> = {
  'not installed':
    /needs the package better-sqlite3, and it is not installed: run npm install better-sqlite3, and where scripts are switched off npm rebuild better-sqlite3;/,
  'not built': /needs the package better-sqlite3, and its compiled part is missing: run npm rebuild better-sqlite3;/,
  broken:
    /needs the package better-sqlite3, and its compiled part does not load \(.*\): run npm rebuild better-sqlite3;/,
};

const EMBEDDED = {storage: {use: 'embedded', config: {path: './data'}}, plugins: [{use: 'ingest'}]};

for (const [sqlite, reason] of Object.entries(WHY) as [Sqlite, RegExp][]) {
  test(`every command that opens the embedded storage says in one line what to do where better-sqlite3 is ${sqlite}`, async t => {
    const program = await gatewayWithout(t, sqlite);
    const folder = await scratchFolder(t);
    await writeFile(join(folder, 'gateway.config.json'), JSON.stringify(EMBEDDED));
    await writeFile(join(folder, 'empty.ndjson'), '');
    for (const words of [['check', '--connect'], ['serve'], ['load', 'empty.ndjson'], ['demo', '--port-base', '0']]) {
      const command = runNode(t, [program, ...words], folder);
      t.is(await command.exit, 1, words.join(' '));
      const said = command.stderr.filter(line => reason.test(line));
      t.is(said.length, 1, `${words.join(' ')}\n${command.stderr.join('\n')}`);
      t.notRegex(command.stderr.join('\n'), /no code|died/);
    }
  });
}

test('what needs no storage runs where better-sqlite3 is not built', async t => {
  const program = await gatewayWithout(t, 'not built');
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'gateway.config.json'), JSON.stringify(EMBEDDED));
  for (const words of [['check'], ['schema'], ['--help']]) {
    const command = runNode(t, [program, ...words], folder);
    t.is(await command.exit, 0, command.stderr.join('\n'));
  }
});

suiteWith(test, 'postgres', 'a gateway over PostgreSQL without better-sqlite3', () => {
  const server = sharedPostgres(test);

  test('a gateway over PostgreSQL starts where better-sqlite3 is not installed', async t => {
    const running = await server();
    const url = running.url(await running.database());
    const config = {
      listeners: {metrics: {port: 0}},
      storage: {use: 'postgres', config: {url}},
      plugins: [{use: 'promql-subset'}],
    };
    const program = await gatewayWithout(t, 'not installed');
    const folder = await scratchFolder(t);
    await writeFile(join(folder, 'gateway.config.json'), JSON.stringify(config));
    const gateway = runNode(t, [program], folder);
    const {metrics} = await gateway.ready();
    t.is((await fetch(`${metrics}/api/v1/labels`)).status, 200);
    t.is(await gateway.stop(), 0);
  });
});
