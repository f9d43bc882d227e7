import {readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import test from 'ava';
import {runIn} from '../../support/command.js';
import {scratchFolder} from '../../support/gateway.js';
import {alteredPair, ROWS} from './altered-pair.js';
import {recorded, rehearse} from './scene.js';
import {BASE} from './scene-data.js';

const pair = alteredPair(test);

test.serial(
  'every request is of one class, a difference has its place and both values, and every exemption is told',
  async t => {
    const file = await pair.traffic('all.ndjson', `${ROWS.map(([line]) => line).join('')}{"time":"2026-0`);
    const {code, stdout, stderr, report} = await rehearse(pair.folder, '--traffic', file);
    t.is(code, 1, stderr);
    t.deepEqual(
      stderr.split('\n').filter(line => !line.startsWith('{')),
      [`all.ndjson:${ROWS.length + 1}: not a whole line of JSON`],
    );
    const rows = ROWS.map(([line, of, at, exemption]) => ({...JSON.parse(line), of, at, exemption}));
    const unequal = rows.filter(({of}) => of !== 'equal');
    t.deepEqual(
      report.requests.map(({class: of, plugin, method, path, parameters}) => ({of, plugin, method, path, parameters})),
      unequal.map(({of, plugin, method, path, parameters}) => ({of, plugin, method, path, parameters})),
    );
    for (const [i, {at}] of unequal.entries()) t.regex(report.requests[i]?.difference?.at ?? '', at);
    const [near, off, lost] = report.requests;
    t.is(off?.difference?.new, '99');
    t.deepEqual([lost?.difference?.old, lost?.difference?.new], ['1.6666666666666667', undefined]);
    t.is(near?.class, 'within tolerance');
    for (const {exemption} of rows)
      if (exemption)
        t.true(
          report.exemptions.some(({what}) => exemption.test(what)),
          String(exemption),
        );
    for (const {what} of report.exemptions) t.true(stdout.includes(what), what);
    const counts = {equal: 0, 'within tolerance': 0, differs: 0, unsupported: 0, error: 0, noise: 0};
    for (const {of} of rows) counts[of as keyof typeof counts]++;
    t.deepEqual(report.counts, counts);
    for (const [name, count] of Object.entries(counts)) t.regex(stdout, new RegExp(`^ +${name} +${count}$`, 'm'));
  },
);

/** What is wrong with the usage, beside the traffic `near.ndjson`. Nothing of it starts a storage, so all can run at once. */
const WRONG: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [['--tolerance', 'x'], /^--tolerance: found "x", expected a number from 0 to less than 1/],
  [['--tolerance', '1'], /^--tolerance: found "1"/],
  [['--skip-recent', '2'], /^--skip-recent: found "2", expected a duration such as 2m, or 0s/],
  [['--report', 'nowhere/report.json'], /^--report: nowhere\/report\.json cannot be written/],
  [['--report', '.'], /^--report: \. cannot be written: it is a folder$/],
  [['--old', 'nowhere.json'], /^--old: nowhere\.json: there is no such file/],
  [['--new', 'old.json'], /^--new: names the storage that --old names/],
  [['--traffic', 'nowhere.ndjson'], /^--traffic: nowhere\.ndjson: there is no such file/],
];

test.serial('what is wrong with the usage ends with 2 and says what would be right', async t => {
  const given = {'--traffic': 'near.ndjson', '--old': 'old.json', '--new': 'new.json'};
  const runs = WRONG.map(([[name = '', value = ''], message]) => {
    const words = Object.entries({...given, [name]: value}).flat();
    return {run: runIn(pair.folder, ['rehearse', ...words]), message, what: `${name} ${value}`};
  });
  for (const {run, message, what} of runs) {
    const {exit, stderr} = await run;
    t.is(exit, 2, what);
    t.true(
      stderr.some(line => message.test(line)),
      `${what}: ${stderr.join('\n')}`,
    );
  }
});

test.serial('of a recording whose gzip data is cut short everything before is asked', async t => {
  const lines = Array.from({length: 3000}, (_, i) =>
    recorded('promql-subset', '/api/v1/query', {query: String(i), time: String(BASE)}),
  );
  const data = gzipSync(lines.join(''));
  await writeFile(join(pair.folder, 'cut.gz'), data.subarray(0, data.length / 2));
  const {code, report} = await rehearse(pair.folder, '--traffic', 'cut.gz', 'near.ndjson');
  t.is(code, 0);
  t.true(Number(report.counts.equal) > 100, String(report.counts.equal));
  t.is(report.counts['within tolerance'], 1);
  t.regex(report.bad.at(-1) ?? '', /^cut\.gz: the gzip data is damaged or cut short/);
});

test.serial('a file of another form is wrong usage', async t => {
  await pair.traffic('torn.har', '{"log":{"entries":[');
  for (const [file, message] of [
    ['old.json', /^--traffic: old\.json: no line of it is a request; expected a recording/],
    ['torn.har', /^--traffic: torn\.har: the HAR is not whole/],
  ] as const) {
    const {code, stderr} = await rehearse(pair.folder, '--traffic', file);
    t.is(code, 2, file);
    t.true(
      stderr.split('\n').some(line => message.test(line)),
      stderr,
    );
  }
});

test.serial('a folder that is not there is wrong usage on either side, and is not made', async t => {
  const own = await scratchFolder(t);
  for (const name of ['old', 'new']) {
    const storage = {use: 'embedded', config: {path: `./${name}-data`}};
    await writeFile(join(own, `${name}.json`), JSON.stringify({storage, plugins: []}));
  }
  await writeFile(join(own, 'any.ndjson'), recorded('promql-subset', '/api/v1/labels'));
  const {code, stderr} = await rehearse(own, '--traffic', 'any.ndjson');
  const problems = ['old', 'new'].map(
    name =>
      `--${name}: ${name}.json: storage.config.path: there is no database ${name}-data/gateway.db, so there is nothing to read`,
  );
  t.deepEqual([code, stderr.split('\n')], [2, problems]);
  t.deepEqual(
    (await readdir(own)).filter(name => name.endsWith('-data')),
    [],
  );
});

test.serial('where nothing can be asked, nothing is known, and the exit code says so', async t => {
  const file = await pair.traffic('unknown.ndjson', recorded('somebody-else', '/api/v1/query'));
  const {code, stdout} = await rehearse(pair.folder, '--traffic', file);
  t.is(code, 1);
  t.regex(stdout, /nothing was asked, so nothing is known/);
});
