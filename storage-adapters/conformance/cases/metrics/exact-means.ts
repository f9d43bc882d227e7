import type {BucketWindow, MetricBatch, Order} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {batch, metric, type Sample} from '../../data/metrics.js';
import {HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group, GroupTest} from '../../group.js';
import {createOracle} from '../../oracle/oracle.js';
import {plain, plainColumns} from '../../plain.js';
import {Random} from '../../random/random.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';

const START = ownDays(37);
const LAYER = 'KIT-EXACT';
const ENDPOINTS = 60;
const METRICS = (['avg', 'sum'] as const).map(rollup => metric(`kit_exact_${rollup}`, {scope: 'Endpoint', rollup}));

/** What endpoints have in three hours, each in an order of its own: sums that depend on the order if they are rounded. */
const SETS: readonly (readonly number[])[] = [
  [7, 61, 5, 59, 1, 60, 2, 11, 13],
  [0.1, 0.2, 0.3, 0.7, 1.1, 2.3, 1 / 3, 2 / 3, 0.01],
  [1e16, 1, -1e16, 3, 1e-9, -2.5, 2 ** 60, -(2 ** 60), 1],
  [1.7e308, 1.7e308, 1.6e308, -1e308, 1e308, 5e307, 1e292, 1, 1.7e308],
  [5e-324, -5e-324, 1e-310, 5e-324, 3e-320, 0, -0, 2e-308, 1e-300],
];

interface Scene {
  readonly batches: readonly MetricBatch[];
  readonly random: Random;
}

/** Samples in a random order, in a few batches, of which some are sent again. */
function scene(): Scene {
  const random = new Random(5);
  const samples = METRICS.flatMap(({name}) =>
    Array.from({length: ENDPOINTS}, (_, i): readonly Sample[] => {
      const values = shuffled(SETS[i % SETS.length] ?? [], random);
      // Of every third endpoint one value is the next double, so that the means are nearly tied.
      if (i % 15 > 9) values[0] = (values[0] ?? 0) * (1 + Number.EPSILON);
      const entity = {layer: LAYER, service: `s${i % 2}`, endpoint: `e${String(i).padStart(3, '0')}`};
      const times = shuffled([0, 1, 17, 59, 60, 61, 119, 120, 150], random);
      return values.map((value, j) => ({metric: name, entity, time: START + (times[j] ?? 0) * MINUTE, value}));
    }).flat(),
  );
  const mixed = shuffled(samples, random);
  const size = Math.ceil(mixed.length / 7);
  const batches = Array.from({length: 7}, (_, i) => batch({samples: mixed.slice(i * size, (i + 1) * size)}));
  return {random, batches: [batch({metrics: METRICS}), ...batches, ...shuffled(batches, random).slice(0, 3)]};
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0] as Item);
}

const WINDOWS: readonly BucketWindow[] = [
  {step: 'minute', first: START, count: 180},
  {step: 'minute', first: START + 17 * MINUTE, count: 44},
  {step: 'hour', first: START, count: 3},
  {step: 'hour', first: START + HOUR, count: 2},
  {step: 'day', first: START, count: 1},
];

async function compare(t: TestContext, subject: Subject, {batches}: Scene, when: string): Promise<void> {
  const oracle = createOracle();
  for (const one of batches) await oracle['ingest.metrics.v1'].write(one, call);
  for (const {name} of METRICS) {
    const definition = await subject.metric(name);
    for (const window of WINDOWS) {
      for (const [order, limit] of [
        ['ASC', 5],
        ['DES', 5],
        ['DES', 33],
        ['ASC', 100],
      ] as const satisfies [Order, number][]) {
        const request = {metric: definition, layer: LAYER, order, limit, window};
        const found = plain(await subject.metrics.ranking(request, call));
        const expected = plain(await oracle['metrics.query.v1'].ranking(request, call));
        t.deepEqual(found, expected, `${name} ${order} ${limit} by ${window.step}s from ${window.first} ${when}`);
      }
      for (let i = 0; i < SETS.length; i++) {
        const entity = {layer: LAYER, service: `s${i % 2}`, endpoint: `e${String(i).padStart(3, '0')}`};
        const request = {metric: definition, entity, valueFilters: new Map(), window};
        const found = plainColumns(await subject.metrics.values(request, call));
        const expected = plainColumns(await oracle['metrics.query.v1'].values(request, call));
        t.deepEqual(found, expected, `values of ${name} ${entity.endpoint} by ${window.step}s ${when}`);
      }
    }
  }
}

const written: GroupTest = async (t, subject) => {
  const all = scene();
  for (const one of all.batches) await subject.metricWriter.write(one, call);
  await compare(t, subject, all, 'after writing');
};

const restarted: GroupTest = async (t, subject) => {
  await subject.restart();
  await compare(t, subject, scene(), 'after a restart');
};

export const exactMeans: Group = {
  name: 'exact_means',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  tests: {
    'sums and means do not depend on the order in which their minutes were written and sent again': written,
    'sums and means are the same after a restart': restarted,
  },
};
