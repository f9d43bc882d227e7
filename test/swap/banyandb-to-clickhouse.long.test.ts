import {existsSync, readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {beginCopy, configFile, copy} from '../core/cli/copying.js';
import {scratchFolder} from '../support/gateway.js';
import {suiteWith} from '../support/programs.js';
import {startClickHouse} from '../support/servers/clickhouse.js';
import {openBanyanDB} from './banyandb-store.js';

suiteWith(test, 'clickhouse-server', 'a copy from BanyanDB to ClickHouse', () => {
  test('what an OAP has in BanyanDB is in ClickHouse after a copy that was killed, and compares equal', async t => {
    const folder = await scratchFolder(t);
    const banyandb = await openBanyanDB(t, ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1']);
    const server = await startClickHouse(t);
    const from = configFile(folder, 'oap', await banyandb.storage(t), {logLevel: 'warn'});
    const to = configFile(folder, 'new', {use: 'clickhouse', config: {urls: [server.url], database: 'new'}});
    const words = ['--from', from, '--to', to];

    const killed = beginCopy(t, folder, [...words, '--rate', '2000']);
    const checkpoint = `${to}.copy-checkpoint`;
    const hasSamples = (): boolean =>
      /"samples": [1-9]/.test(existsSync(checkpoint) ? readFileSync(checkpoint, 'utf8') : '');
    while (!hasSamples()) await sleep(5);
    await killed.stop('SIGKILL');

    const copied = await copy(t, folder, words);
    t.deepEqual([copied.code, copied.stderr], [0, []], copied.stdout.join('\n'));
    t.regex(copied.stdout.join('\n'), /^copied .*\d+ native spans in .* after \d+ /);
    const verified = await copy(t, folder, [...words, '--verify']);
    t.deepEqual([verified.code, verified.stderr], [0, []], verified.stdout.join('\n'));
  });
});
