import {existsSync, readdirSync} from 'node:fs';
import {mkdir, open, rename, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {
  CLI,
  FIXTURE_ADAPTER,
  type Owner,
  type Run,
  run,
  runNode,
  scratchFolder,
  startGateway,
} from '../../support/gateway.js';
import {ask, get} from '../../support/http.js';
import {SmallDisk} from '../../support/servers/small-disk.js';

const START = 1_700_000_040;
const MINUTES = 120;

const CONFIG = {
  listeners: {metrics: {port: 0}, traces: {port: 0}, ingest: {port: 0}},
  storage: {use: 'embedded', config: {path: './data'}},
  plugins: [{use: 'promql-subset'}, {use: 'traceql-compat', enabled: true, prefix: '/compat'}, {use: 'ingest'}],
};

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const sample = (metric: string, service: string, minute: number): string =>
  line({record: 'sample', metric, layer: 'GENERAL', service, time: START + minute * 60, value: minute * 1.5});
const span = (i: number): object => ({
  traceId: `${1000 + i}`.padStart(32, '0'),
  id: '1111111111111111',
  name: `GET /${i}`,
  timestamp: (START + i) * 1_000_000,
  duration: 5000,
  localEndpoint: {serviceName: 'app'},
});

const DECLARED = ['kept', 'growing']
  .map(name => line({record: 'metric', name, scope: 'Service', kind: 'common'}))
  .join('');

async function send(url: string, body: string): Promise<void> {
  const {status, text} = await ask(url, {method: 'POST', body});
  if (status !== 202) throw new Error(`${status}: ${text}`);
}

/** What dashboards see of what was stored before the backup. */
async function answers({metrics = '', traces = ''}: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const window = {start: `${START}`, end: `${START + 3540}`};
  const day = {start: `${START}`, end: `${START + MINUTES * 60}`};
  const all = await Promise.all([
    get(`${metrics}/api/v1/query_range`, {query: `kept{layer='GENERAL',service='app'}`, ...window}),
    get(`${metrics}/api/v1/query_range`, {query: `kept{layer='GENERAL',service='app'}`, ...day}),
    get(`${metrics}/api/v1/query_range`, {query: `kept{layer='GENERAL',top_n='5',order='DES'}`, ...window}),
    get(`${traces}/compat/api/search`, {q: '{resource.service.name="app"}', limit: '100', ...day}),
    get(`${traces}/compat/api/v2/traces/${'1007'.padStart(32, '0')}`),
  ]);
  for (const {status, text} of all) if (status !== 200) throw new Error(text);
  return all.map(({text}) => text);
}

/** Sends one minute after the other until the gateway is gone, and tells how many have been acknowledged. */
function keepSending(ingest: string): {readonly acknowledged: () => number; readonly ended: Promise<void>} {
  let acknowledged = 0;
  const loop = async (): Promise<void> => {
    for (let minute = 0; ; minute++) {
      await send(`${ingest}/ingest/v1/metrics`, sample('growing', 'app', minute));
      acknowledged = minute + 1;
    }
  };
  return {acknowledged: () => acknowledged, ended: loop().catch(() => undefined)};
}

function backup(t: Owner, folder: string, target: string): Run {
  return runNode(t, [CLI, 'backup', '--config', join(folder, 'gateway.config.json'), target], folder);
}

test('a backup that is taken under load holds all that was acknowledged before, though the gateway is killed', async t => {
  const gateway = await startGateway(t, {config: CONFIG});
  const {folder, urls} = gateway;
  const {ingest = ''} = urls;
  const kept = Array.from(
    {length: MINUTES},
    (_, minute) => sample('kept', 'app', minute) + sample('kept', 'songs', minute),
  );
  await send(`${ingest}/ingest/v1/metrics`, DECLARED + kept.join(''));
  await send(`${ingest}/api/v2/spans`, JSON.stringify(Array.from({length: 50}, (_, i) => span(i))));
  const before = await answers(urls);
  const senders = [keepSending(ingest), keepSending(ingest)];
  while (senders.some(({acknowledged}) => acknowledged() < 20)) await turn();

  const least = Math.min(...senders.map(({acknowledged}) => acknowledged()));
  const first = backup(t, folder, 'first');
  t.is(await first.exit, 0, first.stderr.join('\n'));
  t.regex(first.stdout.join('\n'), /^copied [\d.]+ MiB to first in [\d.]+ s, and found it sound$/);
  t.deepEqual(readdirSync(join(folder, 'first')), ['gateway.db']);
  t.is((await stat(join(folder, 'first'))).mode & 0o777, 0o700);
  t.is((await stat(join(folder, 'first/gateway.db'))).mode & 0o777, 0o600);

  // The gateway dies while the second is made.
  const later = Math.min(...senders.map(({acknowledged}) => acknowledged()));
  const second = backup(t, folder, 'second');
  while (!readdirSync(folder).some(name => name.startsWith('second.partial-'))) await turn();
  gateway.process.kill('SIGKILL');
  t.is(await second.exit, 0, second.stderr.join('\n'));
  await Promise.all(senders.map(({ended}) => ended));
  await gateway.exit;

  for (const [name, acknowledged] of [
    ['first', least],
    ['second', later],
  ] as const) {
    await rename(join(folder, 'data'), join(folder, `old-${name}`));
    await rename(join(folder, name), join(folder, 'data'));
    const restored = await startGateway(t, {config: CONFIG, folder});
    t.deepEqual(await answers(restored.urls), before, name);
    const grown = await get(`${restored.urls.metrics}/api/v1/query_range`, {
      query: `growing{layer='GENERAL',service='app'}`,
      start: `${START}`,
      end: `${START + 3540}`,
    });
    const {values} = grown.json<{data: {result: {values: [number, string][]}[]}}>().data.result[0] ?? {values: []};
    t.true(values.length >= Math.min(60, acknowledged), `${name}: ${values.length} of ${acknowledged}`);
    // No minute is there without those that were acknowledged before it.
    t.deepEqual(
      values,
      values.map((_, minute) => [START + minute * 60, `${minute * 1.5}`]),
    );
    t.is(await restored.stop(), 0);
  }
});

/** A folder with some data and no gateway. */
async function filled(t: ExecutionContext, samples = 2000): Promise<string> {
  const folder = await scratchFolder(t);
  const config = {...CONFIG, listeners: {}, plugins: []};
  const services = Array.from({length: samples / 20}, (_, i) => `service-${i}`);
  const body = Array.from({length: 20}, (_, minute) => services.map(name => sample('kept', name, minute)).join(''));
  await writeFile(join(folder, 'records.ndjson'), DECLARED + body.join(''));
  const loaded = await run(t, {
    config,
    folder,
    args: file => ['load', '--config', file, join(folder, 'records.ndjson')],
  });
  t.is(await loaded.exit, 0, loaded.stderr.join('\n'));
  return folder;
}

const traces = (folder: string): readonly string[] => readdirSync(folder).filter(name => name.startsWith('copy'));

test('a backup needs no gateway that runs, and takes the place of an empty folder', async t => {
  const folder = await filled(t);
  await mkdir(join(folder, 'copy'));
  const made = backup(t, folder, 'copy');
  t.is(await made.exit, 0, made.stderr.join('\n'));
  const again = await run(t, {
    folder,
    config: {...CONFIG, listeners: {}, plugins: [], storage: {use: 'embedded', config: {path: './copy'}}},
    args: file => ['check', '--config', file, '--connect'],
  });
  t.is(await again.exit, 0);
  t.notRegex(again.stdout.join('\n'), /^health/m);
});

test('a backup that is ended leaves nothing, and one that is killed nothing under its name', async t => {
  const folder = await filled(t);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const made = backup(t, folder, 'copy');
    while (traces(folder).length === 0) await turn();
    t.is(await made.stop(signal), 1);
    t.deepEqual(made.stderr, ['interrupted']);
    t.deepEqual(traces(folder), []);
  }
  const killed = backup(t, folder, 'copy');
  while (traces(folder).length === 0) await turn();
  t.is(await killed.stop('SIGKILL'), null);
  t.regex(traces(folder).join(), /^copy\.partial-\w+$/);
});

