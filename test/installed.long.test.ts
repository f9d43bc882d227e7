import {readFileSync} from 'node:fs';
import {readdir, writeFile} from 'node:fs/promises';
import {join, posix, resolve} from 'node:path';
import test from 'ava';
import {type Owner, type Run, runNode, scratchFolder} from './support/gateway.js';
import {fetchRuntime, type NodeRuntime, whyNoRuntime} from './support/node-runtime.js';
import {openPackage, packedFiles, packGateway, packPackage} from './support/package.js';
import {suiteUnless} from './support/programs.js';

/** The oldest version that we promise to run on, and the npm that came with it. */
const OLDEST = '20.18.0';
const ITS_NPM = '10.8.2';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('every link between pages leads to a file of the package', async t => {
  const files = new Set(await packedFiles());
  const pages = [...files].filter(file => file.endsWith('.md'));
  t.true(pages.includes('README.md') && pages.length > 10);
  for (const page of pages) {
    for (const [, link = ''] of read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(link)) continue;
      const target = posix.join(posix.dirname(page), link);
      t.true(files.has(target), `${page} links to ${link}`);
    }
  }
});

/** Installs this gateway and the authors' examples as a user does, and gives the folder. */
async function installed(t: Owner, runtime: NodeRuntime): Promise<string> {
  const site = await scratchFolder(t);
  await writeFile(join(site, 'package.json'), '{"private": true}');
  await packGateway(site);
  for (const name of ['service-list', 'span-file-adapter']) await packPackage(await openPackage(t, name), site);
  const archives = (await readdir(site)).filter(file => file.endsWith('.tgz')).map(file => `./${file}`);
  // The compiled library is made for the machine; that npm finds everything else is what counts here.
  const words = ['--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runtime.npm(site, 'install', ...words, ...archives);
  return site;
}

const CONFIG = {
  $schema: './node_modules/query-gateway/core/config/gateway.schema.json',
  listeners: {traces: {port: 0}, 'service-list': {port: 0}},
  storage: {use: 'span-file-adapter', config: {file: './spans.json'}},
  plugins: [{use: 'traceql-compat', enabled: true}, {use: 'service-list'}],
};

const title = `the package installs on Node.js ${OLDEST} with --engine-strict, and its programs run there, with the authors' examples`;

suiteUnless(test, whyNoRuntime(OLDEST), title, () => {
  test(title, async t => {
    const runtime = await fetchRuntime(t, OLDEST, ITS_NPM);
    const site = await installed(t, runtime);
    await writeFile(join(site, 'spans.json'), '[]');
    await writeFile(join(site, 'gateway.config.json'), JSON.stringify(CONFIG));
    t.true(JSON.parse(read('core/config/gateway.schema.json')).title.length > 0);
    t.notThrows(() => JSON.parse(readFileSync(resolve(site, CONFIG.$schema), 'utf8')));
    t.true(read('docs/configuration.md').includes(CONFIG.$schema));
    const program = (name: string, ...words: string[]): Run =>
      runNode(t, [join(site, 'node_modules/.bin', name), ...words], site, {}, runtime.node);

    const check = program('query-gateway', 'check', '--connect');
    t.is(await check.exit, 0, check.stderr.join('\n'));
    const gateway = program('query-gateway');
    const {traces, 'service-list': services} = await gateway.ready();
    t.is((await fetch(`${traces}/compat/api/search?q=%7B%7D`)).status, 200);
    t.is((await fetch(`${services}/layers/GENERAL/services`)).status, 501);
    t.is(await gateway.stop(), 0);

    const proxy = program(
      'diagnostics-proxy',
      '--grpc-listen-addr',
      '127.0.0.1:0',
      '--http-listen-addr',
      '127.0.0.1:0',
    );
    const {diagnostics, grpc = ''} = await proxy.ready();
    t.is((await fetch(`${diagnostics}/health`)).status, 200);
    const agent = program('diagnostics-agent', '--proxy-addr', grpc, '--prometheus-listen-addr', '127.0.0.1:0');
    const {metrics} = await agent.ready();
    t.is((await fetch(`${metrics}/metrics`)).status, 200);
    t.deepEqual([await agent.stop(), await proxy.stop()], [0, 0]);
  });
});
