import {join} from 'node:path';
import test from 'ava';
import Database from 'better-sqlite3';
import {STEP_SECONDS} from '../../../core/api/adapter.js';
import {compatSpan, nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';
import {ALL, DAY, HOUR, load, read, START, scene, service, statements} from './retention-scene.js';

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
