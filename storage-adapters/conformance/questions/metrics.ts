import {
  type Entity,
  type MetricBatch,
  type MetricDefinition,
  STEP_SECONDS,
  type Step,
} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {comparable, comparableColumns, unordered} from '../comparable.js';
import type {Question} from './question.js';

interface About {
  readonly definition: MetricDefinition;
  readonly entities: ReadonlyMap<string, Entity>;
  readonly times: readonly number[];
}

/**
 * Every value, label set and sampled record that these batches hold, and the ranking of each metric by its minutes.
 */
export function metricQuestions(batches: readonly MetricBatch[]): Question[] {
  return aboutEach(batches).flatMap(about => {
    if (about.times.length === 0) return [];
    return about.definition.kind === 'sampled-record' ? recordQuestions(about) : valueQuestions(about);
  });
}

/** A metric as it was declared last, with what the batches have of it. */
function aboutEach(batches: readonly MetricBatch[]): readonly About[] {
  const definitions = new Map(batches.flatMap(({metrics}) => metrics.map(one => [one.name, one] as const)));
  return [...definitions.values()].map(definition => {
    const entities = new Map<string, Entity>();
    const times: number[] = [];
    const note = (metric: string, entity: Entity | undefined, time: number) => {
      if (metric !== definition.name || entity === undefined) return;
      entities.set(JSON.stringify(entity), entity);
      times.push(time);
    };
    for (const {samples, records} of batches) {
      for (const [i, index] of samples.index.entries()) {
        note(samples.series[index]?.metric ?? '', samples.series[index]?.entity, samples.time[i] ?? 0);
      }
      for (const {metric, entity, time} of records) note(metric, entity, time);
    }
    return {definition, entities, times};
  });
}

function windowOf(times: readonly number[], step: Step) {
  const size = STEP_SECONDS[step];
  const [oldest, newest] = times.reduce(([a, b], time) => [Math.min(a, time), Math.max(b, time)] as const, [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as readonly [number, number]);
  const first = Math.floor(oldest / size) * size;
  return {step, first, count: Math.floor((newest - first) / size) + 1};
}

function valueQuestions({definition: metric, entities, times}: About): Question[] {
  const questions: Question[] = [];
  for (const entity of entities.values()) {
    for (const step of ['minute', 'hour', 'day'] as const) {
      const request = {metric, entity, valueFilters: new Map<string, string[]>(), window: windowOf(times, step)};
      questions.push({
        about: `values(${JSON.stringify({metric: metric.name, entity, window: request.window})})`,
        ask: async readers => comparableColumns(await readers['metrics.query.v1'].values(request, call)),
      });
    }
  }
  if (metric.kind === 'labeled') {
    const request = {metric, from: Math.min(...times), to: Math.max(...times)};
    questions.push({
      about: `valueLabels(${JSON.stringify({...request, metric: metric.name})})`,
      ask: async readers => unordered(await readers['metrics.query.v1'].valueLabels(request, call)),
    });
  } else if (!metric.scope.endsWith('Relation')) {
    for (const layer of new Set([...entities.values()].map(one => one.layer))) {
      const request = {metric, layer, order: 'DES', limit: 1000, window: windowOf(times, 'minute')} as const;
      questions.push({
        about: `ranking(${JSON.stringify({...request, metric: metric.name})})`,
        ask: async readers => comparable(await readers['metrics.query.v1'].ranking(request, call)),
      });
    }
  }
  return questions;
}

function recordQuestions({definition: metric, entities, times}: About): Question[] {
  const parents = new Map([...entities.values()].map(({layer, service}) => [`${layer}\n${service}`, {layer, service}]));
  return [...parents.values()].map(({layer, service: parentService}) => {
    const request = {
      metric,
      layer,
      parentService,
      order: 'ASC',
      limit: 1000,
      window: windowOf(times, 'minute'),
    } as const;
    return {
      about: `sampledRecords(${JSON.stringify({...request, metric: metric.name})})`,
      ask: async readers => comparable(await readers['metrics.query.v1'].sampledRecords(request, call)),
    };
  });
}