test('a database that is damaged is not copied, and what is damaged is told', async t => {
  const folder = await filled(t, 20_000);
  const file = await open(join(folder, 'data/gateway.db'), 'r+');
  const {size} = await file.stat();
  // Pages behind the schema: what they hold is found by reading them alone.
  for (let page = 20; page * 8192 < size; page++) await file.write(Buffer.alloc(64, 0xa5), 0, 64, page * 8192);
  await file.close();
  const made = backup(t, folder, 'copy');
  t.is(await made.exit, 1);
  t.regex(made.stderr.join('\n'), /^the database \S+data\/gateway\.db is damaged, and so would be its copy: \w+: /);
  t.deepEqual(traces(folder), []);
});

test('a disk that is too small for the copy is told, and keeps nothing of it', async t => {
  const folder = await filled(t);
  const disk = await SmallDisk.mount(t, 1);
  await disk.fill();
  const made = backup(t, folder, join(disk.folder, 'copy'));
  t.is(await made.exit, 1);
  t.regex(made.stderr.join('\n'), /copy\.partial-\w+\/gateway\.db failed: the disk is full/);
  t.deepEqual(readdirSync(disk.folder), ['ballast']);
});

const REFUSED: readonly (readonly [title: string, target: string, message: RegExp])[] = [
  ['a folder that holds something', '.', /is there already; expected the name of a new folder$/],
  ['a file', 'records.ndjson', /records\.ndjson is there already/],
  ['a folder within that of the storage', 'data/copy', /lies in the folder of the storage; expected another place/],
  ['the folder of the storage', './data', /lies in the folder of the storage/],
  ['a place that is none', 'nowhere/copy', /^the folder \S+nowhere cannot take the backup copy: ENOENT/],
];

