import {mkdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import Database from 'better-sqlite3';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const START = 1_700_000_040;
const load = metric('load');
const sample = (i: number, time = START) => ({metric: 'load', entity: {layer: 'L', service: `s${i}`}, time, value: i});

const unusable: readonly {
  readonly what: string;
  readonly prepare: (path: string) => Promise<string>;
  readonly message: RegExp;
}[] = [
  {
    what: 'a file that is not a database',
    prepare: async path => {
      await writeFile(join(path, 'gateway.db'), 'hello, I am a text and not a database at all'.repeat(100));
      return path;
    },
    message: /gateway\.db failed: it is not a database/,
  },
  {
    what: 'the database of another program',
    prepare: async path => {
      const other = new Database(join(path, 'gateway.db'));
      other.exec('CREATE TABLE theirs (id)');
      other.close();
      return path;
    },
    message: /gateway\.db is a database of another program/,
  },
  {
    what: 'a database of a later version',
    prepare: async path => {
      const harness = await Harness.open({path});
      await harness.storage.stop();
      const database = new Database(join(path, 'gateway.db'));
      database.pragma('user_version = 99');
      database.close();
      return path;
    },
    message: /schema version 99, and this gateway knows version 8/,
  },
  {
    what: 'a path that leads through a file',
    prepare: async path => {
      await writeFile(join(path, 'file'), '');
      return join(path, 'file', 'data');
    },
    message: /file\/data of the embedded storage cannot be written: .*ENOTDIR/,
  },
  {
    what: 'a folder in place of the database file',
    prepare: async path => {
      await mkdir(join(path, 'gateway.db'));
      return path;
    },
    message: /gateway\.db failed: it cannot be opened/,
  },
];

for (const {what, prepare, message} of unusable) {
  test(`${what} ends the start with an error that names it`, async t => {
    const folder = await temporaryFolder(t);
    const path = await prepare(folder);
    const harness = new Harness({path});
    const error = await t.throwsAsync(harness.start(), {message});
    t.like(error, {code: 'storage_failed'});
  });
}

test('a missing folder is made, with those above it', async t => {
  const folder = await temporaryFolder(t);
  const harness = await Harness.open({path: join(folder, 'a', 'b')});
  await harness.storage.stop();
  t.true((await stat(join(folder, 'a', 'b', 'gateway.db'))).isFile());
});

test('stop is safe without start and twice, and start works after it', async t => {
  const path = await temporaryFolder(t);
  const harness = new Harness({path});
  await harness.storage.stop();
  await harness.start();
  await harness.write({metrics: [load], samples: [sample(1)]});
  const {metrics} = harness;
  await harness.storage.stop();
  await harness.storage.stop();
  await t.throwsAsync(metrics.sampledRecords({...ranked, metric: load, parentService: 's1'}, call), {
    message: /stopped|running/,
  });
  await harness.start();
  t.deepEqual(await harness.metrics.catalog(call), [load]);
});

const ranked = {
  layer: 'L',
  order: 'DES',
  limit: 5,
  window: {step: 'minute', first: START, count: 1},
} as const;

test('an abort during start ends it, and leaves the folder free', async t => {
  const path = await temporaryFolder(t);
  const harness = new Harness({path});
  const reason = new Error('enough');
  t.is(await t.throwsAsync(harness.storage.start(AbortSignal.abort(reason))), reason);
  await t.notThrowsAsync(harness.start());
});

test('a full disk refuses the batch, shows in health, loses nothing, and is over when there is space again', async t => {
  const path = await temporaryFolder(t);
  const full = await Harness.open({path}, {maxPages: 60, clock: () => 0});
  await full.write({metrics: [load]});
  let stored = 0;
  const error = await t.throwsAsync(async () => {
    for (; stored < 1000; stored++) {
      await full.write({samples: Array.from({length: 200}, (_, i) => sample(i, START + stored * 60))});
    }
  });
  t.like(error, {code: 'storage_failed'});
  t.regex(error.message, /the disk is full/);
  t.true(stored > 0);
  t.like(await full.storage.health(call.signal), {status: 'degraded'});
  await full.storage.stop();

  const harness = await Harness.open({path});
  t.like(await harness.storage.health(call.signal), {status: 'ok'});
  const window = {step: 'minute', first: START, count: stored + 1} as const;
  for (const i of [0, 199]) {
    const request = {metric: load, entity: {layer: 'L', service: `s${i}`}, valueFilters: new Map(), window};
    const [column] = (await harness.metrics.values(request, call)).map(plain);
    t.deepEqual(column?.values, [...Array.from({length: stored}, () => i), null], 'the refused batch left nothing');
  }
});

test('declarations of a batch that could not be stored do not stand', async t => {
  const path = await temporaryFolder(t);
  const harness = await Harness.open({path}, {maxPages: 60, clock: () => 0});
  const samples = Array.from({length: 60_000}, (_, i) => sample(i % 100, START + i * 60));
  await t.throwsAsync(harness.write({metrics: [load], samples}), {message: /full/});
  t.deepEqual(await harness.metrics.catalog(call), []);
  await harness.write({metrics: [{...load, scope: 'Endpoint'}]});
  t.is((await harness.metrics.catalog(call))[0]?.scope, 'Endpoint');
});
