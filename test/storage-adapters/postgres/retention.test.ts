import test from 'ava';
import type {CompatSpan} from '../../../core/api/adapter.js';
import {compatSpan} from '../../../storage-adapters/conformance/data/spans.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {names, plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

const DAY = 86_400;
/** The first second of a partition of every table. */
const START = Math.floor(1_700_000_000 / (128 * DAY)) * 128 * DAY;
const load = metric('load', {rollup: 'sum'});
const entity = {layer: 'L', service: 'a'};
const at = (day: number, value: number) => ({metric: 'load', entity, time: START + day * DAY + 60, value});

suiteWith(test, 'postgres', 'retention in a PostgreSQL database', () => {
  const server = sharedPostgres(test);

  async function read(harness: Harness, step: 'minute' | 'hour' | 'day', day: number): Promise<number | null> {
    const first = START + day * DAY + (step === 'minute' ? 60 : 0);
    const request = {metric: load, entity, valueFilters: new Map(), window: {step, first, count: 1}};
    return (await harness.metrics.values(request, call)).map(plain)[0]?.values[0] ?? null;
  }

  test('minutes, hours and days go by whole partitions, the shorter ones first', async t => {
    let now = START * 1000;
    const retention = {minute: 2 * DAY * 1000, hour: 10 * DAY * 1000, day: 200 * DAY * 1000};
    const harness = await Harness.open(t, await server(), {retention}, () => now);
    await harness.write({metrics: [load], samples: [0, 1, 2, 9, 20, 130].map(day => at(day, day + 1))});
    const expectations = [
      {today: 2, minute: [0, 1, 2, 9, 20, 130], hour: [0, 1, 2, 9, 20, 130], day: [0, 1, 2, 9, 20, 130]},
      {today: 3, minute: [1, 2, 9, 20, 130], hour: [0, 1, 2, 9, 20, 130], day: [0, 1, 2, 9, 20, 130]},
      {today: 18, minute: [20, 130], hour: [9, 20, 130], day: [0, 1, 2, 9, 20, 130]},
      {today: 328, minute: [], hour: [], day: [130]},
    ];
    for (const {today, ...expected} of expectations) {
      now = (START + today * DAY) * 1000;
      await harness.storage.runJobs();
      for (const step of ['minute', 'hour', 'day'] as const) {
        for (const day of [0, 1, 2, 9, 20, 130]) {
          const value = expected[step].includes(day) ? day + 1 : null;
          t.is(await read(harness, step, day), value, `${step} of day ${day} on day ${today}`);
        }
      }
    }
  });

  test('a sample that comes too late is dropped and counted, one that is in time is added to its hour', async t => {
    let now = (START + 3 * DAY) * 1000;
    const harness = await Harness.open(t, await server(), {retention: {minute: 2 * DAY * 1000}}, () => now);
    await harness.write({metrics: [load], samples: [at(2, 1), at(3, 10)]});
    now = (START + 5 * DAY) * 1000;
    await harness.storage.runJobs();
    now += 1000;
    const late = {...at(2, 5), time: START + 2 * DAY + 120};
    const intime = {...at(3, 20), time: START + 3 * DAY + 120};
    await harness.write({samples: [late, intime, {...late, entity: {layer: 'L', service: 'only late'}}]});
    t.is(await read(harness, 'hour', 2), 1);
    t.is(await read(harness, 'hour', 3), 30);
    t.is(await read(harness, 'day', 3), 30);
    t.deepEqual(harness.warnings, [
      {message: 'samples older than the retention of minute values were dropped', fields: {samples: 2}},
    ]);
    t.deepEqual(await names(harness.metadata.services({layer: 'L'}, call)), ['a']);
  });

  test('the first samples of a new database come too late too', async t => {
    const now = (START + 5 * DAY) * 1000;
    const harness = await Harness.open(t, await server(), {retention: {minute: 2 * DAY * 1000}}, () => now);
    await harness.write({metrics: [load], samples: [at(2, 1), at(3, 10)]});
    t.is(await read(harness, 'day', 2), null);
    t.is(await read(harness, 'day', 3), 10);
    t.deepEqual(
      harness.warnings.map(({fields}) => fields),
      [{samples: 1}],
    );
  });

  test('records go by days, and one that comes late finds a place until the next time', async t => {
    const now = (START + 5 * DAY) * 1000;
    const harness = await Harness.open(t, await server(), {retention: {records: 2 * DAY * 1000}}, () => now);
    const slow = metric('slow', {kind: 'sampled-record'});
    const record = (day: number) => ({
      metric: 'slow',
      entity,
      content: `day ${day}`,
      time: START + day * DAY,
      value: day,
    });
    await harness.write({metrics: [slow], records: [record(1), record(3), record(4)]});
    const read = async () => {
      const window = {step: 'day', first: START, count: 10} as const;
      const request = {metric: slow, layer: 'L', parentService: 'a', order: 'ASC', limit: 10, window} as const;
      return (await harness.metrics.sampledRecords(request, call)).map(({content}) => content);
    };
    t.deepEqual(await read(), ['day 1', 'day 3', 'day 4']);
    await harness.storage.runJobs();
    t.deepEqual(await read(), ['day 3', 'day 4']);
    await harness.write({records: [record(1), record(4)]});
    t.deepEqual(await read(), ['day 1', 'day 3', 'day 4']);
    await harness.storage.runJobs();
    t.deepEqual(await read(), ['day 3', 'day 4']);
  });

  test('spans that come after the retention of their trace are told; those of a trace that lives are not', async t => {
    const now = (START + 5 * DAY) * 1000;
    const harness = await Harness.open(t, await server(), {retention: {traces: DAY * 1000}}, () => now);
    const span = (trace: string, id: number, day: number) =>
      compatSpan(trace.repeat(16), id, {timestamp: (START + day * DAY) * 1e6});
    await harness.spans.write(
      [span('a', 1, 0), span('a', 2, 1), span('b', 1, 0), span('b', 2, 5), span('c', 1, 5)],
      call,
    );
    await harness.spans.write([span('c', 2, 0), compatSpan('d'.repeat(16), 1)], call);
    t.deepEqual(harness.warnings, [
      {message: 'spans older than the retention of traces were dropped', fields: {spans: 2}},
    ]);
    await harness.storage.runJobs();
    t.is(await harness.compat.trace('a'.repeat(16), call), undefined);
    t.is((await harness.compat.trace('c'.repeat(16), call))?.spans.length, 2);
  });

  test('a trace goes as a whole, by its latest span, also one that spans days', async t => {
    const running = await server();
    const database = await running.database();
    let now = (START + DAY) * 1000;
    const config = {url: running.url(database), retention: {traces: 2 * DAY * 1000}};
    const harness = await Harness.open(t, running, config, () => now);
    const span = (trace: string, id: number, day: number | undefined): CompatSpan => ({
      traceId: trace.repeat(16),
      id: String(id).repeat(16),
      annotations: [],
      tags: new Map([['trace', trace]]),
      ...(day === undefined ? {} : {timestamp: (START + day * DAY + 60) * 1e6}),
    });
    await harness.spans.write(
      [span('a', 1, 0), span('b', 1, 0), span('b', 2, 4), span('c', 1, 3), span('d', 1, undefined)],
      call,
    );
    const ids = async () => {
      const found: string[] = [];
      for await (const {traceId, spans} of harness.compat.search({filter: [], from: 0, to: 2e15}, call)) {
        found.push(`${traceId[0]} ${spans.length}`);
      }
      const kept = await harness.compat.trace('d'.repeat(16), call);
      const values = await harness.compat.attributeValues(
        {attribute: {of: 'tag', key: 'trace'}, filter: [], from: 0, to: 2e15, limit: 10},
        call,
      );
      return `${found.join(', ')}; d ${kept?.spans.length ?? 0}; ${values.join('')}`;
    };
    t.is(await ids(), 'c 1, a 1, b 2; d 1; abc');
    for (const [day, expected] of [
      [3, 'c 1, b 2; d 1; bc'],
      [4, 'c 1, b 2; d 0; bc'],
      [6, 'b 2; d 0; b'],
      [7, '; d 0; '],
    ] as const) {
      now = (START + day * DAY) * 1000;
      await harness.storage.runJobs();
      t.is(await ids(), expected, `on day ${day}`);
      // A body that is sent again is no new data, and what has gone does not come back half.
      if (day === 4) await harness.spans.write([span('b', 1, 0)], call);
      if (day === 4) t.is(await ids(), expected);
    }
    const left = await running.sql('SELECT count(*)::int AS spans FROM query_gateway.spans', [], database);
    t.deepEqual(left, [{spans: 0}]);
  });

  test('traces of OTLP go as those of the other kind do', async t => {
    const running = await server();
    const database = await running.database();
    let now = (START + DAY) * 1000;
    const config = {url: running.url(database), retention: {traces: 2 * DAY * 1000}};
    const harness = await Harness.open(t, running, config, () => now);
    const span = (trace: string, id: number, day: number) =>
      otlpSpan({
        traceId: trace.repeat(32),
        spanId: String(id).repeat(16),
        startTime: BigInt(START + day * DAY + 60) * 1_000_000_000n,
      });
    await harness
      .get('ingest.otlp.v1')
      .write([span('a', 1, 0), span('b', 1, 0), span('b', 2, 4), span('c', 1, 3)], call);
    const reader = harness.get('traces.otlp.v1');
    const left = async () => {
      const traces = await Promise.all(['a', 'b', 'c'].map(id => reader.trace(id.repeat(32), call)));
      return traces.map(trace => trace?.spans.length ?? 0).join(' ');
    };
    for (const [day, expected] of [
      [1, '1 2 1'],
      [3, '0 2 1'],
      [6, '0 2 0'],
      [7, '0 0 0'],
    ] as const) {
      now = (START + day * DAY) * 1000;
      await harness.storage.runJobs();
      t.is(await left(), expected, `on day ${day}`);
    }
    const rows = await running.sql('SELECT count(*)::int AS spans FROM query_gateway.otlp_spans', [], database);
    t.deepEqual(rows, [{spans: 0}]);
  });

  test('a clock that jumps 400 days ahead and back removes nothing and refuses nothing', async t => {
    const running = await server();
    const time = {wall: (START + 3 * DAY) * 1000, steady: 0};
    const retention = {minute: 2 * DAY * 1000, traces: 2 * DAY * 1000};
    const config = {url: running.url(await running.database()), retention};
    const clocks = [() => time.wall, () => time.steady] as const;
    const harness = await Harness.open(t, running, config, ...clocks);
    await harness.write({metrics: [load], samples: [at(2, 1), at(3, 10)]});
    await harness.storage.runJobs();
    time.wall += 400 * DAY * 1000;
    await harness.storage.runJobs();
    t.regex((await harness.storage.health(call.signal)).message ?? '', /^the clock says .* was expected/);
    await harness.write({samples: [at(403, 5)]});
    await harness.restart();
    await harness.storage.runJobs();
    t.is((await harness.storage.health(call.signal)).status, 'degraded');
    time.wall -= 400 * DAY * 1000;
    await harness.storage.runJobs();
    t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
    await harness.write({samples: [{...at(3, 20), time: START + 3 * DAY + 120}]});
    t.is(await read(harness, 'minute', 2), 1);
    t.is(await read(harness, 'hour', 3), 30);

    time.wall += 30 * DAY * 1000;
    await harness.restart();
    await harness.storage.runJobs();
    t.is(await read(harness, 'minute', 2), 1, 'a machine that was off for a month');
    time.wall += 3_600_000;
    time.steady += 3_600_000;
    await harness.storage.runJobs();
    t.is(await read(harness, 'minute', 2), null);
    const dropped = harness.infos.filter(({message}) => message === 'a partition has expired and was dropped');
    t.is(dropped.length, 2);
    for (const {fields} of dropped) t.true(Number(fields.bytes) > 0);
  });

  test('a border that a wrong clock has left in the future is brought back', async t => {
    const running = await server();
    const database = await running.database();
    const now = (START + 3 * DAY) * 1000;
    const config = {url: running.url(database), retention: {minute: 2 * DAY * 1000}};
    const harness = await Harness.open(t, running, config, () => now);
    await harness.write({metrics: [load], samples: [at(2, 1)]});
    const ahead = Math.floor(START / 60) + 400 * 1440;
    await running.sql('UPDATE query_gateway.store SET minute_border = $1', [ahead], database);
    await harness.restart();
    await harness.write({samples: [at(3, 10), {...at(2, 5), time: START + 2 * DAY + 120}]});
    t.is(await read(harness, 'hour', 2), 1);
    t.is(await read(harness, 'hour', 3), 10);
  });
});
