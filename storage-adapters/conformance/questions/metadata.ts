import {
  type Entity,
  impliedEntities,
  type MetricBatch,
  type Scope,
  type SeenWindow,
} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {namesOf} from '../comparable.js';
import {DAY, MINUTE} from '../data/times.js';
import type {Question} from './question.js';

const EVER = 10_000 * DAY;

/** Who these batches made known, and when each was seen for the first and the last time. */
export function metadataQuestions(batches: readonly MetricBatch[]): Question[] {
  const services = servicesIn(batches);
  const layers = new Set(services.map(({layer}) => layer));
  const questions: Question[] = [
    {
      about: 'layers()',
      ask: async readers => (await readers['metadata.query.v1'].layers(call)).filter(layer => layers.has(layer)),
    },
  ];
  for (const layer of layers) {
    questions.push({
      about: `services(${JSON.stringify({layer})})`,
      ask: readers => namesOf(readers['metadata.query.v1'].services({layer}, call)),
    });
  }
  for (const {layer, service, times} of services) {
    for (const list of ['instances', 'endpoints'] as const) {
      for (const seen of [undefined, ...[...times].flatMap(windowsAround)]) {
        const request = {layer, service, ...(seen && {seen})};
        questions.push({
          about: `${list}(${JSON.stringify(request)})`,
          ask: readers => namesOf(readers['metadata.query.v1'][list](request, call)),
        });
      }
    }
  }
  return questions;
}

/** Windows that tell whether something was seen in a minute, after it, and before it. */
function windowsAround(time: number): readonly SeenWindow[] {
  return [
    {from: time, to: time},
    {from: time + MINUTE, to: time + EVER},
    {from: time - EVER, to: time - 1},
  ];
}

interface KnownService {
  readonly layer: string;
  readonly service: string;
  /** The minutes in which one of its instances or endpoints was seen. */
  readonly times: Set<number>;
}

function servicesIn(batches: readonly MetricBatch[]): readonly KnownService[] {
  const services = new Map<string, KnownService>();
  const see = (scope: Scope, entity: Entity, time: number) => {
    for (const [, {layer, service, ...names}] of [[scope, entity] as const, ...impliedEntities(scope, entity)]) {
      const key = JSON.stringify([layer, service]);
      const known = services.get(key) ?? {layer, service, times: new Set()};
      services.set(key, known);
      if (Object.keys(names).length > 0) known.times.add(Math.floor(time / MINUTE) * MINUTE);
    }
  };
  const scopes = new Map(batches.flatMap(({metrics}) => metrics.map(({name, scope}) => [name, scope] as const)));
  const scopeOf = (metric: string): Scope => scopes.get(metric) ?? 'Service';
  for (const {sightings, samples, records} of batches) {
    for (const {scope, entity, time} of sightings) see(scope, entity, time);
    for (const [i, index] of samples.index.entries()) {
      const series = samples.series[index];
      if (series !== undefined) see(scopeOf(series.metric), series.entity, samples.time[i] ?? 0);
    }
    for (const {metric, entity, time} of records) see(scopeOf(metric), entity, time);
  }
  return [...services.values()];
}
