import test from 'ava';
import {type BucketWindow, type CompatSpan, STEP_SECONDS} from '../../../core/api/adapter.js';
import {compatSpan, nativeSpan, segment} from '../../../storage-adapters/conformance/data/spans.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';
import {ownerOf} from '../../support/owner.js';
import {type Program, suiteWith} from '../../support/programs.js';
import {startChdb} from '../../support/servers/chdb.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {plain} from '../support/answers.js';
import {metric, type SampleInput} from '../support/batches.js';
import {call} from '../support/calls.js';
import {startOracle} from '../support/oracle.js';
import {Harness} from './harness.js';

const DAY = 86_400;
const START = DAY * Math.floor(1_700_000_000 / DAY);
const RETENTION = {
  minute: 2 * DAY * 1000,
  hour: 4 * DAY * 1000,
  records: 2 * DAY * 1000,
  traces: 2 * DAY * 1000,
};

const metrics = (['avg', 'sum', 'min', 'max', 'latest'] as const).map(rollup => metric(rollup, {rollup}));
const entity = {layer: 'L', service: 'a'};
const calls = metric('calls', {scope: 'ServiceRelation'});
const callee = {...entity, destLayer: 'L', destService: 'b'};

/** A value every 45 minutes, for some days: 32 a day, so that means are exact. */
function samples(days: number): readonly SampleInput[] {
  return metrics.flatMap(({name}) =>
    Array.from({length: days * 32}, (_, i) => ({
      metric: name,
      entity,
      time: START + i * 2700,
      value: ((i * 37) % 640) / 64,
    })),
  );
}

const ENGINES = [
  {program: 'clickhouse-server', start: startClickHouse},
  {program: 'chdb', start: startChdb},
] as const satisfies readonly {program: Program; start: unknown}[];

