import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import Database from 'better-sqlite3';
import {STEP_SECONDS, type Step} from '../../../core/api/adapter.js';
import {compatSpan, nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const HOUR = 3600;
const DAY = 86_400;
const START = Math.floor(1_700_000_000 / DAY) * DAY;
const load = metric('load', {rollup: 'sum'});
const statements = metric('statements', {kind: 'sampled-record'});

function service(i: number) {
  return {layer: 'L', service: `s${i}`};
}

async function read(harness: Harness, step: Step, first: number, count: number, i = 0): Promise<unknown> {
  const window = {step, first, count};
  const columns = await harness.metrics.values(
    {metric: load, entity: service(i), valueFilters: new Map(), window},
    call,
  );
  return columns.map(plain).map(({values}) => values)[0];
}

for (const memory of [0, 16 * 2 ** 20]) {
  test(`each kind of data goes at its own time, with ${memory} bytes of head`, async t => {
    const path = await temporaryFolder(t);
    let now = START;
    const retention = {minute: 6 * HOUR * 1000, hour: 3 * DAY * 1000, records: 2 * HOUR * 1000};
    const harness = await Harness.open({path, memory, retention}, {clock: () => now * 1000});
    await harness.write({
      metrics: [load, statements],
      samples: Array.from({length: 24 * 60}, (_, i) => ({
        metric: 'load',
        entity: service(0),
        time: START + i * 60,
        value: 1,
      })),
      records: [0, 23].map(hour => ({
        metric: 'statements',
        entity: service(0),
        content: `select ${hour}`,
        time: START + hour * HOUR,
        value: 1,
      })),
    });

    now = START + DAY + 1800;
    await harness.storage.settle();
    t.is(await read(harness, 'minute', START + 17 * HOUR, 60), undefined);
    t.deepEqual(await read(harness, 'minute', START + 19 * HOUR, 3), [1, 1, 1]);
    t.deepEqual(
      await read(harness, 'hour', START, 24),
      Array.from({length: 24}, () => 60),
    );
    t.deepEqual(await read(harness, 'day', START, 2), [1440, null]);
    const window = {step: 'day', first: START, count: 2} as const;
    const request = {metric: statements, layer: 'L', parentService: 's0', order: 'ASC', limit: 9, window} as const;
    t.deepEqual(
      (await harness.metrics.sampledRecords(request, call)).map(({content}) => content),
      ['select 23'],
    );

    const late = [2, 20].map(hour => ({metric: 'load', entity: service(0), time: START + hour * HOUR, value: 100}));
    await harness.write({samples: late});
    await harness.storage.settle();
    const hours = Array.from({length: 24}, (_, hour) => (hour === 20 ? 159 : 60));
    t.deepEqual(await read(harness, 'hour', START, 24), hours, 'a sample of an expired minute changes no rollup');
    t.deepEqual(await read(harness, 'day', START, 1), [1440 + 99]);
    t.true(harness.warnings.some(({fields}) => fields?.samples === 1));

    await harness.restart();
    await harness.write({samples: late});
    t.deepEqual(await read(harness, 'hour', START, 24), hours, 'nor does it after a restart');

    now = START + 5 * DAY;
    await harness.storage.settle();
    t.is(await read(harness, 'hour', START, 24), undefined);
    t.deepEqual(await read(harness, 'day', START, 1), [1440 + 99], 'days are kept for ever unless told otherwise');
  });
}

test('spans that come after the retention of their trace are told; those of a trace that lives are not', async t => {
  const path = await temporaryFolder(t);
  const now = (START + 5 * DAY) * 1000;
  const harness = await Harness.open({path, retention: {traces: DAY * 1000}}, {clock: () => now});
  const span = (trace: string, id: number, day: number) =>
    compatSpan(trace.repeat(16), id, {timestamp: (START + day * DAY) * 1e6});
  await harness.spans.write(
    [span('a', 1, 0), span('a', 2, 1), span('b', 1, 0), span('b', 2, 5), span('c', 1, 5)],
    call,
  );
  await harness.spans.write([span('c', 2, 0), compatSpan('d'.repeat(16), 1)], call);
  const old = (START + DAY) * 1000;
  await harness.segments.write([segment('e', 's', [nativeSpan(0, old), nativeSpan(1, old), nativeSpan(2, old)])], call);
  await harness.storage.settle();
  const message = 'dropped spans that are older than the retention of traces';
  const told = harness.warnings.filter(warning => warning.message === message).map(({fields}) => Number(fields.spans));
  // One line, or one for each batch, as the upkeep comes by.
  t.true(['5', '2,3'].includes(told.join()), told.join());
  t.is(await harness.compat.trace('a'.repeat(16), call), undefined);
  t.is((await harness.compat.trace('b'.repeat(16), call))?.spans.length, 2);
  t.is((await harness.compat.trace('c'.repeat(16), call))?.spans.length, 2);
});

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

test('days go with their retention, never before the hours they are made of', async t => {
  const path = await temporaryFolder(t);
  let now = START + 60;
  const retention = {minute: 2 * DAY * 1000, hour: HOUR * 1000, day: HOUR * 1000};
  const harness = await Harness.open({path, memory: 0, retention}, {clock: () => now * 1000});
  await harness.write({metrics: [load], samples: [{metric: 'load', entity: service(0), time: START, value: 3}]});
  now = START + DAY;
  await harness.storage.settle();
  for (const step of ['minute', 'hour', 'day'] as const) {
    t.deepEqual(await read(harness, step, Math.floor(START / STEP_SECONDS[step]) * STEP_SECONDS[step], 1), [3], step);
  }
  now = START + 100 * DAY;
  await harness.storage.settle();
  for (const step of ['minute', 'hour', 'day'] as const) {
    t.is(await read(harness, step, Math.floor(START / STEP_SECONDS[step]) * STEP_SECONDS[step], 1), undefined, step);
  }
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

const RETENTION = {minute: 7 * DAY * 1000, records: 7 * DAY * 1000, traces: 7 * DAY * 1000};

/** A folder with a day of minutes, a record and a trace, and a clock that can be set while time passes. */
async function scene(t: Parameters<typeof temporaryFolder>[0]) {
  const time = {wall: (START + DAY) * 1000, steady: 0};
  const hooks = {clock: () => time.wall, steady: () => time.steady};
  const path = await temporaryFolder(t);
  const open = () => Harness.open({path, memory: 0, retention: RETENTION}, hooks);
  const harness = await open();
  const sample = (at: number) => ({metric: 'load', entity: service(0), time: at, value: 1});
  await harness.write({
    metrics: [load, statements],
    samples: Array.from({length: 24 * 60}, (_, i) => sample(START + i * 60)),
    records: [{metric: 'statements', entity: service(0), content: 'select', time: START + DAY - 60, value: 1}],
  });
  const spans = [{traceId: '1', id: '1', timestamp: (START + DAY - 60) * 1e6, annotations: [], tags: new Map()}];
  await harness.spans.write(spans, call);
  const kept = async (of: Harness) => {
    await of.storage.settle();
    const window = {step: 'day', first: START, count: 2} as const;
    const ranked = {metric: statements, layer: 'L', parentService: 's0', order: 'ASC', limit: 9, window} as const;
    return {
      minutes: ((await read(of, 'minute', START, 24 * 60)) as number[] | undefined)?.length ?? 0,
      records: (await of.metrics.sampledRecords(ranked, call)).length,
      traces: (await of.compat.trace('1', call))?.spans.length ?? 0,
    };
  };
  return {time, harness, open, kept, sample};
}

const ALL = {minutes: 24 * 60, records: 1, traces: 1};

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

test('a machine that was off for a month removes what is due an hour after it is back, and tells', async t => {
  const {time, harness, kept} = await scene(t);
  await harness.storage.stop();
  time.wall += 30 * DAY * 1000;
  await harness.start();
  t.deepEqual(await kept(harness), ALL);
  t.is((await harness.storage.health(call.signal)).status, 'degraded');
  time.wall += 3600 * 1000;
  time.steady += 3600 * 1000;
  t.deepEqual(await kept(harness), {minutes: 0, records: 0, traces: 0});
  t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
  const border = new Date((START + 24 * DAY + 3600) * 1000).toISOString();
  const removed = harness.infos.filter(({message}) => message === 'removed what is older than its retention');
  t.deepEqual(
    removed.map(({fields}) => fields),
    [
      {kind: 'minutes', rows: 24, before: border},
      {kind: 'records', rows: 1, before: border},
      {kind: 'traces', rows: 1, before: border},
    ],
  );
});

test('a border that a wrong clock has left in the future comes back to the end of what was removed', async t => {
  const {time, harness, kept, sample} = await scene(t);
  t.deepEqual(await kept(harness), ALL);
  await harness.storage.stop();
  const database = new Database(join(harness.path, 'gateway.db'));
  database.prepare('DELETE FROM minutes').run();
  database
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('minutes_expired_before', ?), ('clock', ?)")
    .run((START + 400 * DAY) / 3600, (START + 400 * DAY) * 1000);
  database.close();

  time.wall += 3600 * 1000;
  await harness.start();
  await harness.write({samples: [sample(START + 3600), sample(START + DAY + 3600)]});
  t.deepEqual(
    await read(harness, 'day', START, 2),
    [24 * 60, 1],
    'the day that was removed is not made from one minute',
  );
});
