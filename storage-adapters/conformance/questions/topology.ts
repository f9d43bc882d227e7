import {
  type BucketWindow,
  type Entity,
  type MetricBatch,
  RELATION_SCOPES,
  STEP_SECONDS,
  type Step,
} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {comparable} from '../comparable.js';
import type {Question} from './question.js';

/** More than there are on a store of the kit. */
const ALL = 1_000_000;

const STEPS: readonly Step[] = ['minute', 'hour', 'day'];

/** Which relations of the layers of these batches have a value in the hours and days of their samples, and in single buckets. */
export function topologyQuestions(batches: readonly MetricBatch[]): Question[] {
  const layers = new Set(batches.flatMap(({samples}) => samples.series.map(({entity}) => entity.layer)));
  const times = [...new Set(batches.flatMap(({samples}) => [...samples.time]))].sort((a, b) => a - b);
  const [oldest, newest] = [times[0], times.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  const windows = STEPS.flatMap(step => {
    const whole = windowBetween(step, oldest, newest);
    const single = times.filter((_, i) => i % Math.ceil(times.length / 4) === 0);
    return [whole, ...single.map(time => windowBetween(step, time, time))];
  });
  return windows.flatMap(window => relationQuestions(window, layers));
}

/** The relations of each scope, of these layers. */
export function relationQuestions(window: BucketWindow, layers: ReadonlySet<string>): Question[] {
  return RELATION_SCOPES.map(scope => ({
    about: `relations(${JSON.stringify({scope, window})})`,
    ask: async readers => {
      const found = await readers['topology.query.v1'].relations({scope, window, limit: ALL}, call);
      return comparable(found.filter((entity: Entity) => layers.has(entity.layer)));
    },
  }));
}

function windowBetween(step: Step, from: number, to: number): BucketWindow {
  const size = STEP_SECONDS[step];
  const first = Math.floor(from / size) * size;
  return {step, first, count: Math.floor((to - first) / size) + 1};
}
