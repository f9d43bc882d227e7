import {appendFile, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {run, startGateway} from './support/gateway.js';
import {get} from './support/http.js';
import {installPackage, npm, openPackage, runNode, usePackedGateway} from './support/package.js';

const START = 1_700_000_040;

test("a third party's adapter passes the kit in its own folder, is installed, and serves queries", async t => {
  const folder = await openPackage(t, 'span-file-adapter');
  const output = await npm(folder, 'test');
  t.regex(output, /\d+ tests? passed/);
  t.notRegex(output, /failed|skipped/);

  const site = await installPackage(t, folder);
  const spans = [
    {
      traceId: '000000000000000a',
      id: '0000000000000001',
      kind: 'SERVER',
      name: 'get /songs',
      timestamp: START * 1_000_000,
      duration: 2000,
      localEndpoint: {serviceName: 'songs'},
      tags: {'http.method': 'GET'},
    },
  ];
  await writeFile(join(site, 'spans.json'), JSON.stringify(spans));
  const config = {
    listeners: {traces: {host: '127.0.0.1', port: 0}},
    storage: {use: 'span-file-adapter', config: {file: './spans.json'}},
    plugins: [{use: 'traceql-compat', enabled: true}, {use: 'traceql-native'}],
  };
  const checked = await run(t, {folder: site, config, args: file => ['check', '--connect', '--config', file]});
  t.is(await checked.exit, 0);
  t.regex(checked.stdout.join('\n'), /traces\.compat\.v1/);

  const {urls} = await startGateway(t, {folder: site, config});
  const query = encodeURIComponent('{resource.service.name="songs" && span.http.method="GET"}');
  const found = await get(`${urls.traces}/compat/api/search?q=${query}&start=${START - 60}&end=${START + 60}`);
  t.is(found.status, 200, found.text);
  t.like(JSON.parse(found.text), {traces: [{rootServiceName: 'songs', rootTraceName: 'get /songs', durationMs: 2}]});
});

test("a third party's adapter that writes passes the kit, and a gateway over it is killed in the middle of a write", async t => {
  const folder = await openPackage(t, 'span-journal-adapter');
  const output = await npm(folder, 'test');
  t.regex(output, /\d+ tests? passed/);
  t.notRegex(output, /failed|skipped/);

  const site = await installPackage(t, folder);
  const config = {
    listeners: {traces: {port: 0}, ingest: {port: 0}},
    storage: {use: 'span-journal-adapter', config: {file: './spans.jsonl'}},
    plugins: [{use: 'traceql-compat', enabled: true}, {use: 'ingest'}],
  };
  const span = {id: '1', name: 'get', timestamp: START * 1_000_000, localEndpoint: {serviceName: 'songs'}};
  const first = await startGateway(t, {folder: site, config});
  const sent = await fetch(`${first.urls.ingest}/api/v2/spans`, {
    method: 'POST',
    body: JSON.stringify(['a', 'b'].map(traceId => ({...span, traceId}))),
  });
  t.is(sent.status, 202);
  await first.stop('SIGKILL');
  await appendFile(join(site, 'spans.jsonl'), '[{"traceId":"000000000000000c","id":"00');

  const second = await startGateway(t, {folder: site, config});
  const found = await get(`${second.urls.traces}/compat/api/search?start=${START - 60}&end=${START + 60}`);
  t.deepEqual(
    JSON.parse(found.text).traces.map(({traceID}: {readonly traceID: string}) => traceID.at(-1)),
    ['a', 'b'],
  );
});

test("a failure of the kit shows a third party the kit's own source, which is in the package", async t => {
  const folder = await openPackage(t, 'span-file-adapter');
  await usePackedGateway(t, folder);
  const adapter = join(folder, 'adapter.ts');
  await writeFile(adapter, (await readFile(adapter, 'utf8')).replace('.slice(0, limit)', '.slice(0, limit + 1)'));
  const {message: output} = (await t.throwsAsync(npm(folder, 'test'))) ?? {message: ''};
  t.regex(output, /✘ .*attribute values of compat spans are cut to the limit/);
  t.regex(output, /^ +asked {5}traces\.compat\.v1 attributeValues\(\{.*"limit":\d+/m);
  t.regex(output, /^ +written {3}\d+ records; nearest to the question:$/m);
  t.regex(output, /^ +node_modules\/query-gateway\/storage-adapters\/conformance\/cases\/traces\/listing\.ts:\d+$/m);
  t.regex(output, /^ +> +\d+ \| .*t\.deepEqual\(/m);
});

test("a third party's plugin is installed, and serves requests from the embedded storage", async t => {
  const site = await installPackage(t, await openPackage(t, 'service-list'));
  const seen = (service: string) => ({record: 'entity', scope: 'Service', layer: 'GENERAL', service, time: START});
  await writeFile(join(site, 'services.ndjson'), ['songs', 'app'].map(name => JSON.stringify(seen(name))).join('\n'));
  const config = {
    listeners: {'service-list': {port: 0}},
    storage: {use: 'embedded', config: {path: './data'}},
    plugins: [{use: 'service-list', config: {separator: ', '}}],
  };
  const loaded = await run(t, {folder: site, config, args: file => ['load', '--config', file, 'services.ndjson']});
  t.is(await loaded.exit, 0, loaded.stderr.join('\n'));
  const {urls} = await startGateway(t, {folder: site, config});
  t.like(await get(`${urls['service-list']}/layers/GENERAL/services`), {status: 200, text: 'app, songs, '});
});

test('the entries for authors of adapters load neither the container nor the HTTP library', async t => {
  const folder = await openPackage(t, 'span-file-adapter');
  const program = `
    import {createRequire} from 'node:module';
    await import('query-gateway/adapter');
    await import('query-gateway/conformance');
    const files = Object.keys(createRequire(import.meta.url).cache);
    const packages = files.flatMap(file => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? []);
    console.log(JSON.stringify([...new Set(packages)]));
  `;
  await writeFile(join(folder, 'loaded.mjs'), program);
  const packages: readonly string[] = JSON.parse(await runNode(folder, 'loaded.mjs'));
  t.true(packages.includes('ajv'), 'the kit validates configurations as the gateway does');
  t.deepEqual(
    packages.filter(name => ['tsyringe', 'reflect-metadata', 'fastify', 'ava'].includes(name)),
    [],
  );
});
