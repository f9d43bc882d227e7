import {execFile} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {TEST_TLS} from './fixtures/banyandb/certificate.js';
import {runOver} from './support/command.js';
import {type Answer, ask, get} from './support/http.js';
import {serveHere} from './support/library.js';

const ROOT = new URL('../../', import.meta.url);
const PAGES = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

interface Block {
  readonly page: string;
  /** What stands in the line of the fence after it. */
  readonly language: string;
  readonly text: string;
  /** The heading that it stands under. */
  readonly section: string;
  /** The last text before it, with which a page says what the block is. */
  readonly before: string;
}

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(page, ROOT), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({index, 1: language = '', 2: content = ''}) => {
    const before = text.slice(0, index);
    return {
      page,
      language,
      text: content,
      section: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
      before: before.trimEnd().split('\n').at(-1) ?? '',
    };
  });
}

const BLOCKS = PAGES.flatMap(blocksOf);

/** A block says by a comment above it why it is not run here, or by which test it is. */
const NOT_RUN = /^<!-- not run: .+ -->$/;
const RUN_BY = /^<!-- run by (\S+) -->$/;
/** The files of packages, which documented.test.ts compares with those that are built and run. */
const FILE = /^`[\w.-]+`:$/;

const isRunHere = ({before}: Block): boolean => !NOT_RUN.test(before) && !RUN_BY.test(before) && !FILE.test(before);
const here = BLOCKS.filter(isRunHere);
const isConfiguration = ({language, text}: Block): boolean =>
  language === 'json' && /"(storage|plugins|listeners)":/.test(text);

const BODIES: Readonly<Record<string, string>> = {
  'Metric records': '/ingest/v1/metrics',
  'Compat spans': '/api/v2/spans',
  'Native segments': '/v3/segment',
};

const configurations = here.filter(isConfiguration);
const bodies = here.filter(
  block => block.page === 'docs/ingest.md' && block.language === 'json' && !isConfiguration(block),
);
const shells = here.filter(({language}) => language === 'sh');
const metricQueries = here.filter(({page, language}) => page === 'docs/promql-subset.md' && language === '');
const traceQueries = here.filter(({page, language}) => page === 'docs/traceql.md' && language === '');

test('every block of the pages is run by this test or another, or says why it is not', t => {
  const known = new Set([...configurations, ...bodies, ...shells, ...metricQueries, ...traceQueries]);
  const named = ({page, section, text}: Block): string => `${page}, ${section}: ${text.slice(0, 60)}`;
  t.deepEqual(here.filter(block => !known.has(block)).map(named), []);
  for (const {before} of BLOCKS) {
    const [, file] = RUN_BY.exec(before) ?? [];
    if (file !== undefined) t.true(existsSync(new URL(file, ROOT)), before);
  }
  // The only ones that nobody runs are drawings.
  t.is(BLOCKS.filter(({before}) => NOT_RUN.test(before)).length, 1);
  t.true(configurations.length >= 5 && bodies.length === 3 && shells.length > 0, 'they are found');
  t.true(metricQueries.length === 2 && traceQueries.length === 1, 'they are found');
});

for (const [i, {page, section, text}] of configurations.entries()) {
  test(`the configuration ${i + 1}, of ${page} under "${section}", is valid as it is printed`, async t => {
    const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'secret']);
    const folder = await mkdtemp(join(tmpdir(), 'query-gateway-'));
    t.teardown(() => rm(folder, {recursive: true}));
    const certificate = join(folder, 'ca.pem');
    await writeFile(certificate, TEST_TLS.certificate);
    const checked = await runOver(t, {
      folder,
      // The certificates that it names are the reader's own; one that is here stands for them.
      config: text.replace(/\/etc\/ssl\/[\w-]+\.pem/g, certificate),
      environment: Object.fromEntries(names),
    });
    t.is(checked.exit, 0, checked.stderr.join('\n'));
  });
}

/** All plugins on ports of their own. */
const EVERYTHING = {
  listeners: Object.fromEntries(['metrics', 'traces', 'ingest'].map(name => [name, {port: 0}])),
  storage: {use: 'embedded', config: {path: './data'}},
  plugins: [
    {use: 'promql-subset', listener: 'metrics'},
    {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
    {use: 'traceql-native', listener: 'traces', enabled: true, prefix: '/native'},
    {use: 'ingest', listener: 'ingest'},
  ],
};

const post = (url: string, body: string): Promise<Answer> => ask(url, {method: 'POST', body});

test('the bodies of docs/ingest.md are taken as they are printed, and the queries of the pages are answered over them', async t => {
  const gateway = await serveHere(t, {config: EVERYTHING});
  const {metrics, traces, ingest} = gateway.urls;
  for (const {section, text} of bodies) {
    const answer = await post(`${ingest}${BODIES[section]}`, text);
    t.is(answer.status, section === 'Native segments' ? 200 : 202, `${section}: ${answer.text}`);
  }

  const declared = '{"record":"metric","name":"service_instance_cpm","scope":"ServiceInstance","kind":"common"}';
  t.is((await post(`${ingest}/ingest/v1/metrics`, declared)).status, 202);
  for (const query of metricQueries.flatMap(({text}) => text.trim().split('\n'))) {
    // What stands behind a wide gap is a remark.
    const [expression = ''] = query.split(/ {3,}/);
    const isMetadata = /^\w+_traffic\{/.test(expression);
    const answer = isMetadata
      ? await get(`${metrics}/api/v1/series`, {'match[]': expression, start: '1700000000', end: '1700000100'})
      : await get(`${metrics}/api/v1/query`, {query: expression, time: '1700000050'});
    t.is(answer.status, 200, `${expression}: ${answer.text}`);
  }
  for (const query of traceQueries.flatMap(({text}) => text.trim().split('\n'))) {
    for (const kind of ['compat', 'native']) {
      const answer = await get(`${traces}/${kind}/api/search`, {q: query, start: '1700000000', end: '1700000100'});
      t.is(answer.status, 200, `${query}: ${answer.text}`);
      if (query === '{}') t.is(answer.json<{traces: unknown[]}>().traces.length, 1, kind);
    }
  }
});

for (const [i, {page, text}] of shells.entries()) {
  test(`the commands ${i + 1}, of ${page}, work on a gateway with the configuration of the page`, async t => {
    const printed = configurations.find(block => block.page === page)?.text ?? '';
    const ports = [...printed.matchAll(/"(\w+)": \{"host": "127\.0\.0\.1", "port": (\d+)\}/g)];
    t.true(ports.length > 0);
    // The ports are changed alone: others may be in use.
    const gateway = await serveHere(t, {config: printed.replace(/"port": \d+/g, '"port": 0')});
    const commands = ports.reduce(
      (all, [, name = '', port]) => all.replaceAll(`http://127.0.0.1:${port}`, gateway.urls[name] ?? ''),
      text,
    );
    const {stdout} = await promisify(execFile)('sh', ['-ec', commands]);
    t.regex(stdout, /"status":"success".*"6"/);
  });
}
