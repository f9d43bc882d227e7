import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {CLI, FIXTURE_ADAPTER, scratchFolder, startGateway} from '../../support/gateway.js';
import {get} from '../../support/http.js';

const config = (folder: string) => ({
  listeners: {metrics: {host: '127.0.0.1', port: 0}, traces: {host: '127.0.0.1', port: 0}},
  storage: {use: 'embedded', config: {path: join(folder, 'data')}},
  plugins: [
    {use: 'promql-subset', listener: 'metrics'},
    {use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'},
    {use: 'traceql-native', listener: 'traces', enabled: true, prefix: '/native'},
  ],
});

const METRIC = '{"record":"metric","name":"service_cpm","scope":"Service","kind":"common"}';
const sample = (service: string, value: unknown = 1): string =>
  JSON.stringify({record: 'sample', metric: 'service_cpm', layer: 'L', service, time: 1700000040, value});

const span = (id: string, change: object = {}): object => ({
  traceId: id,
  id,
  name: 'get /',
  timestamp: 1700000040000000,
  ...change,
});
const segment = (traceId: string, change: object = {}): object => ({
  traceId,
  traceSegmentId: `${traceId}.0`,
  service: 'consumer',
  spans: [{spanId: 0, parentSpanId: -1, startTime: 1700000040000, endTime: 1700000040001, operationName: 'GET:/'}],
  ...change,
});

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

test.serial('the summary tells of values that were cut', async t => {
  const folder = await scratchFolder(t);
  const tags = {a: 'x'.repeat(2 ** 20 + 1)};
  const files = {'spans.json': JSON.stringify([span('a1', {tags}), span('a2', {annotations: [], tags}), span('a3')])};
  const {code, stdout, stderr} = load(folder, files, ['spans.json']);
  t.is(code, 0, stderr.join('\n'));
  t.regex(stdout, /^loaded 3 records in .*, 2 values cut\n$/);
});

test.serial('the summary tells of spans and samples that are older than the retention', async t => {
  const folder = await scratchFolder(t);
  const storage = {use: 'embedded', config: {path: join(folder, 'data'), retention: {traces: '1d', minute: '1d'}}};
  const files = {
    'spans.json': JSON.stringify([span('a1'), span('a2')]),
    'segments.json': JSON.stringify([segment('b1')]),
    'samples.ndjson': `${METRIC}\n${sample('old')}\n`,
  };
  const {code, stdout} = load(folder, files, Object.keys(files), {storage});
  t.is(code, 0);
  t.regex(stdout, /^loaded 5 records in .*, 3 spans older than the retention, 1 sample older than the retention\n$/);
});

test.serial('a time that is too late is a bad record, and no other record of its file is lost', async t => {
  const folder = await scratchFolder(t);
  const late = sample('b').replace('1700000040', '200000000000');
  const files = {'one.ndjson': [METRIC, sample('a'), late, sample('c')].join('\n'), 'two.ndjson': sample('d')};
  const result = load(folder, files, Object.keys(files));
  t.is(result.code, 1);
  t.is(result.stderr.length, 1);
  t.regex(result.stderr[0] ?? '', /^one\.ndjson:3: key "time": found 200000000000, expected .* between 1970 and 5999/);
  t.regex(result.stdout, /^loaded 4 records in .*, 1 bad record\n$/);
  t.deepEqual(await stored(t, folder), {a: '1', c: '1', d: '1'});
});

test.serial('the summary counts one record as one, and names no retention where none is set', async t => {
  const folder = await scratchFolder(t);
  const result = load(folder, {'span.json': JSON.stringify([span('a1')])}, ['span.json']);
  t.is(result.code, 0, result.stderr.join('\n'));
  t.regex(result.stdout, /^loaded 1 record in \d+\.\d s \(\d+ records\/s\)\n$/);
});

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
  t.is(result.stderr[0], 'one.ndjson:4: key "value": found "six", expected a number');
  t.regex(result.stderr[1] ?? '', /^one\.ndjson:5: not JSON: character \d+: /);
  t.regex(
    result.stderr[2] ?? '',
    /^two\.ndjson:2: key "metric": found "service_cmp", which is not declared.*"service_cpm"/,
  );
  t.regex(result.stdout, /^loaded 4 records in .*, 3 bad records\n$/);
  t.deepEqual(await stored(t, folder), {a: '1', c: '1', d: '1'});
});