for (const {program, start} of ENGINES) {
  suiteWith(test, program, `retention with ${program}`, () => {
    const owner = ownerOf(test);
    let started: ReturnType<typeof start> | undefined;
    const server = () => {
      started ??= start(owner);
      return started;
    };

    test(`${program}: hours and days stay what they were when their minutes are removed`, async t => {
      let now = START * 1000;
      const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
      const harness = await Harness.start(t, {urls: [url], retention: RETENTION, clock: () => now});
      const oracle = await startOracle();
      await harness.write({metrics: [...metrics, calls]});
      await harness.write({samples: [{metric: 'calls', entity: callee, time: START + 2 * DAY, value: 1}]});
      await oracle.write({metrics});
      // Twice, so that there are minutes that were written again.
      for (const each of [samples(6).slice(0, 500), samples(6)]) {
        await harness.write({samples: each});
        await oracle.write({samples: each});
      }
      const check = async (what: string) => {
        for (const step of ['hour', 'day'] as const) {
          const window: BucketWindow = {step, first: START, count: (7 * DAY) / STEP_SECONDS[step]};
          for (const definition of metrics) {
            const request = {metric: definition, entity, valueFilters: new Map(), window};
            const columns = await harness.get('metrics.query.v1').values(request, call);
            t.deepEqual(
              columns.map(plain),
              (await oracle.metrics.values(request, call)).map(plain),
              `${what}: ${definition.name}`,
            );
            const ranking = {metric: definition, layer: 'L', order: 'DES' as const, limit: 5, window};
            t.deepEqual(
              await harness.get('metrics.query.v1').ranking(ranking, call),
              await oracle.metrics.ranking(ranking, call),
            );
          }
        }
        // A relation of the third day, whose minutes go while its hour stays.
        for (const [step, first] of [
          ['hour', 2 * DAY],
          ['day', 2 * DAY],
        ] as const) {
          const window: BucketWindow = {step, first: START + first, count: 1};
          const request = {scope: 'ServiceRelation', window, limit: 9} as const;
          t.deepEqual(await harness.get('topology.query.v1').relations(request, call), [callee], `${what}: ${step}`);
        }
      };
      await check('with all minutes');

      // Days 0 to 2 have no minutes any more; days 0 has no hours, and lies in one partition of hours with the others.
      now = (START + 5 * DAY + 2 * 3600) * 1000;
      await harness.storage.settle();
      const minutes = await query(`SELECT min(minute) FROM ${harness.database}.minutes`);
      t.true(Number(minutes) >= (START + 3 * DAY) / 60, minutes);
      await check('without the first minutes');
      await harness.storage.settle();
      await check('again');

      // Another gateway that never heard of the borders reads the same.
      const other = await Harness.start(t, {urls: [url], database: harness.database});
      const window: BucketWindow = {step: 'hour', first: START, count: 24};
      const [first] = metrics;
      if (first === undefined) return t.fail();
      const request = {metric: first, entity, valueFilters: new Map(), window};
      t.deepEqual(
        (await other.get('metrics.query.v1').values(request, call)).map(plain),
        (await oracle.metrics.values(request, call)).map(plain),
      );
    });

    test(`${program}: a sample that comes after the retention of its minute is dropped, and that is told`, async t => {
      const now = (START + 5 * DAY) * 1000;
      const harness = await Harness.start(t, {urls: [(await server()).url], retention: RETENTION, clock: () => now});
      await harness.write({metrics});
      const sample = (time: number) => ({metric: 'sum', entity, time, value: 1});
      await harness.write({samples: [sample(START + 3 * DAY - 60), sample(START + 3 * DAY)]});
      t.deepEqual(harness.warnings.at(-1)?.fields, {samples: 1});
      const [, definition] = metrics;
      if (definition === undefined) return t.fail();
      const window: BucketWindow = {step: 'day', first: START, count: 5};
      const request = {metric: definition, entity, valueFilters: new Map(), window};
      const [column] = await harness.get('metrics.query.v1').values(request, call);
      t.deepEqual(column && plain(column).values, [null, null, null, 1, null]);
    });

    test(`${program}: spans that come after their retention are told`, async t => {
      const now = (START + 5 * DAY) * 1000;
      const harness = await Harness.start(t, {urls: [(await server()).url], retention: RETENTION, clock: () => now});
      const at = (day: number) => ({timestamp: (START + day * DAY) * 1e6});
      const spans = [compatSpan('1'.repeat(16), 1, at(0)), compatSpan('2'.repeat(16), 1, at(5))];
      await harness.get('ingest.compat.v1').write([...spans, compatSpan('3'.repeat(16), 1)], call);
      const old = (START + DAY) * 1000;
      await harness.get('ingest.native.v1').write([segment('e', 's', [nativeSpan(0, old), nativeSpan(1, old)])], call);
      const message = 'dropped spans that are older than the retention of traces';
      t.deepEqual(
        harness.warnings.filter(warning => warning.message === message).map(({fields}) => fields),
        [{spans: 1}, {spans: 2}],
      );
      await harness.storage.settle();
      t.is(await harness.get('traces.compat.v1').trace('1'.repeat(16), call), undefined);
    });

    test(`${program}: a clock that jumps 400 days ahead and back removes nothing and refuses nothing`, async t => {
      const time = {wall: (START + 5 * DAY) * 1000, steady: 0};
      const clocks = {clock: () => time.wall, steady: () => time.steady};
      const harness = await Harness.start(t, {urls: [(await server()).url], retention: RETENTION, ...clocks});
      await harness.write({metrics});
      const sample = (day: number) => ({metric: 'sum', entity, time: START + day * DAY, value: 1});
      await harness.write({samples: [sample(4), sample(5)]});
      await harness.storage.settle();
      const kept = async () => {
        const window: BucketWindow = {step: 'minute', first: START + 4 * DAY, count: 1};
        const request = {metric: metric('sum', {rollup: 'sum'}), entity, valueFilters: new Map(), window};
        return (await harness.get('metrics.query.v1').values(request, call)).length;
      };
      time.wall += 400 * DAY * 1000;
      await harness.storage.settle();
      t.regex((await harness.storage.health(call.signal)).message ?? '', /^the clock says .* was expected/);
      await harness.write({samples: [sample(405), {...sample(5), time: START + 5 * DAY + 60}]});
      t.is(await kept(), 1);
      await harness.restart();
      await harness.storage.settle();
      t.is(await kept(), 1);
      time.wall -= 400 * DAY * 1000;
      await harness.storage.settle();
      t.deepEqual(await harness.storage.health(call.signal), {status: 'ok'});
      t.false(harness.warnings.some(({message}) => message.startsWith('dropped samples')));

      time.wall += 30 * DAY * 1000;
      await harness.storage.settle();
      t.is(await kept(), 1);
      time.wall += 3_600_000;
      time.steady += 3_600_000;
      await harness.storage.settle();
      t.is(await kept(), 0, 'a machine that was off for a month');
      const removed = harness.infos.find(({message}) => message === 'removing what is older than its retention');
      t.like(removed?.fields, {table: 'minutes', rows: 1, before: new Date((START + 5 * DAY) * 1000).toISOString()});
    });

    test(`${program}: old traces and records are removed`, async t => {
      let now = START * 1000;
      const harness = await Harness.start(t, {urls: [(await server()).url], retention: RETENTION, clock: () => now});
      const definition = metric('slow', {kind: 'sampled-record'});
      const record = (time: number) => ({metric: 'slow', entity, content: 'x', time, value: 1});
      await harness.get('ingest.metrics.v1').write(
        {
          metrics: [definition],
          sightings: [],
          records: [record(START), record(START + 4 * DAY)],
          samples: {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()},
        },
        call,
      );
      const span = (day: number): CompatSpan => ({
        traceId: `000000000000000${day + 1}`,
        id: '0000000000000001',
        timestamp: (START + day * DAY) * 1_000_000,
        annotations: [],
        tags: new Map(),
      });
      await harness.get('ingest.compat.v1').write([span(0), span(4)], call);
      const otlp = [0, 4].map(day =>
        otlpSpan({traceId: String(day + 1).repeat(32), startTime: BigInt(START + day * DAY) * 1_000_000_000n}),
      );
      await harness.get('ingest.otlp.v1').write(otlp, call);
      now = (START + 5 * DAY + 2 * 3600) * 1000;
      await harness.storage.settle();
      const window: BucketWindow = {step: 'day', first: START, count: 6};
      const request = {metric: definition, layer: 'L', parentService: 'a', order: 'ASC', limit: 5, window} as const;
      const records = await harness.get('metrics.query.v1').sampledRecords(request, call);
      t.deepEqual(
        records.map(({time}) => time),
        [START + 4 * DAY],
      );
      const reader = harness.get('traces.compat.v1');
      t.is(await reader.trace(span(0).traceId, call), undefined);
      t.deepEqual(await reader.trace(span(4).traceId, call), {traceId: span(4).traceId, spans: [span(4)]});
      const kept = otlp.map(({traceId}) => harness.get('traces.otlp.v1').trace(traceId, call));
      t.deepEqual(
        (await Promise.all(kept)).map(trace => trace?.spans.length),
        [undefined, 1],
      );
    });
  });
}
