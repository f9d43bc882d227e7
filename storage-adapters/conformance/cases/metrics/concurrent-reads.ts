import {call} from '../../call.js';
import {namesOf} from '../../comparable.js';
import {readWhile} from '../../concurrent-reads.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = ownDays(23);
const LAYER = 'KIT-BESIDE';
const METRIC = 'kit_beside';
const SERVICES = 25;
const ROUNDS = 25;

const service = (i: number): string => `s${String(i).padStart(2, '0')}`;

/** Every service has the value `round`. */
const roundOf = (round: number, minute = 0) =>
  batch({
    samples: Array.from({length: SERVICES}, (_, i) => ({
      metric: METRIC,
      entity: {layer: LAYER, service: service(i)},
      time: START + minute * MINUTE,
      value: round,
    })),
  });

export const concurrentMetricReads: Group = {
  name: 'metrics_beside',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {metrics: [batch({metrics: [metric(METRIC)]}), roundOf(0)]},
  tests: {
    'a read beside writes sees each batch of samples whole or not at all': async (t, subject) => {
      const window = {step: 'minute', first: START, count: 1} as const;
      const request = {metric: await subject.metric(METRIC), layer: LAYER, order: 'ASC', limit: 100, window} as const;
      let newest = 0;
      const work = async () => {
        for (let round = 1; round <= ROUNDS; round++) await subject.metricWriter.write(roundOf(round), call);
      };
      await readWhile(work, async () => {
        const ranked = await subject.metrics.ranking(request, call);
        const values = new Set(ranked.map(({value}) => value));
        t.is(ranked.length, SERVICES, 'services');
        t.is(values.size, 1, `values of one batch and of another: ${[...values].join(', ')}`);
        const [value = 0] = values;
        t.true(value >= newest, `the value ${value} was read after ${newest}`);
        newest = value;
      });
      const [last] = await subject.metrics.ranking(request, call);
      t.is(last?.value, ROUNDS, 'what is read when the writes have ended');
    },
    'a batch is visible to every read that begins after it was acknowledged': async (t, subject) => {
      const definition = await subject.metric(METRIC);
      for (let minute = 1; minute <= 15; minute++) {
        await subject.metricWriter.write(roundOf(minute, minute), call);
        const window = {step: 'minute', first: START + minute * MINUTE, count: 1} as const;
        const entity = {layer: LAYER, service: service(minute)};
        const reads = await Promise.all([
          subject.metrics.values({metric: definition, entity, valueFilters: new Map(), window}, call),
          subject.metrics.values({metric: definition, entity, valueFilters: new Map(), window}, call),
        ]);
        t.deepEqual(
          reads.map(([column]) => column?.values[0]),
          [minute, minute],
          `minute ${minute}`,
        );
      }
    },
    'many writers and readers at once get right answers': async (t, subject) => {
      const definition = await subject.metric(METRIC);
      const entityOf = (writer: number) => ({layer: LAYER, service: `writer ${writer}`});
      await Promise.all(
        Array.from({length: 8}, async (_, writer) => {
          for (let minute = 0; minute < 10; minute++) {
            const entity = entityOf(writer);
            const time = START + minute * MINUTE;
            const samples = [{metric: METRIC, entity, time, value: writer * 100 + minute}];
            await subject.metricWriter.write(batch({samples}), call);
            const window = {step: 'minute', first: START, count: minute + 1} as const;
            const [column] = await subject.metrics.values(
              {metric: definition, entity, valueFilters: new Map(), window},
              call,
            );
            const expected = Array.from({length: minute + 1}, (_value, i) => writer * 100 + i);
            t.deepEqual([...(column?.values ?? [])], expected, `writer ${writer}, minute ${minute}`);
          }
        }),
      );
    },
  },
};

export const concurrentMetadataReads: Group = {
  name: 'metadata_beside',
  needs: ['metadata.query.v1', 'ingest.metrics.v1'],
  tests: {
    'an entity is listed as soon as the batch that made it known is acknowledged': async (t, subject) => {
      for (let i = 0; i < 10; i++) {
        const entity = {layer: LAYER, service: 'lists', endpoint: `/${i}`};
        await subject.metricWriter.write(batch({sightings: [{scope: 'Endpoint', entity, time: START}]}), call);
        const listed = await namesOf(subject.metadata.endpoints({layer: LAYER, service: 'lists'}, call));
        t.deepEqual(
          listed,
          Array.from({length: i + 1}, (_, name) => `/${name}`),
          `after ${i + 1} batches`,
        );
      }
    },
  },
};
