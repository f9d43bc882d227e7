import {call} from '../../call.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group, GroupTest} from '../../group.js';

const START = ownDays(38);
const ENTITY = {layer: 'KIT-ZERO', service: 'a'};
const ROLLUPS = ['avg', 'sum', 'min', 'max', 'latest'] as const;
const RECORDS = 'kit_zero_records';

const zero: GroupTest = async (t, subject) => {
  for (const rollup of ROLLUPS) {
    const definition = await subject.metric(`kit_zero_${rollup}`);
    for (const step of ['minute', 'hour', 'day'] as const) {
      const window = {step, first: START, count: 1};
      const [column] = await subject.metrics.values(
        {metric: definition, entity: ENTITY, valueFilters: new Map(), window},
        call,
      );
      t.true(Object.is(column?.values[0], 0), `the ${step} value by ${rollup} is 0, not -0`);
      const request = {metric: definition, layer: ENTITY.layer, order: 'ASC', limit: 1, window} as const;
      const [first] = await subject.metrics.ranking(request, call);
      t.true(Object.is(first?.value, 0), `the mean of ${step}s by ${rollup} is 0, not -0`);
    }
  }
  const window = {step: 'minute', first: START, count: 1} as const;
  const request = {layer: ENTITY.layer, parentService: ENTITY.service, order: 'ASC', limit: 9, window} as const;
  const records = await subject.metrics.sampledRecords({metric: await subject.metric(RECORDS), ...request}, call);
  t.deepEqual(
    records.map(({content, value}) => [content, Object.is(value, 0)]),
    [['x', true]],
    'a record with -0 and with 0 is one',
  );
};

export const negativeZero: Group = {
  name: 'negative_zero',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {
    metrics: [
      batch({
        metrics: [
          ...ROLLUPS.map(rollup => metric(`kit_zero_${rollup}`, {rollup})),
          metric(RECORDS, {kind: 'sampled-record'}),
        ],
        samples: ROLLUPS.flatMap(rollup =>
          [0, 1].map(minute => ({
            metric: `kit_zero_${rollup}`,
            entity: ENTITY,
            time: START + minute * MINUTE,
            value: -0,
          })),
        ),
        records: [-0, 0].map(value => ({metric: RECORDS, entity: ENTITY, content: 'x', time: START, value})),
      }),
    ],
  },
  tests: {
    '-0 is read as 0': zero,
    '-0 is read as 0 after a restart': async (t, subject) => {
      await subject.restart();
      await zero(t, subject);
    },
  },
};
