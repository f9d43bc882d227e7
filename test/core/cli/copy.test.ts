import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {runHere, runIn} from '../../support/command.js';
import {scratchFolder} from '../../support/gateway.js';
import {beginCopy, configFile, embedded} from './copying.js';
import {COPIED, smallSources, untilSamples} from './small-source.js';

const MEMORY_ADAPTER = fileURLToPath(new URL('../../fixtures/memory-adapter.js', import.meta.url));
const smallSource = smallSources(test);
const copy = (words: readonly string[]) => runHere(['copy', ...words]);

test('a kind whose capability is missing stays behind by name, and the others are copied', async t => {
  const {folder, from} = await smallSource(t);
  const to = configFile(folder, 'new', {
    use: MEMORY_ADAPTER,
    config: {without: ['ingest.native.v1', 'ingest.otlp.v1']},
  });
  const partly = await copy(['--from', from, '--to', to]);
  t.is(partly.exit, 1);
  t.deepEqual(partly.stderr, [
    `native traces stay behind: the storage of ${to} has no ingest.native.v1`,
    `traces of OTLP stay behind: the storage of ${to} has no ingest.otlp.v1`,
  ]);
  t.regex(
    partly.stdout.join(),
    /^copied 10 samples, 10 compat spans in .* s, without "native traces" and "traces of OTLP"$/,
  );
  const asked = await copy(['--from', from, '--to', to, '--only', 'metrics']);
  t.is(asked.exit, 0, 'what is not asked for is not missing');
  const none = configFile(folder, 'none', {
    use: MEMORY_ADAPTER,
    config: {without: ['export.metrics.v1', 'export.native.v1', 'export.otlp.v1']},
  });
  const empty = await copy(['--from', none, '--to', configFile(folder, 'other', embedded(folder, 'other'))]);
  t.deepEqual(
    [empty.exit, empty.stdout.join().slice(0, 14)],
    [0, 'copied nothing'],
    'what is not held cannot be missed',
  );
});

const MISTAKES: readonly {readonly flags: readonly string[]; readonly says: readonly RegExp[]}[] = [
  {
    flags: ['--since', 'yesterday', '--only', 'metrcs', '--rate', '1.5', '--to', 'nowhere.json'],
    says: [
      /^--since: found "yesterday", expected a time in RFC 3339 such as .*Unix seconds$/,
      /^--only: found "metrcs", expected some of "metrics", .*; did you mean "metrics"\?$/,
      /^--rate: found "1.5", expected a whole number of samples and spans a second, from 1$/,
      /^--to: nowhere\.json: there is no such file/,
    ],
  },
  {
    flags: ['--since', '200', '--until', '100', '--from', 'empty.json', '--to', 'wrong.json'],
    says: [
      /^--until: found "100", expected a time after --since, "200"$/,
      /^--from: empty\.json has no "storage"$/,
      /^--to: wrong\.json: storage\.config\.pth: /,
    ],
  },
  {
    flags: ['--to', 'old.json', '--checkpoint', 'nowhere/c'],
    says: [/^--to: its storage/, /^--checkpoint: nowhere\/c cannot be written/],
  },
  {flags: ['--to', 'old.json'], says: [/^--to: its storage is that of --from, the folder .*old$/]},
];

test('mistakes on the command line and in both configurations are exit 2 together, and name the flag', async t => {
  const folder = await scratchFolder(t);
  configFile(folder, 'old', embedded(folder, 'old'));
  configFile(folder, 'wrong', {use: 'embedded', config: {path: './data', pth: 1}});
  writeFileSync(join(folder, 'empty.json'), '{"plugins":[]}');
  for (const {flags, says} of MISTAKES) {
    const {exit, stderr} = await runIn(folder, ['copy', '--from', 'old.json', ...flags]);
    t.deepEqual([exit, stderr.length], [2, says.length], stderr.join('\n'));
    for (const [i, pattern] of says.entries()) t.regex(stderr[i] ?? '', pattern);
  }
});

test('a copy that is interrupted tells so, and goes on where it was', async t => {
  const {folder, from, to} = await smallSource(t);
  const words = ['--from', from, '--to', to];
  const run = beginCopy(t, folder, [...words, '--rate', '1']);
  await untilSamples(`${to}.copy-checkpoint`);
  t.is(await run.stop('SIGINT'), 1);
  t.regex(run.stdout.join(), /^copied 10 samples in .* s$/);
  t.deepEqual(run.stderr, ['interrupted', `the same command goes on from there, by ${to}.copy-checkpoint`]);
  const only = await copy([...words, '--only', 'compat']);
  t.is(only.exit, 0);
  t.deepEqual(only.stderr, [`${to}.copy-checkpoint stays: an earlier copy has not ended "metrics"`]);
  const {exit, stdout} = await copy(words);
  t.is(exit, 0);
  t.regex(
    stdout.join(),
    /^copied 10 segments, 10 native spans, 10 OTLP spans in .* s, after 10 samples, 10 compat spans before$/,
  );
  t.false(existsSync(`${to}.copy-checkpoint`));
  t.regex((await copy(words)).stdout.join(), COPIED(10), 'what is complete begins anew');
});
