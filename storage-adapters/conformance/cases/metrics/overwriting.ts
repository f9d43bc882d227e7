import type {BucketWindow, Entity, Rollup} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, comparableColumns} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(9);
const LAYER = 'KIT-OVERWRITING';
const METRIC = 'kit_overwriting';
const RECORDS = 'kit_overwriting_records';
const ROLLUPS: readonly Rollup[] = ['avg', 'sum', 'min', 'max', 'latest'];

const entity = (service: string): Entity => ({layer: LAYER, service});
const at = (service: string, minute: number, value: number, name = METRIC): SampleInput => ({
  metric: name,
  entity: entity(service),
  time: START + minute * MINUTE,
  value,
});

async function write(subject: Subject, ...samples: readonly SampleInput[]): Promise<void> {
  await subject.metricWriter.write(batch({samples}), call);
}

async function valuesOf(subject: Subject, service: string, window: BucketWindow, name = METRIC): Promise<unknown> {
  const request = {metric: await subject.metric(name), entity: entity(service), valueFilters: new Map(), window};
  return comparableColumns(await subject.metrics.values(request, call));
}

const minutes = (first: number, count: number): BucketWindow => ({
  step: 'minute',
  first: START + first * MINUTE,
  count,
});
const column = (...values: readonly (number | null)[]) => [{labels: {}, values}];