/** Which of these traces a gateway over the same folder finds. */
async function found(t: ExecutionContext, folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const gateway = await startGateway(t, {config: config(folder), folder});
  const statuses = await Promise.all(
    paths.map(async path => {
      const [kind = '', id = ''] = path.split(' ');
      const encoded = kind === 'native' ? Buffer.from(id).toString('hex') : id;
      return (await get(`${gateway.urls.traces}/${kind}/api/v2/traces/${encoded}`)).status;
    }),
  );
  await gateway.stop();
  return paths.filter((_, i) => statuses[i] === 200);
}

test.serial('traces of both kinds are told from metric records by their first bytes', async t => {
  const folder = await scratchFolder(t);
  const files = {
    'metrics.ndjson': `${METRIC}\n${sample('a')}`,
    'spans.json': JSON.stringify([span('a1'), span('a2')]),
    'printed.json': JSON.stringify([span('a3', {tags: {record: 'x'}})], null, 2),
    'spans.gz': gzipSync(JSON.stringify([span('a4')])),
    'segments.json': JSON.stringify([segment('t1'), segment('t2')]),
    'segment.json': JSON.stringify(segment('t3')),
    'empty.json': ' [ ] ',
  };
  const result = load(folder, files, [...Object.keys(files), '-'], {input: `\ufeff${JSON.stringify([segment('t4')])}`});
  t.deepEqual(result.stderr, []);
  t.is(result.code, 0);
  t.regex(result.stdout, /^loaded 10 records in/);
  const all = [...[1, 2, 3, 4].map(i => `compat a${i}`), ...[1, 2, 3, 4].map(i => `native t${i}`)];
  t.deepEqual(await found(t, folder, [...all, 'compat a5', 'native t5']), all);
});

test.serial('a bad span or segment is reported with its file and index, and the rest is loaded', async t => {
  const folder = await scratchFolder(t);
  const files = {
    'spans.json': `[${[span('b1'), span('b2', {timestamp: 'now'}), 7, span('b3')].map(each => JSON.stringify(each)).join(',')}, {"id":"b4"}}, ${JSON.stringify(span('b5'))}`,
    'segments.json': JSON.stringify([segment('u1', {spans: []}), segment('u2')]),
  };
  const result = load(folder, files, Object.keys(files));
  t.is(result.code, 1);
  t.is(result.stderr[0], 'spans.json[1]: key "timestamp": found "now", expected a number');
  t.is(result.stderr[1], 'spans.json[2]: found 7, expected a JSON object');
  t.regex(result.stderr[2] ?? '', /^spans\.json\[4\]: not JSON: /);
  t.is(result.stderr[3], 'spans.json[6]: the JSON is cut short before this record: its array has no end');
  t.is(result.stderr[4], 'segments.json[0]: key "spans": empty; a segment has at least one span');
  t.is(result.stderr.length, 5);
  t.regex(result.stdout, /^loaded 4 records in .*, 5 bad records\n$/);
  t.deepEqual(await found(t, folder, ['compat b1', 'compat b2', 'compat b3', 'compat b5', 'native u1', 'native u2']), [
    'compat b1',
    'compat b3',
    'compat b5',
    'native u2',
  ]);
});

test.serial('a file of many batches of spans is loaded whole', async t => {
  const folder = await scratchFolder(t);
  const spans = Array.from({length: 50_000}, (_, i) =>
    span((i + 1).toString(16), {tags: {'http.path': 'x'.repeat(200)}}),
  );
  const result = load(folder, {'big.json': JSON.stringify(spans)}, ['big.json']);
  t.is(result.code, 0, result.stderr.join('\n'));
  t.regex(result.stdout, /^loaded 50000 records in/);
  const some = ['compat 1', `compat ${(25_000).toString(16)}`, `compat ${(50_000).toString(16)}`];
  t.deepEqual(await found(t, folder, some), some);
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
    /^unknown\.txt: is in no format that can be loaded; expected native segments or compat spans or metric records or OTLP spans in JSON$/,
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
