import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import Database from 'better-sqlite3';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';
import {ALL, DAY, HOUR, load, read, START, scene, service} from './retention-scene.js';

test('the space of removed data is given back while the adapter runs', async t => {
  const path = await temporaryFolder(t);
  let now = START;
  const harness = await Harness.open({path, memory: 0, retention: {minute: HOUR * 1000}}, {clock: () => now * 1000});
  await harness.write({metrics: [load]});
  const perMinute = 1500;
  for (let minute = 0; minute < 300; minute++) {
    await harness.write({
      samples: Array.from({length: perMinute}, (_, i) => ({
        metric: 'load',
        entity: service(i),
        time: START + minute * 60,
        value: i + minute / 7,
      })),
    });
  }
  now = START + 30 * DAY;
  await harness.storage.settle();
  t.is(await read(harness, 'minute', START, 300, 7), undefined);
  t.true(Array.isArray(await read(harness, 'hour', START, 5, 7)));
  await harness.storage.stop();

  const {size} = await stat(join(path, 'gateway.db'));
  const database = new Database(join(path, 'gateway.db'), {readonly: true});
  t.teardown(() => database.close());
  const free = database.pragma('freelist_count', {simple: true}) as number;
  t.true(free <= 256, `${free} pages are free`);
  t.true(size < (perMinute * 300 * 20) / 2 + 256 * 8192, `${size} bytes are left`);
  t.is(database.pragma('quick_check', {simple: true}), 'ok');
});

const SOME = {first: START - 70 * DAY, days: 70};

for (const memory of [0, 16 * 2 ** 20]) {
  test(`a shorter retention leaves no day before it, also within a row of days, with ${memory} bytes of head`, async t => {
    const path = await temporaryFolder(t);
    const now = START + 1800;
    const kept = (days: number) => ({minute: days * DAY * 1000, hour: days * DAY * 1000, day: days * DAY * 1000});
    const hooks = {clock: () => now * 1000};
    const harness = await Harness.open({path, memory, retention: kept(100)}, hooks);
    // Beside 1e17 a tenth is a remainder, which a cell has a place of its own for.
    const samples = Array.from({length: 70 * 300}, (_, i) => ({
      metric: 'load',
      entity: service(i % 300),
      time: SOME.first + Math.floor(i / 300) * DAY,
      value: 0.1,
    }));
    const twice = samples.map(sample => ({...sample, time: sample.time + 60, value: 1e17}));
    await harness.write({metrics: [load], samples: [...samples, ...twice]});
    await harness.storage.settle();
    t.deepEqual(await read(harness, 'day', SOME.first, SOME.days, 299), Array(SOME.days).fill(1e17));
    await harness.storage.stop();

    const shorter = await Harness.open({path, memory, retention: kept(3)}, hooks);
    await shorter.storage.settle();
    for (const i of [0, 299]) {
      const days = await read(shorter, 'day', SOME.first, SOME.days, i);
      t.deepEqual(
        days,
        Array.from({length: SOME.days}, (_, day) => (day < 67 ? null : 1e17)),
      );
    }
    t.is(await read(shorter, 'hour', SOME.first, 67 * 24), undefined);
    const before = new Date((START - 3 * DAY) * 1000).toISOString();
    t.deepEqual(
      shorter.infos.flatMap(({message, fields}) => (message.startsWith('removed') ? fields : [])),
      [
        {kind: 'minutes', rows: 67 * 300, before},
        {kind: 'hours', rows: 67 * 300, before},
        {kind: 'days', rows: 67 * 300, before},
      ],
    );
    await shorter.storage.stop();
    const database = new Database(join(path, 'gateway.db'), {readonly: true});
    t.teardown(() => database.close());
    t.is(
      database.prepare('SELECT count(*) FROM days').pluck().get(),
      300 * rowsSince(START - 3 * DAY),
      'empty rows go',
    );
  });
}

/** How many rows of 32 days there are from a time to the last day that has values. */
function rowsSince(time: number): number {
  return Math.floor((START - DAY) / DAY / 32) - Math.floor(time / DAY / 32) + 1;
}

test('a clock that jumps 400 days ahead and back removes nothing, and no current sample is dropped', async t => {
  const {time, harness, open, kept, sample} = await scene(t);
  t.deepEqual(await kept(harness), ALL);
  time.wall += 400 * DAY * 1000;
  t.deepEqual(await kept(harness), ALL);
  t.regex((await harness.storage.health(call.signal)).message ?? '', /^the clock says 2024-12-19T.* was expected/);
  await harness.write({samples: [sample(START + DAY + 60), sample(time.wall / 1000)]});
  t.is(
    ((await read(harness, 'minute', START + DAY + 60, 1)) as number[] | undefined)?.[0],
    1,
    'a sample of the real time',
  );

  await harness.restart();
  t.deepEqual(await kept(harness), ALL, 'nor when it is started meanwhile');
  t.is((await harness.storage.health(call.signal)).status, 'degraded');

  time.wall -= 400 * DAY * 1000;
  t.deepEqual(await kept(harness), ALL);
  t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
  await harness.storage.stop();
  const again = await open();
  await again.write({samples: [sample(START + DAY + 120)]});
  t.is(((await read(again, 'minute', START + DAY + 120, 1)) as number[] | undefined)?.[0], 1);
  t.deepEqual(again.warnings, []);
});