test('a target that cannot be a new folder is refused', async t => {
  const folder = await filled(t);
  for (const [title, target, message] of REFUSED) {
    const refused = backup(t, folder, target);
    t.is(await refused.exit, 1, title);
    t.regex(refused.stderr.join('\n'), message, title);
  }
});

test('a folder without a database is told', async t => {
  const folder = await scratchFolder(t);
  const made = await run(t, {config: CONFIG, folder, args: file => ['backup', '--config', file, join(folder, 'copy')]});
  t.is(await made.exit, 1);
  t.regex(made.stderr.join('\n'), /^there is no database \S+data\/gateway\.db, so there is nothing to copy$/);
  t.false(existsSync(join(folder, 'data')));
});

const OTHERS: readonly (readonly [storage: object | undefined, message: RegExp])[] = [
  [{use: 'postgres', config: {url: 'postgres://127.0.0.1:1/x'}}, /^storage\.use: found "postgres", .*pg_dump/],
  [
    {use: 'clickhouse', config: {urls: ['http://127.0.0.1:1'], database: 'd'}},
    /found "clickhouse", .*clickhouse-backup/,
  ],
  [{use: 'banyandb', config: {endpoints: ['127.0.0.1:1']}}, /found "banyandb", .*tools of BanyanDB/],
  [{use: FIXTURE_ADAPTER}, /make backups with the tools of its database/],
  [undefined, /^storage\.use: found no storage, so there is nothing to copy$/],
];

test('of other storages, a sentence names the tools that make a backup', async t => {
  for (const [storage, message] of OTHERS) {
    const folder = await scratchFolder(t);
    const made = await run(t, {
      config: {storage},
      folder,
      args: file => ['backup', '--config', file, join(folder, 'copy')],
    });
    t.is(await made.exit, 2);
    t.regex(made.stderr.join('\n'), message);
  }
});
