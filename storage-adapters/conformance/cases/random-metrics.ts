import {type MetricBatch, type Readers, STEP_SECONDS} from '../../../core/api/adapter.js';
import {asMany} from '../brief.js';
import {call} from '../call.js';
import {comparable, comparableColumns, namesOf, unordered} from '../comparable.js';
import {batch} from '../data/metrics.js';
import {ownDays} from '../data/times.js';
import type {Group} from '../group.js';
import type {AdapterUnderTest, LayoutLimit} from '../options.js';
import {createOracle} from '../oracle/oracle.js';
import {declarationQuestions} from '../questions/declarations.js';
import {metricQuestions} from '../questions/metrics.js';
import {compareAnswers, type Question} from '../questions/question.js';
import {relationQuestions} from '../questions/topology.js';
import {RandomMetrics} from '../random/metrics.js';
import {Random} from '../random/random.js';
import {Restarts} from '../random/restarts.js';
import {representable, representableMetric} from '../representable.js';

/** Questions about random windows, metrics and entities. */
function randomQuestions(
  source: RandomMetrics,
  random: Random,
  count: number,
  limits?: readonly LayoutLimit[],
): readonly Question[] {
  const questions: Question[] = [];
  const add = (what: string, about: unknown, ask: Question['ask']) =>
    questions.push({about: `${what} of ${JSON.stringify(about)}`, ask});
  const {layer} = source;
  for (let i = 0; i < count; i++) {
    const window = source.window();
    const metric = representableMetric(random.of(source.metrics), limits);
    const entity = source.entity(metric.scope);
    const order = random.of(['ASC', 'DES'] as const);
    const limit = random.between(1, 30);
    if (metric.kind === 'sampled-record') {
      const request = {metric, layer, parentService: entity.service, order, limit, window};
      add('records', request, async from => comparable(await from['metrics.query.v1'].sampledRecords(request, call)));
      continue;
    }
    const valueFilters = metric.kind === 'labeled' ? source.filters() : new Map<string, readonly string[]>();
    const about = {metric: metric.name, entity, window, filters: [...valueFilters]};
    add('values', about, async from =>
      comparableColumns(await from['metrics.query.v1'].values({metric, entity, valueFilters, window}, call)),
    );
    if (metric.kind === 'labeled') {
      const from = window.first + random.below(60);
      const to = window.first + window.count * STEP_SECONDS[window.step] - 1 - random.below(60);
      const request = {metric, from, to, ...(random.once(2) && {entity: {service: entity.service}})};
      add('labels', request, async readers => unordered(await readers['metrics.query.v1'].valueLabels(request, call)));
    } else if (!metric.scope.endsWith('Relation')) {
      const parent = random.once(2) ? {} : {parentService: entity.service};
      const request = {metric, layer, order, limit, window, ...parent};
      add('ranking', request, async from => comparable(await from['metrics.query.v1'].ranking(request, call)));
    }
  }
  return questions;
}

/** The lists of names in windows of their own, for an adapter that has them. */
function nameQuestions(readers: Readers, source: RandomMetrics, options: AdapterUnderTest): readonly Question[] {
  if (readers['metadata.query.v1'] === undefined) return [];
  return Array.from({length: asMany(20, options)}).flatMap(() => {
    const {layer, service} = source.entity('Service');
    const {first, count, step} = source.window();
    const request = {layer, service, seen: {from: first + 7, to: first + count * STEP_SECONDS[step] - 7}};
    return (['services', 'instances', 'endpoints'] as const).map(list => ({
      about: `${list} of ${JSON.stringify(request)}`,
      ask: (from: Required<Readers>) => namesOf(from['metadata.query.v1'][list](request, call)),
    }));
  });
}

/** The relations in windows of their own, for an adapter that has them. */
function topologyQuestionsOf(readers: Readers, source: RandomMetrics, options: AdapterUnderTest): readonly Question[] {
  if (readers['topology.query.v1'] === undefined) return [];
  const windows = Array.from({length: asMany(10, options)}, () => source.window());
  return windows.flatMap(window => relationQuestions(window, new Set([source.layer])));
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
      const questions = [
        ...randomQuestions(asked, random, asMany(250, options), options.unsupported),
        ...nameQuestions(readers, asked, options),
        ...topologyQuestionsOf(readers, asked, options),
      ];
      await compareAnswers(t, questions, readers, oracle, 'after writing');
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
      const rounds = asMany(15, subject.options);
      const restarts = new Restarts(subject, rounds);
      for (let round = 0; round < rounds; round++) {
        await write(random.list(random.between(1, 3), () => source.batch(random.of([1, 20, 200]))));
        const when = await restarts.after(round);
        const questions = [
          ...declarationQuestions(written, expects),
          ...randomQuestions(source, random, 20, unsupported),
        ];
        await compareAnswers(t, questions, subject.readers, oracle, `in round ${round}${when}`);
      }
      const questions = [
        ...metricQuestions(written),
        ...nameQuestions(subject.readers, source, subject.options),
        ...topologyQuestionsOf(subject.readers, source, subject.options),
      ];
      await compareAnswers(t, questions, subject.readers, oracle, 'in the end');
    },
  },
};
