import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {CLI, scratchFolder} from '../../support/gateway.js';
import {openBanyanDB} from '../../swap/banyandb-store.js';
import {configFile, copy, embedded} from './copying.js';
import {smallSources} from './small-source.js';

const smallSource = smallSources(test);

test('a folder that is not there is a mistake where it would be read, and is not made', async t => {
  const {folder, from} = await smallSource(t);
  const odl = configFile(folder, 'odl', embedded(folder, 'odl'));
  const tee = configFile(folder, 'tee', {
    use: 'tee',
    config: {primary: embedded(folder, 'odl'), secondary: embedded(folder, 'old')},
  });
  const to = configFile(folder, 'new', embedded(folder, 'new'));
  const missing = `there is no database ${join(folder, 'odl', 'gateway.db')}, so there is nothing to read`;
  const cases = [
    {words: ['--from', odl, '--to', to], says: `--from: ${odl}: storage.config.path: ${missing}`},
    {words: ['--from', odl, '--to', to, '--dry-run'], says: `--from: ${odl}: storage.config.path: ${missing}`},
    {words: ['--from', from, '--to', odl, '--verify'], says: `--to: ${odl}: storage.config.path: ${missing}`},
    {words: ['--from', tee, '--to', to], says: `--from: ${tee}: storage.config.primary.config.path: ${missing}`},
  ];
  for (const {words, says} of cases) {
    const {code, stderr} = await copy(t, folder, words);
    t.deepEqual([code, stderr], [2, [says]], words.join(' '));
  }
  t.deepEqual([existsSync(join(folder, 'odl')), existsSync(join(folder, 'new'))], [false, false]);
});

test('what an OAP has in BanyanDB is copied whole, and compares equal', async t => {
  const folder = await scratchFolder(t);
  const banyandb = await openBanyanDB(t, ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1']);
  const from = configFile(folder, 'oap', await banyandb.storage(t), {logLevel: 'warn'});
  const to = configFile(folder, 'new', embedded(folder, 'new'));
  const copied = await copy(t, folder, ['--from', from, '--to', to]);
  t.deepEqual([copied.code, copied.stderr], [0, []]);
  t.regex(
    copied.stdout.join(),
    /^copied \d+ samples, \d+ records, \d+ compat spans, \d+ segments, \d+ native spans in /,
  );
  const verified = await copy(t, folder, ['--from', from, '--to', to, '--verify']);
  t.deepEqual([verified.code, verified.stderr], [0, []], verified.stdout.join('\n'));
});

test('on a terminal each kind has a bar, with how much is done', async t => {
  const {folder, from, to} = await smallSource(t);
  const command = [process.execPath, CLI, 'copy', '--from', from, '--to', to].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 120; ${command}`, '/dev/null'], {cwd: folder});
  t.teardown(() => child.kill('SIGKILL'));
  let shown = '';
  child.stdout.on('data', chunk => {
    shown += chunk;
  });
  const [code] = await once(child, 'close');
  t.is(code, 0, shown);
  for (const title of ['metrics', 'compat traces', 'native traces', 'traces of OTLP']) {
    t.regex(shown, new RegExp(`${title} [█░=-]+ 100% \\| 10 done \\| \\d+/s \\| \\d+s`), title);
  }
});
