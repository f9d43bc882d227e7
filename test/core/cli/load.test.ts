import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {CLI, FIXTURE_ADAPTER, scratchFolder, startGateway} from '../../support/gateway.js';
import {get} from '../../support/http.js';

const config = (folder: string) => ({
  listeners: {metrics: {host: '127.0.0.1', port: 0}},
  storage: {use: 'embedded', config: {path: join(folder, 'data')}},
  plugins: [{use: 'promql-subset', listener: 'metrics'}],
});

const METRIC = '{"record":"metric","name":"service_cpm","scope":"Service","kind":"common"}';
const sample = (service: string, value: unknown = 1): string =>
  JSON.stringify({record: 'sample', metric: 'service_cpm', layer: 'L', service, time: 1700000040, value});

interface Loaded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: readonly string[];
}

/** Runs `load` in a folder with these files. */
function load(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  paths: readonly string[],
  {input = '', storage}: {readonly input?: string | Uint8Array; readonly storage?: unknown} = {},
): Loaded {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const content = {...config(folder), ...(storage === undefined ? {} : {storage})};
  writeFileSync(join(folder, 'gateway.config.json'), JSON.stringify(content));
  const {status, stdout, stderr} = spawnSync(process.execPath, [CLI, 'load', ...paths], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  return {code: status, stdout, stderr: stderr.split('\n').filter(line => line !== '')};
}

/** The services that have a value, with it, as a gateway over the same folder answers. */
async function stored(t: ExecutionContext, folder: string): Promise<Record<string, string>> {
  const gateway = await startGateway(t, {config: config(folder), folder});
  const query = "service_cpm{layer='L',top_n='1000',order='ASC'}";
  const window = {start: '1700000040', end: '1700000040'};
  const answer = await get(`${gateway.urls.metrics}/api/v1/query_range`, {query, ...window});
  const {data} = answer.json<{data: {result: {metric: {service: string}; values: [number, string][]}[]}}>();
  await gateway.stop();
  return Object.fromEntries(data.result.map(({metric, values}) => [metric.service, values[0]?.[1] ?? '']));
}

test.serial('plain and compressed files and standard input are loaded in the order of the command line', async t => {
  const folder = await scratchFolder(t);
  const files = {
    'one.ndjson': `${METRIC}\n${sample('plain')}\n${sample('again', 1)}\n`,
    'two.ndjson.gz': gzipSync(`${sample('gzip', 2)}\n${sample('again', 2)}`),
    'any name': `\ufeff\r\n${sample('by its first bytes', 3)}\r\n`,
    'empty.ndjson': '',
    'gzip without the ending': gzipSync(sample('also by its first bytes', 4)),
  };
  const result = load(folder, files, [...Object.keys(files), '-'], {
    input: `${sample('standard input', 5)}\n${sample('again', 5)}`,
  });
  t.deepEqual(result.stderr, []);
  t.is(result.code, 0);
  t.regex(result.stdout, /^loaded 9 records in \d+\.\d s \(\d+ records\/s\)\n$/);
  t.deepEqual(await stored(t, folder), {
    plain: '1',
    gzip: '2',
    'by its first bytes': '3',
    'also by its first bytes': '4',
    'standard input': '5',
    again: '5',
  });
});

test.serial('compressed standard input is told by its first bytes', async t => {
  const folder = await scratchFolder(t);
  const result = load(folder, {}, ['-'], {input: gzipSync(`${METRIC}\n${sample('a')}`)});
  t.is(result.code, 0, result.stderr.join('\n'));
  t.deepEqual(await stored(t, folder), {a: '1'});
});

test.serial('a bad record is reported with its file and line, and the rest is loaded', async t => {
  const folder = await scratchFolder(t);
  const files = {
    'one.ndjson': [METRIC, '', sample('a'), sample('b', 'six'), 'nonsense', sample('c')].join('\n'),
    'two.ndjson': `${sample('d')}\n${sample('e').replace('service_cpm', 'service_cmp')}\n`,
  };
  const result = load(folder, files, Object.keys(files));
  t.is(result.code, 1);
  t.is(result.stderr.length, 3);
  t.is(result.stderr[0], 'one.ndjson:4: key "value": "six" is not a number');
  t.regex(result.stderr[1] ?? '', /^one\.ndjson:5: not JSON: /);
  t.regex(result.stderr[2] ?? '', /^two\.ndjson:2: key "metric": "service_cmp" is not declared.*"service_cpm"/);
  t.regex(result.stdout, /^loaded 4 records in .*, 3 bad records\n$/);
  t.deepEqual(await stored(t, folder), {a: '1', c: '1', d: '1'});
});

test.serial('what cannot be read is named, and the other files are loaded', async t => {
  const folder = await scratchFolder(t);
  mkdirSync(join(folder, 'directory'));
  const good = `${METRIC}\n${sample('a')}\n`;
  const files = {
    'unknown.txt': 'time,value\n1,2\n',
    'damaged.ndjson.gz': gzipSync(`${METRIC}\n${sample('before the damage')}\n${'\n'.repeat(9000)}`).subarray(0, -9),
    'good.ndjson': good,
  };
  const result = load(folder, files, ['missing.ndjson', 'directory', ...Object.keys(files)]);
  t.is(result.code, 1);
  const reasons = [
    /^missing\.ndjson: there is no such file$/,
    /^directory: is a directory/,
    /^unknown\.txt: is in no format that can be loaded; expected native segments or compat spans or metric records$/,
    /^damaged\.ndjson\.gz: the gzip data is damaged or cut short/,
  ];
  t.is(result.stderr.length, reasons.length, result.stderr.join('\n'));
  for (const [i, reason] of reasons.entries()) t.regex(result.stderr[i] ?? '', reason);
  t.regex(result.stdout, /, 4 files not loaded to the end\n$/);
  t.is((await stored(t, folder)).a, '1');
});

test.serial('a file of many batches is loaded whole, and loading it again changes nothing', async t => {
  const folder = await scratchFolder(t);
  const lines = Array.from({length: 50_000}, (_, i) => sample(`s${i % 1000}`, i));
  const files = {'big.ndjson': [METRIC, ...lines].join('\n')};
  for (let i = 0; i < 2; i++) t.is(load(folder, files, ['big.ndjson']).code, 0);
  const expected = Object.fromEntries(Array.from({length: 1000}, (_, i) => [`s${i}`, `${49_000 + i}`]));
  t.deepEqual(await stored(t, folder), expected);
});

test.serial('a folder that a gateway holds is refused, naming the process and the ingest listener', async t => {
  const folder = await scratchFolder(t);
  const gateway = await startGateway(t, {config: config(folder), folder});
  const result = load(folder, {'a.ndjson': METRIC}, ['a.ndjson']);
  t.is(result.code, 1);
  const message = result.stderr.join('\n');
  t.true(message.includes(`${gateway.process.pid}`), message);
  t.regex(message, /POST \/ingest\/v1\/metrics/);
  t.is(result.stdout, '');
});

test.serial('a storage that cannot take the format is named with the missing capability', async t => {
  const folder = await scratchFolder(t);
  const storage = {use: FIXTURE_ADAPTER, config: {capabilities: ['metadata.query.v1']}};
  const result = load(folder, {'a.ndjson': METRIC}, ['a.ndjson'], {storage});
  t.is(result.code, 1);
  t.regex(result.stderr.join('\n'), /^a\.ndjson: .*metric records.*ingest\.metrics\.v1/m);
});

test.serial('no path, and a configuration that does not exist, are wrong usage', async t => {
  const folder = await scratchFolder(t);
  t.is(load(folder, {}, []).code, 2);
  const result = load(folder, {}, ['--config', 'other.json', '-']);
  t.is(result.code, 2);
  t.regex(result.stderr.join('\n'), /other\.json/);
});
