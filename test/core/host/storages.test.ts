import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import type {AdapterDefinition, StorageAdapter} from '../../../core/api/adapter.js';
import {builtins} from '../../../core/cli/builtins.js';
import type {StorageConfig} from '../../../core/config/gateway-config.js';
import {loadConfig} from '../../../core/config/load.js';
import {printable} from '../../../core/config/printable.js';
import {heldProblems} from '../../../core/host/held-storage.js';
import {Instruments} from '../../../core/host/meter.js';
import {Storages} from '../../../core/host/storages.js';
import {scratchFolder} from '../../support/gateway.js';

const silence = () => undefined;
const log = {debug: silence, info: silence, warn: silence, error: silence};
const {signal} = new AbortController();

/** What happened to the folders of a world, in order. */
type Happened = string[];

/** An adapter that only one instance can have a folder open with. */
function folder(happened: Happened): AdapterDefinition<{readonly path: string}> {
  return {
    kind: 'storage-adapter',
    apiVersion: 1,
    name: 'folder',
    configSchema: {type: 'object', properties: {path: {type: 'string'}, size: {type: 'integer'}}},
    exclusive: ({path}: {readonly path: string}) => [{key: 'path', what: `the folder ${path}`}],
    create: ({config: {path}}) => ({
      start: async () => {
        happened.push(`start ${path}`);
        return {};
      },
      health: async () => ({status: 'ok'}),
      stop: async () => void happened.push(`stop ${path}`),
    }),
  };
}

/** One that has others within. */
const pair: AdapterDefinition = {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'pair',
  configSchema: {type: 'object', properties: {left: {'x-storage': true}, right: {'x-storage': true}}},
  create: ({storages = {}}) => ({
    start: async by => {
      for (const one of Object.values(storages)) await one.start(by);
      return {};
    },
    health: async () => ({status: 'ok'}),
    stop: async () => {
      for (const one of Object.values(storages)) await one.stop();
    },
  }),
};

function world() {
  const happened: Happened = [];
  const definition = folder(happened);
  const instruments = new Instruments();
  const storages = new Storages(
    () => log,
    component => instruments.meter(component),
  );
  const single = (path: string, more: object = {}) => ({definition, config: {path, ...more}});
  const both = (left: object, right: object) => ({definition: pair, config: {left, right}});
  const started = async (config: Parameters<Storages['create']>[0]): Promise<StorageAdapter> => {
    const adapter = storages.create(config);
    await adapter.start(signal);
    return adapter;
  };
  return {happened, single, both, started};
}

test('a folder is handed over open into another storage, within it to the next, and out of it', async t => {
  const {happened, single, both, started} = world();
  const alone = await started(single('a'));
  const first = await started(both(single('a'), single('b')));
  await alone.stop();
  const second = await started(both(single('b'), single('a')));
  await first.stop();
  t.deepEqual(happened, ['start a', 'start b']);
  const last = await started(single('b'));
  await second.stop();
  t.deepEqual(happened.splice(0), ['start a', 'start b', 'stop a']);
  await last.stop();
  await last.stop();
  t.deepEqual(happened.splice(0), ['stop b']);
  await (await started(single('b'))).stop();
  t.deepEqual(happened, ['start b', 'stop b']);
});

test('a folder that is open keeps its settings, wherever it is', t => {
  const {single, both} = world();
  const rows: readonly [before: object, after: object, problems: readonly string[]][] = [
    [single('a'), single('a'), []],
    [single('a'), both(single('a'), single('b')), []],
    [both(single('a'), single('b')), single('b'), []],
    [single('a'), single('a', {size: 1}), ['storage.config.size']],
    [single('a'), both(single('b'), single('a', {size: 1})), ['storage.config.right.config.size']],
    [both(single('a'), single('b')), single('b', {size: 1}), ['storage.config.size']],
    [
      both(single('a'), single('b')),
      both(single('a', {size: 1}), single('b', {size: 1})),
      ['storage.config.left.config.size', 'storage.config.right.config.size'],
    ],
  ];
  for (const [before, after, problems] of rows) {
    const found = heldProblems(before as never, after as never).map(({path}) => path);
    t.deepEqual(found, problems, JSON.stringify([before, after]));
  }
});

const NESTING = `export default {
  kind: 'storage-adapter', apiVersion: 1, name: 'nesting', create() {},
  configSchema: {type: 'object', properties: {inner: {
    'x-storage': true, type: 'object', required: ['use'],
    properties: {use: {type: 'string'}, config: {type: 'object', additionalProperties: true}}}}}};`;

test('a storage within another is checked, completed and printed like one alone', async t => {
  const place = await scratchFolder(t);
  await writeFile(join(place, 'nesting.mjs'), NESTING);
  const load = (inner: unknown, rest: object = {}) => {
    const storage = {use: './nesting.mjs', config: {inner}};
    return loadConfig({value: {storage, ...rest}, folder: place}, builtins, {URL: 'postgres://u:hidden@db/x'});
  };
  const rows: readonly [inner: unknown, path: string, message: RegExp][] = [
    [{use: 'embedded', config: {pth: './a', path: './a'}}, 'storage.config.inner.config.pth', /did you mean "path"/],
    [{use: 'embedded', config: {path: 7}}, 'storage.config.inner.config.path', /found 7, expected text/],
    [
      {use: 'embedded', config: {path: 'a', retention: {minute: '2d', hour: '1d'}}},
      'storage.config.inner.config.retention.hour',
      /minute/,
    ],
    [{use: 'embeded', config: {}}, 'storage.config.inner.use', /did you mean "embedded"/],
    [{use: 'embedded', config: {path: 'a'}, confg: {}}, 'storage.config.inner.confg', /unknown key/],
    [{config: {}}, 'storage.config.inner.use', /missing/],
    ['embedded', 'storage.config.inner', /expected an object/],
    [
      {use: 'postgres', config: {url: '${URL}', connectTimeout: '10s'}},
      'storage.config.inner.config.connectTimeout',
      /^found 10s, expected at most startTimeout/,
    ],
  ];
  for (const [inner, path, message] of rows) {
    const error = await t.throwsAsync(load(inner, {startTimeout: 5000}));
    const {problems} = error as unknown as {problems: readonly {path: string; message: string}[]};
    t.deepEqual(
      problems.map(problem => problem.path),
      [path],
    );
    t.regex(problems[0]?.message ?? '', message);
  }
  const settled = await load({use: 'postgres', config: {url: '${URL}'}});
  const {inner} = (settled.storage?.config ?? {}) as {readonly inner?: StorageConfig};
  t.like(inner, {use: 'postgres', config: {connections: 10}});
  const printed = JSON.stringify(printable(settled));
  t.regex(printed, /"use":"postgres","config":\{"url":"\(hidden\)"/);
  t.notRegex(printed, /hidden@/);
});
