import type {BucketWindow, Entity, MetricBatch, MetricDefinition, Order} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, comparableColumns} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import {createOracle} from '../../oracle/oracle.js';
import {compareAnswers, type Question} from '../../questions/question.js';
import {Random} from '../../random/random.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';

const ENDPOINTS = 60;

/** What endpoints have in three hours, each in an order of its own: sums that depend on the order if they are rounded. */
const SETS: readonly (readonly number[])[] = [
  [7, 61, 5, 59, 1, 60, 2, 11, 13],
  [0.1, 0.2, 0.3, 0.7, 1.1, 2.3, 1 / 3, 2 / 3, 0.01],
  [1e16, 1, -1e16, 3, 1e-9, -2.5, 2 ** 60, -(2 ** 60), 1],
  [1.7e308, 1.7e308, 1.6e308, -1e308, 1e308, 5e307, 1e292, 1, 1.7e308],
  [5e-324, -5e-324, 1e-310, 5e-324, 3e-320, 0, -0, 2e-308, 1e-300],
];

interface Scene {
  readonly layer: string;
  /** Of the first minute, in Unix seconds. */
  readonly start: number;
  readonly metrics: readonly MetricDefinition[];
  readonly batches: readonly MetricBatch[];
}

/** Samples in a random order, in a few batches, of which some are sent again. */
function sceneOf(name: string, start: number): Scene {
  const layer = `KIT-${name.toUpperCase()}`;
  const metrics = (['avg', 'sum'] as const).map(rollup => metric(`kit_${name}_${rollup}`, {scope: 'Endpoint', rollup}));
  const random = new Random(5);
  const samples = metrics.flatMap(({name: of}) =>
    Array.from({length: ENDPOINTS}, (_, i): readonly SampleInput[] => {
      const values = shuffled(SETS[i % SETS.length] ?? [], random);
      // Of every third endpoint one value is the next double, so that the means are nearly tied.
      if (i % 15 > 9) values[0] = (values[0] ?? 0) * (1 + Number.EPSILON);
      const times = shuffled([0, 1, 17, 59, 60, 61, 119, 120, 150], random);
      const entity = endpoint(layer, i);
      return values.map((value, j) => ({metric: of, entity, time: start + (times[j] ?? 0) * MINUTE, value}));
    }).flat(),
  );
  const mixed = shuffled(samples, random);
  const size = Math.ceil(mixed.length / 7);
  const batches = Array.from({length: 7}, (_, i) => batch({samples: mixed.slice(i * size, (i + 1) * size)}));
  return {layer, start, metrics, batches: [batch({metrics}), ...batches, ...shuffled(batches, random).slice(0, 3)]};
}

const endpoint = (layer: string, i: number): Entity => ({
  layer,
  service: `s${i % 2}`,
  endpoint: `e${String(i).padStart(3, '0')}`,
});

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0] as Item);
}

const windowsFrom = (start: number): readonly BucketWindow[] => [
  {step: 'minute', first: start, count: 180},
  {step: 'minute', first: start + 17 * MINUTE, count: 44},
  {step: 'hour', first: start, count: 3},
  {step: 'hour', first: start + HOUR, count: 2},
  {step: 'day', first: start, count: 1},
];

async function compare(t: TestContext, subject: Subject, scene: Scene, when: string): Promise<void> {
  const {layer, start, metrics, batches} = scene;
  const oracle = createOracle(subject.options.unsupported);
  for (const one of batches) await oracle['ingest.metrics.v1'].write(one, call);
  const questions: Question[] = [];
  for (const {name} of metrics) {
    const metric = await subject.metric(name);
    for (const window of windowsFrom(start)) {
      for (const [order, limit] of [
        ['ASC', 5],
        ['DES', 5],
        ['DES', 33],
        ['ASC', 100],
      ] as const satisfies [Order, number][]) {
        const request = {metric, layer, order, limit, window};
        questions.push({
          about: `${name} ${order} ${limit} by ${window.step}s from ${window.first}`,
          ask: async readers => comparable(await readers['metrics.query.v1'].ranking(request, call)),
        });
      }
      for (let i = 0; i < SETS.length; i++) {
        const entity = endpoint(layer, i);
        const request = {metric, entity, valueFilters: new Map(), window};
        questions.push({
          about: `values of ${name} ${entity.endpoint} by ${window.step}s from ${window.first}`,
          ask: async readers => comparableColumns(await readers['metrics.query.v1'].values(request, call)),
        });
      }
    }
  }
  await compareAnswers(t, questions, subject.readers, oracle, when);
}

const written = sceneOf('exact', ownDays(37));
const kept = sceneOf('exact_again', ownDays(40));

export const exactMeans: Group = {
  name: 'exact_means',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {metrics: written.batches},
  tests: {
    'sums and means do not depend on the order in which their minutes were written and sent again': (t, subject) =>
      compare(t, subject, written, 'after writing'),
  },
};

export const exactMeansAgain: Group = {
  name: 'exact_means_again',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {metrics: kept.batches},
  restarts: true,
  tests: {
    'sums and means are the same after a restart': async (t, subject) => {
      await subject.restart();
      await compare(t, subject, kept, 'after a restart');
    },
  },
};
