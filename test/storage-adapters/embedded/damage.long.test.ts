import {copyFile, cp, mkdir, open, readFile, rm, stat, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import Database from 'better-sqlite3';
import {ownerOf} from '../../support/owner.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const START = 1_700_000_000 - (1_700_000_000 % 86_400);
const HOURS = 4;
const SERIES = 150;
const load = metric('load');
const later = {clock: () => (START + 86_400) * 1000};

function samples(hours: readonly number[]) {
  return hours.flatMap(hour =>
    Array.from({length: SERIES * 60}, (_, i) => ({
      metric: 'load',
      entity: {layer: 'L', service: `s${i % SERIES}`},
      time: START + hour * 3600 + Math.floor(i / SERIES) * 60,
      value: i + hour / 7,
    })),
  );
}

const owner = ownerOf(test);
let original: Promise<string> | undefined;

/** A folder of the test alone with some folded hours, written once for all. */
async function filled(t: ExecutionContext): Promise<string> {
  original ??= fill();
  const path = join(await temporaryFolder(t), 'data');
  await cp(await original, path, {recursive: true});
  return path;
}

async function fill(): Promise<string> {
  const path = await temporaryFolder(owner);
  const harness = await Harness.open({path, memory: 0}, later);
  await harness.write({metrics: [load]});
  await harness.write({samples: samples(Array.from({length: HOURS}, (_, hour) => hour))});
  await harness.storage.settle();
  await harness.storage.stop();
  return path;
}

/** A copy of a folder that was never closed, with one hour in the log. */
async function abandoned(t: ExecutionContext): Promise<string> {
  const path = await filled(t);
  const harness = await Harness.open({path, memory: 0}, {clock: () => START * 1000});
  for (const minute of [0, 1, 2, 3]) {
    const written = samples([HOURS]).slice(minute * SERIES, (minute + 1) * SERIES);
    await harness.write({samples: written});
  }
  const copy = join(path, 'copy');
  await mkdir(copy);
  for (const name of ['gateway.db', 'gateway.db-wal', 'gateway.db-shm', 'lock.db', 'lock.pid']) {
    await copyFile(join(path, name), join(copy, name));
  }
  await harness.storage.stop();
  return copy;
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  byte[0] = (byte[0] as number) ^ 0x10;
  await handle.write(byte, 0, 1, at);
  await handle.close();
}

/** Where the blob of some folded hour stands in the file. */
async function placeOfBlob(path: string): Promise<number> {
  const database = new Database(join(path, 'gateway.db'), {readonly: true});
  const blob = database.prepare('SELECT data FROM minutes WHERE hour = ? LIMIT 1 OFFSET 100').pluck();
  const found = blob.get(START / 3600 + 1) as Buffer;
  database.close();
  return (await readFile(join(path, 'gateway.db'))).indexOf(found) + 40;
}

/** Every minute that was written, or the error that reading it ends with. */
async function outcomes(harness: Harness): Promise<{readonly wrong: number; readonly errors: readonly string[]}> {
  let wrong = 0;
  const errors: string[] = [];
  for (let i = 0; i < SERIES; i++) {
    const window = {step: 'minute', first: START, count: HOURS * 60} as const;
    const request = {metric: load, entity: {layer: 'L', service: `s${i}`}, valueFilters: new Map(), window};
    try {
      const [column] = (await harness.metrics.values(request, call)).map(plain);
      const isRight = column?.values.every(
        (value, minute) => value === (minute % 60) * SERIES + i + Math.floor(minute / 60) / 7,
      );
      if (isRight !== true) wrong++;
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  return {wrong, errors};
}

const degrading: readonly {
  readonly what: string;
  readonly damage: (path: string) => Promise<void>;
  readonly told: RegExp;
}[] = [
  {
    what: 'a file cut by 1,000 bytes',
    damage: async path => {
      const file = join(path, 'gateway.db');
      await truncate(file, (await stat(file)).size - 1000);
    },
    told: /the end of the database .*gateway\.db is lost: it has \d+ bytes and should have \d+/,
  },
  {
    what: 'a flipped byte among the values',
    damage: async path => flip(join(path, 'gateway.db'), await placeOfBlob(path)),
    told: /in the database .*gateway\.db some of the minute values are damaged: 1 hours of series have a wrong checksum/,
  },
  {
    what: 'a page of zeros',
    damage: async path => {
      const place = await placeOfBlob(path);
      const handle = await open(join(path, 'gateway.db'), 'r+');
      await handle.write(Buffer.alloc(8192), 0, 8192, Math.floor(place / 8192) * 8192);
      await handle.close();
    },
    told: /in the database .*gateway\.db some of the minute values are damaged: .*page \d+/,
  },
];

for (const {what, damage, told} of degrading) {
  test(`${what} is told by health and the log, and what is damaged is never read as something else`, async t => {
    const path = await filled(t);
    await damage(path);
    const harness = await Harness.open({path, memory: 0}, later);
    await harness.storage.settle();
    const health = await harness.storage.health(call.signal);
    t.is(health.status, 'degraded');
    t.regex(health.message ?? '', told);
    t.true(harness.warnings.some(({fields}) => told.test(String(fields.found))));
    const {wrong, errors} = await outcomes(harness);
    t.is(wrong, 0);
    t.true(errors.length < SERIES, 'what is sound is read');
    for (const error of errors) t.regex(error, /gateway\.db failed: it is damaged/);
    if (what !== 'a file cut by 1,000 bytes') t.true(errors.length > 0);
  });
}

const logs: readonly {
  readonly what: string;
  readonly damage: (path: string) => Promise<void>;
  readonly told: RegExp | undefined;
}[] = [
  {what: 'a log as it was left', damage: async () => {}, told: undefined},
  {
    what: 'a log that is cut',
    damage: async path => {
      const file = join(path, 'gateway.db-wal');
      await truncate(file, (await stat(file)).size - 100);
    },
    told: /gateway\.db-wal has \d+ of \d+ frames/,
  },
  {
    what: 'a log with a flipped byte',
    damage: path => flip(join(path, 'gateway.db-wal'), 32 + 24 + 100),
    told: /gateway\.db-wal is damaged in frame 1 of/,
  },
  {
    what: 'a log of something else',
    damage: path => writeFile(join(path, 'gateway.db-wal'), 'no log at all '.repeat(1000)),
    told: /gateway\.db-wal is damaged at its beginning/,
  },
  {
    what: 'an empty log',
    damage: path => truncate(join(path, 'gateway.db-wal'), 0),
    told: /gateway\.db-wal is empty/,
  },
  {
    what: 'a log that is missing',
    damage: path => rm(join(path, 'gateway.db-wal')),
    told: /gateway\.db-wal is missing/,
  },
];

for (const {what, damage, told} of logs) {
  test(`${what}, after a gateway that died, is ${told === undefined ? 'taken over' : 'told'}`, async t => {
    const path = await abandoned(t);
    await damage(path);
    const harness = await Harness.open({path, memory: 0}, later);
    const health = await harness.storage.health(call.signal);
    if (told === undefined) {
      t.deepEqual(health, {status: 'ok'});
    } else {
      t.is(health.status, 'degraded');
      t.regex(health.message ?? '', told);
      t.regex(health.message ?? '', /what was written last, before the gateway died, is lost/);
    }
    t.deepEqual(await outcomes(harness), {wrong: 0, errors: []}, 'what stood in the database is there');
  });
}

const refused: readonly {
  readonly what: string;
  readonly damage: (path: string) => Promise<void>;
  readonly message: RegExp;
}[] = [
  {
    what: 'an empty file in place of the database',
    damage: path => truncate(join(path, 'gateway.db'), 0),
    message: /gateway\.db failed: it is empty/,
  },
  {
    what: 'a database that lacks whole pages',
    damage: async path => {
      const file = join(path, 'gateway.db');
      await truncate(file, (await stat(file)).size - 10_000);
    },
    message: /gateway\.db failed: it has \d+ bytes and should have \d+/,
  },
  {
    what: 'a log without its database',
    damage: path => rm(join(path, 'gateway.db')),
    message: /gateway\.db failed: it is missing, and its log .*-wal is there/,
  },
];

for (const {what, damage, message} of refused) {
  test(`${what} ends the start, and says what is missing`, async t => {
    const path = await abandoned(t);
    if (what !== 'a log without its database') await rm(join(path, 'gateway.db-wal'));
    await damage(path);
    t.like(await t.throwsAsync(new Harness({path}).start(), {message}), {code: 'storage_failed'});
  });
}

test('a folder whose database was moved away begins anew, and says so', async t => {
  const path = await filled(t);
  await rm(join(path, 'gateway.db'));
  const harness = await Harness.open({path});
  t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
  t.regex(String(harness.warnings[0]?.fields.found), /gateway\.db is no longer there: it begins anew/);
  await harness.restart();
  t.is(harness.warnings.length, 1);
});