export const overwriting: Group = {
  name: 'overwriting',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {
    metrics: [
      batch({
        metrics: [
          metric(METRIC),
          metric(RECORDS, {kind: 'sampled-record'}),
          ...ROLLUPS.map(rollup => metric(`${METRIC}_${rollup}`, {rollup})),
        ],
      }),
    ],
  },
  tests: {
    'of two samples of one minute the later one stands, within a batch and between batches': async (t, subject) => {
      await write(subject, at('a', 0, 1), at('a', 1, 7), at('a', 0, 2));
      t.deepEqual(await valuesOf(subject, 'a', minutes(0, 2)), column(2, 7), 'within a batch');
      await write(subject, at('a', 0, 3));
      t.deepEqual(await valuesOf(subject, 'a', minutes(0, 2)), column(3, 7), 'between batches');
      await write(subject, at('a', 0, 1));
      t.deepEqual(await valuesOf(subject, 'a', minutes(0, 2)), column(1, 7), 'and back');
    },
    'the later sample stands when its series occurs as two objects of one batch': async (t, subject) => {
      const series = [0, 1].map(() => ({metric: METRIC, entity: {...entity('two')}, labels: {}}));
      const samples = {
        series,
        index: Uint32Array.of(1, 0, 1, 0),
        time: Float64Array.from([0, 0, 1, 1], minute => START + minute * MINUTE),
        value: Float64Array.of(1, 2, 3, 4),
      };
      await subject.metricWriter.write({metrics: [], sightings: [], records: [], samples}, call);
      t.deepEqual(await valuesOf(subject, 'two', minutes(0, 2)), column(2, 4), 'minutes 0 and 1');
    },
    'a late or repeated sample makes its hour and day anew': async (t, subject) => {
      const expected: Readonly<Record<Rollup, readonly [number, number, number]>> = {
        avg: [4, 6, 8],
        sum: [4, 12, 24],
        min: [4, 4, 6],
        max: [4, 8, 10],
        latest: [4, 4, 8],
      };
      for (const rollup of ROLLUPS) {
        const name = `${METRIC}_${rollup}`;
        const [first, second, third] = expected[rollup];
        const check = async (value: number, when: string) => {
          const hour = await valuesOf(subject, 'late', {step: 'hour', first: START, count: 1}, name);
          t.deepEqual(hour, column(value), `the ${rollup} of the hour ${when}`);
          const day = await valuesOf(subject, 'late', {step: 'day', first: START, count: 1}, name);
          t.deepEqual(day, column(value), `the ${rollup} of the day ${when}`);
        };
        await write(subject, at('late', 30, 4, name));
        await check(first, 'of one minute');
        await write(subject, at('late', 10, 8, name));
        await check(second, 'with an earlier minute');
        await write(
          subject,
          at('late', 30, 6, name),
          at('late', 40, 10, name),
          at('late', 40, 8, name),
          at('late', 10, 10, name),
        );
        await check(third, 'with minutes that were written again');
      }
    },
    'a batch that is sent again changes nothing': async (t, subject) => {
      const record = {metric: RECORDS, entity: entity('db'), content: 'select 1', time: START + 1, value: 3};
      const records = [record, {...record, traceId: 't'}, {...record, value: 4}, {...record, time: START + 2}];
      const samples = [at('again', 0, 5), at('again', 61, 7), at('again', 1440, 9)];
      const sightings = [{scope: 'Service', entity: entity('seen'), time: START} as const];
      const one = batch({samples, records: [...records, record], sightings});
      for (let round = 0; round < 3; round++) {
        await subject.metricWriter.write(one, call);
        const days = await valuesOf(subject, 'again', {step: 'day', first: START, count: 2});
        t.deepEqual(days, column(6, 9), `days after ${round + 1} times`);
        const window = {step: 'day', first: START, count: 1} as const;
        const request = {layer: LAYER, parentService: 'db', order: 'DES', limit: 100, window} as const;
        const found = await subject.metrics.sampledRecords({...request, metric: await subject.metric(RECORDS)}, call);
        t.deepEqual(
          found.map(({value, time, traceId}) => comparable({value, time: time - START, traceId})),
          [
            {time: 1, value: 4},
            {time: 1, value: 3},
            {time: 1, traceId: 't', value: 3},
            {time: 2, value: 3},
          ],
          `records after ${round + 1} times`,
        );
      }
    },
    'an empty batch is accepted and does nothing': async (t, subject) => {
      const before = await subject.metrics.catalog(call);
      await subject.metricWriter.write(batch({}), call);
      t.deepEqual(comparable(await subject.metrics.catalog(call)), comparable(before), 'the catalog');
    },
    'a series may come as the same object in later batches': async (t, subject) => {
      const one = batch({samples: [at('same', 0, 1)]});
      await subject.metricWriter.write(one, call);
      const next = {
        ...one,
        samples: {...one.samples, time: Float64Array.of(START + MINUTE), value: Float64Array.of(2)},
      };
      await subject.metricWriter.write(next, call);
      t.deepEqual(await valuesOf(subject, 'same', minutes(0, 2)), column(1, 2), 'two minutes');
    },
    'a writer leaves the arrays of a batch as they were, and does not keep them': async (t, subject) => {
      const one = batch({samples: [at('kept', 0, 1), at('kept', 1, 2)]});
      const before = comparable(one);
      await subject.metricWriter.write(one, call);
      t.deepEqual(comparable(one), before, 'the batch after it was written');
      one.samples.value.fill(99);
      one.samples.time.fill(START + 5 * MINUTE);
      t.deepEqual(
        await valuesOf(subject, 'kept', minutes(0, 6)),
        column(1, 2, null, null, null, null),
        'what is stored',
      );
    },
    'batches of one caller are applied in the order of the calls': async (t, subject) => {
      const rounds = Array.from({length: 20}, (_, i) => write(subject, at('order', 0, i), at('order', 1 + (i % 3), i)));
      await Promise.all(rounds);
      t.deepEqual(await valuesOf(subject, 'order', minutes(0, 4)), column(19, 18, 19, 17), 'four minutes');
    },
    'samples of long ago and of the future are kept apart': async (t, subject) => {
      const samples = [-7 * DAY, 0, 29 * DAY + 23 * HOUR].map((seconds, i) => ({
        ...at('far', 0, i),
        time: START + seconds,
      }));
      await write(subject, ...samples);
      const days = Array.from({length: 38}, (_, day) => ({0: 0, 7: 1, 36: 2})[day] ?? null);
      t.deepEqual(
        await valuesOf(subject, 'far', {step: 'day', first: START - 7 * DAY, count: 38}),
        column(...days),
        'days',
      );
    },
  },
};
