import {call} from '../../call.js';
import {comparable, comparableColumns} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = ownDays(8);
const LAYER = 'KIT-FRACTIONS';
const METRIC = 'kit_fractions';
const RECORDS = 'kit_fractions_records';

/** Doubles at the edges of what a float, a decimal number or an integer can hold. */
const VALUES: readonly number[] = [
  0,
  -0.015625,
  12.5,
  0.1,
  1 / 3,
  -1e-7,
  Number.MAX_SAFE_INTEGER,
  -(2 ** 53),
  1e21,
  123_456_789.123_456_79,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** -1074 * 3,
  2 ** 63,
  16_777_217,
];

const SAMPLES: readonly SampleInput[] = [
  ...VALUES.map((value, i) => ({
    metric: METRIC,
    entity: {layer: LAYER, service: 'a'},
    time: START + i * MINUTE,
    value,
  })),
  ...[1.25, 2.5, -0.703125].map((value, i) => ({
    metric: METRIC,
    entity: {layer: LAYER, service: 'b'},
    time: START + i * MINUTE,
    value,
  })),
];

const records = VALUES.map((value, i) => ({
  metric: RECORDS,
  entity: {layer: LAYER, service: 'a'},
  content: String(i),
  time: START,
  value,
}));

export const fractions: Group = {
  name: 'fractions',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [batch({metrics: [metric(METRIC), metric(RECORDS, {kind: 'sampled-record'})], samples: SAMPLES, records})],
  },
  tests: {
    'values are doubles and come back exactly': async (t, subject) => {
      const request = {
        metric: await subject.metric(METRIC),
        entity: {layer: LAYER, service: 'a'},
        valueFilters: new Map(),
        window: {step: 'minute', first: START, count: VALUES.length} as const,
      };
      t.deepEqual(
        comparableColumns(await subject.metrics.values(request, call)),
        [{labels: {}, values: VALUES}],
        'values',
      );
    },
    'means of fractions are exact where their sums are': async (t, subject) => {
      const hour = {step: 'hour', first: START, count: 1} as const;
      const definition = await subject.metric(METRIC);
      const entity = {layer: LAYER, service: 'b'};
      const mean = (1.25 + 2.5 - 0.703125) / 3;
      const columns = await subject.metrics.values(
        {metric: definition, entity, valueFilters: new Map(), window: hour},
        call,
      );
      t.deepEqual(comparableColumns(columns), [{labels: {}, values: [mean]}], 'the mean of an hour');
      const window = {step: 'minute', first: START, count: 3} as const;
      const ranked = await subject.metrics.ranking(
        {metric: definition, layer: LAYER, order: 'ASC', limit: 1, window},
        call,
      );
      t.deepEqual(comparable(ranked), [{entity, value: mean}], 'the mean of three minutes');
    },
    'values of sampled records are doubles and come back exactly': async (t, subject) => {
      const found = await subject.metrics.sampledRecords(
        {
          metric: await subject.metric(RECORDS),
          layer: LAYER,
          parentService: 'a',
          order: 'ASC',
          limit: 100,
          window: {step: 'minute', first: START, count: 1},
        },
        call,
      );
      const expected = [...VALUES].sort((a, b) => a - b);
      t.deepEqual(
        found.map(({value}) => value),
        expected,
        'values',
      );
    },
  },
};
