import {type MetricBatch, type Readers, STEP_SECONDS} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {comparable, comparableColumns, namesOf, unordered} from '../comparable.js';
import {batch} from '../data/metrics.js';
import {ownDays} from '../data/times.js';
import type {Group} from '../group.js';
import type {LayoutLimit} from '../options.js';
import {createOracle} from '../oracle/oracle.js';
import {declarationQuestions} from '../questions/declarations.js';
import {metricQuestions} from '../questions/metrics.js';
import {answersTo, sameAnswers} from '../questions/question.js';
import {RandomMetrics} from '../random/metrics.js';
import {Random} from '../random/random.js';
import {Restarts} from '../random/restarts.js';
import {representable, representableMetric} from '../representable.js';
import type {TestContext} from '../runner.js';

type Both = (readers: Required<Readers>) => Promise<unknown>;

/** Asks the adapter and the oracle the same questions. */
async function compare(
  t: TestContext,
  readers: Readers,
  oracle: Required<Readers>,
  source: RandomMetrics,
  random: Random,
  questions: number,
  limits?: readonly LayoutLimit[],
): Promise<void> {
  const ask = async (what: string, about: unknown, read: Both) =>
    t.deepEqual(await read(readers as Required<Readers>), await read(oracle), `${what} of ${JSON.stringify(about)}`);
  const {layer} = source;
  for (let i = 0; i < questions; i++) {
    const window = source.window();
    const metric = representableMetric(random.of(source.metrics), limits);
    const entity = source.entity(metric.scope);
    const order = random.of(['ASC', 'DES'] as const);
    const limit = random.between(1, 30);
    if (metric.kind === 'sampled-record') {
      const request = {metric, layer, parentService: entity.service, order, limit, window};
      await ask('records', request, async from =>
        comparable(await from['metrics.query.v1'].sampledRecords(request, call)),
      );
      continue;
    }
    const valueFilters = metric.kind === 'labeled' ? source.filters() : new Map<string, readonly string[]>();
    const about = {metric: metric.name, entity, window, filters: [...valueFilters]};
    await ask('values', about, async from =>
      comparableColumns(await from['metrics.query.v1'].values({metric, entity, valueFilters, window}, call)),
    );
    if (metric.kind === 'labeled') {
      const from = window.first + random.below(60);
      const to = window.first + window.count * STEP_SECONDS[window.step] - 1 - random.below(60);
      const request = {metric, from, to, ...(random.once(2) && {entity: {service: entity.service}})};
      await ask('labels', request, async from => unordered(await from['metrics.query.v1'].valueLabels(request, call)));
    } else if (!metric.scope.endsWith('Relation')) {
      const parent = random.once(2) ? {} : {parentService: entity.service};
      const request = {metric, layer, order, limit, window, ...parent};
      await ask('ranking', request, async from => comparable(await from['metrics.query.v1'].ranking(request, call)));
    }
  }
}

/** The lists of names in windows of their own, for an adapter that has them. */
async function compareNames(
  t: TestContext,
  readers: Readers,
  oracle: Required<Readers>,
  source: RandomMetrics,
): Promise<void> {
  if (readers['metadata.query.v1'] === undefined) return;
  for (let i = 0; i < 20; i++) {
    const {layer, service} = source.entity('Service');
    const {first, count, step} = source.window();
    const request = {layer, service, seen: {from: first + 7, to: first + count * STEP_SECONDS[step] - 7}};
    for (const list of ['services', 'instances', 'endpoints'] as const) {
      const found = await namesOf(readers['metadata.query.v1'][list](request, call));
      const expected = await namesOf(oracle['metadata.query.v1'][list](request, call));
      t.deepEqual(found, expected, `${list} of ${JSON.stringify(request)}`);
    }
  }
}

const START = ownDays(25);
const HISTORY_START = ownDays(26);
const fixed = (random: Random) => new RandomMetrics(random, 'random', START, true);
const written = fixed(new Random(1));
const DATA = [batch({metrics: written.metrics}), ...[300, 300, 300].map(samples => written.batch(samples))];

export const randomMetrics: Group = {
  name: 'random_metrics',
  needs: ['metrics.query.v1'],
  data: {metrics: DATA},
  tests: {
    'random questions about metrics are answered as a simple model answers them': async (
      t,
      {readers, data, options},
    ) => {
      const oracle = createOracle(options.unsupported);
      for (const one of data.metrics ?? []) await oracle['ingest.metrics.v1'].write(one, call);
      const random = new Random(2);
      const asked = fixed(random);
      await compare(t, readers, oracle, asked, random, 250, options.unsupported);
      await compareNames(t, readers, oracle, asked);
    },
  },
};

export const metricHistories: Group = {
  name: 'metric_histories',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  tests: {
    'a random history of metric batches is read as a simple model reads it, after each batch': async (t, subject) => {
      const random = new Random(3);
      const source = new RandomMetrics(random, 'history', HISTORY_START, false);
      const {expects, unsupported} = subject.options;
      const oracle = createOracle(unsupported);
      const written: MetricBatch[] = [];
      const write = async (made: readonly MetricBatch[]) => {
        const {metrics: batches = []} = representable({metrics: made}, unsupported);
        await Promise.all(batches.map(one => subject.metricWriter.write(one, call)));
        for (const one of batches) await oracle['ingest.metrics.v1'].write(one, call);
        written.push(...batches);
      };
      await write([batch({metrics: source.metrics})]);
      const restarts = new Restarts(subject, 15);
      for (let round = 0; round < 15; round++) {
        await write(random.list(random.between(1, 3), () => source.batch(random.of([1, 20, 200]))));
        const when = await restarts.after(round);
        for (const {about, ask} of declarationQuestions(written, expects)) {
          t.deepEqual(await ask(subject.readers as Required<Readers>), await ask(oracle), about + when);
        }
        await compare(t, subject.readers, oracle, source, random, 20, unsupported);
      }
      const questions = metricQuestions(written);
      sameAnswers(t, await answersTo(questions, subject.readers), await answersTo(questions, oracle), 'in the end');
      await compareNames(t, subject.readers, oracle, source);
    },
  },
};
