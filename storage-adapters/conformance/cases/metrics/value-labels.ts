import type {Entity} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {unordered} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(5);
const METRIC = 'kit_value_labels';
const LAYER = 'KIT-VALUE-LABELS';

const sample = (service: string, serviceInstance: string, p: string, minute: number): SampleInput => ({
  metric: METRIC,
  entity: {layer: LAYER, service, serviceInstance},
  labels: {p},
  time: START + minute * MINUTE,
  value: 1,
});

const SAMPLES: readonly SampleInput[] = [
  sample('a', 'i', '50', 0),
  sample('a', 'j', '50', 0),
  sample('a', 'i', '75', 1),
  sample('a', 'i', '99', 61),
  sample('b', 'i', '90', 3 * 1440),
  sample('b', 'k', '{"p"}', 3 * 1440),
];

async function read(subject: Subject, from: number, to: number, entity?: Partial<Entity>): Promise<unknown> {
  const request = {metric: await subject.metric(METRIC), from: START + from, to: START + to, ...(entity && {entity})};
  return unordered(await subject.metrics.valueLabels(request, call));
}

const sets = (...values: readonly string[]) => unordered(values.map(p => ({p})));

export const valueLabels: Group = {
  name: 'value_labels',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [metric(METRIC, {kind: 'labeled', scope: 'ServiceInstance', valueLabels: ['p']})],
        samples: SAMPLES,
      }),
    ],
  },
  tests: {
    'label sets are listed once, however many series have them': async (t, subject) => {
      t.deepEqual(await read(subject, 0, 10 * DAY), sets('50', '75', '99', '90', '{"p"}'), 'all');
      t.deepEqual(await read(subject, 0, 0), sets('50'), 'the first minute');
    },
    'a label set counts when it has a value in a minute of the window, those in which its ends lie included': async (
      t,
      subject,
    ) => {
      t.deepEqual(await read(subject, 0, MINUTE - 1), sets('50'), 'to the end of the first minute');
      t.deepEqual(await read(subject, 0, MINUTE), sets('50', '75'), 'to the start of the second');
      t.deepEqual(await read(subject, MINUTE, MINUTE), sets('75'), 'the second minute');
      t.deepEqual(await read(subject, 2 * MINUTE, HOUR), [], 'between');
      t.deepEqual(await read(subject, 2 * MINUTE, HOUR + MINUTE), sets('99'), 'to minute 61');
      t.deepEqual(await read(subject, MINUTE - 1, MINUTE - 1), sets('50'), 'the last second of the first minute');
      t.deepEqual(await read(subject, MINUTE - 1, 2 * MINUTE), sets('50', '75'), 'from there on');
      t.deepEqual(await read(subject, MINUTE + 1, 2 * MINUTE), sets('75'), 'from the middle of the second minute on');
      t.deepEqual(await read(subject, HOUR + MINUTE + 59, 2 * HOUR), sets('99'), 'from the end of minute 61 on');
      t.deepEqual(await read(subject, HOUR + 2 * MINUTE, 2 * HOUR), [], 'after minute 61');
      t.deepEqual(await read(subject, -DAY, -1), [], 'before');
      t.deepEqual(await read(subject, 4 * DAY, 9 * DAY), [], 'after');
    },
    'label sets are those of the entities that have every key given': async (t, subject) => {
      const ever = (entity: Partial<Entity>) => read(subject, 0, 10 * DAY, entity);
      t.deepEqual(await ever({}), sets('50', '75', '99', '90', '{"p"}'), 'no key');
      t.deepEqual(await ever({service: 'a'}), sets('50', '75', '99'), 'service a');
      t.deepEqual(await ever({layer: LAYER, serviceInstance: 'i'}), sets('50', '75', '99', '90'), 'instance i');
      t.deepEqual(await ever({service: 'a', serviceInstance: 'j'}), sets('50'), 'instance j of a');
      t.deepEqual(await ever({service: 'b', serviceInstance: 'j'}), [], 'no such instance');
      t.deepEqual(await ever({layer: 'KIT-NOWHERE'}), [], 'no such layer');
    },
  },
};
