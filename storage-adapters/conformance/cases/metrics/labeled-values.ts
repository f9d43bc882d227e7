import type {ValueLabels} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparableColumns, unordered} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(4);
const METRIC = 'kit_labeled';
const ENTITY = {layer: 'KIT-LABELED', service: 'a'};

const LABELS: readonly ValueLabels[] = [
  {p: '50', q: 'x'},
  {p: '50', q: 'y'},
  {p: '99', q: 'x'},
  {p: '5', q: 'x'},
  {p: '', q: "it's"},
  {p: '{50}', q: 'a=b,c"\\'},
];

const sample = (labels: ValueLabels, minute: number, value: number, service = 'a'): SampleInput => ({
  metric: METRIC,
  entity: {...ENTITY, service},
  labels,
  time: START + minute * MINUTE,
  value,
});

const SAMPLES: readonly SampleInput[] = [
  ...LABELS.map((labels, i) => sample(labels, 0, i)),
  // The same labels in another order are the same series.
  sample({q: 'x', p: '50'}, 1, 100),
  sample({p: '99', q: 'x'}, 70, 71),
  sample({p: '75', q: 'z'}, 0, 7, 'b'),
];

type Filters = readonly (readonly [string, readonly string[]])[];

async function read(subject: Subject, filters: Filters, service = 'a', first = 0, count = 2): Promise<unknown> {
  const window = {step: 'minute', first: START + first * MINUTE, count} as const;
  const entity = {...ENTITY, service};
  const request = {metric: await subject.metric(METRIC), entity, valueFilters: new Map(filters), window};
  return comparableColumns(await subject.metrics.values(request, call));
}

const column = (index: number, ...values: readonly (number | null)[]) => ({labels: LABELS[index], values});
const ALL = [
  column(0, 0, 100),
  column(1, 1, null),
  column(2, 2, null),
  column(3, 3, null),
  column(4, 4, null),
  column(5, 5, null),
];

/** Filters, and the series that pass them. */
const FILTERS: readonly {readonly filters: Filters; readonly series: readonly number[]}[] = [
  {filters: [['p', ['50']]], series: [0, 1]},
  {filters: [['q', ['x']]], series: [0, 2, 3]},
  {filters: [['p', ['50', '5', '50', 'none']]], series: [0, 1, 3]},
  {
    filters: [
      ['p', ['50', '99']],
      ['q', ['x']],
    ],
    series: [0, 2],
  },
  {filters: [['p', ['']]], series: [4]},
  {filters: [['q', ["it's"]]], series: [4]},
  {filters: [['q', ['a=b,c"\\']]], series: [5]},
  {filters: [['p', ['%']]], series: []},
  {filters: [['p', ['none']]], series: []},
  {filters: [['p', []]], series: []},
  {
    filters: [
      ['p', ['50']],
      ['q', []],
    ],
    series: [],
  },
];

export const labeledValues: Group = {
  name: 'labeled_values',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [batch({metrics: [metric(METRIC, {kind: 'labeled', valueLabels: ['p', 'q']})], samples: SAMPLES})],
  },
  tests: {
    'a labeled metric has one series for each set of labels': async (t, subject) => {
      t.deepEqual(await read(subject, []), unordered(ALL), 'all series');
      t.deepEqual(await read(subject, [], 'b'), [{labels: {p: '75', q: 'z'}, values: [7, null]}], 'another service');
    },
    'only series with a value in the window are there': async (t, subject) => {
      const expected = [{labels: LABELS[2], values: [null, 71]}];
      t.deepEqual(await read(subject, [], 'a', 69, 2), expected, 'minutes 69 and 70');
    },
    'a series passes the filters when each label has one of the values wanted': async (t, subject) => {
      for (const {filters, series} of FILTERS) {
        const expected = unordered(series.map(i => ALL[i]));
        t.deepEqual(await read(subject, filters), expected, JSON.stringify(filters));
      }
    },
  },
};
