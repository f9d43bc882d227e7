import type {Entity} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {DataSet} from '../../options.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';

const ROLLUPS = ['avg', 'sum', 'min', 'max', 'latest'] as const;

interface Scene {
  readonly entity: Entity;
  readonly start: number;
  /** Stands before the names of metrics. */
  readonly prefix: string;
}

function dataOf({entity, start, prefix}: Scene): DataSet {
  const records = `${prefix}_records`;
  return {
    metrics: [
      batch({
        metrics: [
          ...ROLLUPS.map(rollup => metric(`${prefix}_${rollup}`, {rollup})),
          metric(records, {kind: 'sampled-record'}),
        ],
        samples: ROLLUPS.flatMap(rollup =>
          [0, 1].map(minute => ({metric: `${prefix}_${rollup}`, entity, time: start + minute * MINUTE, value: -0})),
        ),
        records: [-0, 0].map(value => ({metric: records, entity, content: 'x', time: start, value})),
      }),
    ],
  };
}

async function expectZero(t: TestContext, subject: Subject, {entity, start, prefix}: Scene): Promise<void> {
  for (const rollup of ROLLUPS) {
    const definition = await subject.metric(`${prefix}_${rollup}`);
    for (const step of ['minute', 'hour', 'day'] as const) {
      const window = {step, first: start, count: 1};
      const [column] = await subject.metrics.values(
        {metric: definition, entity, valueFilters: new Map(), window},
        call,
      );
      t.true(Object.is(column?.values[0], 0), `the ${step} value by ${rollup} is 0, not -0`);
      const request = {metric: definition, layer: entity.layer, order: 'ASC', limit: 1, window} as const;
      const [first] = await subject.metrics.ranking(request, call);
      t.true(Object.is(first?.value, 0), `the mean of ${step}s by ${rollup} is 0, not -0`);
    }
  }
  const window = {step: 'minute', first: start, count: 1} as const;
  const request = {layer: entity.layer, parentService: entity.service, order: 'ASC', limit: 9, window} as const;
  const records = await subject.metrics.sampledRecords(
    {metric: await subject.metric(`${prefix}_records`), ...request},
    call,
  );
  t.deepEqual(
    records.map(({content, value}) => [content, Object.is(value, 0)]),
    [['x', true]],
    'a record with -0 and with 0 is one',
  );
}

const written: Scene = {entity: {layer: 'KIT-ZERO', service: 'a'}, start: ownDays(38), prefix: 'kit_zero'};
const kept: Scene = {entity: {layer: 'KIT-ZERO-AGAIN', service: 'a'}, start: ownDays(41), prefix: 'kit_zero_again'};

export const negativeZero: Group = {
  name: 'negative_zero',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: dataOf(written),
  tests: {
    '-0 is read as 0': (t, subject) => expectZero(t, subject, written),
  },
};

export const negativeZeroAgain: Group = {
  name: 'negative_zero_again',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: dataOf(kept),
  restarts: true,
  tests: {
    '-0 is read as 0 after a restart': async (t, subject) => {
      await subject.restart();
      await expectZero(t, subject, kept);
    },
  },
};
