import {compareNames} from '../../../../core/api/adapter.js';
import {call, callWith} from '../../call.js';
import {sameList} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import {allWithin} from '../../within.js';

const START = ownDays(21);
const ENTITY = {layer: 'KIT-TEN-THOUSAND', service: 'a'};
const METRIC = 'kit_ten_thousand';
const COUNT = 10_000;
const PER_BATCH = 2500;

/** Endpoint `i` has the value `i × 7919 mod 5000` in one minute and 1 in the next; every value occurs twice. */
const SAMPLES = Array.from({length: COUNT}, (_, i) => i).flatMap(i => {
  const entity = {...ENTITY, endpoint: `/e/${i}`};
  return [
    {metric: METRIC, entity, time: START, value: (i * 7919) % 5000},
    {metric: METRIC, entity, time: START + MINUTE, value: 1},
  ];
});

const RANKED = Array.from({length: COUNT}, (_, i) => ({name: `/e/${i}`, value: ((i * 7919) % 5000) + 1})).sort(
  (a, b) => b.value - a.value || compareNames(a.name, b.name),
);

export const tenThousand: Group = {
  name: 'ten_thousand',
  needs: ['metrics.query.v1'],
  data: {
    metrics: Array.from({length: (2 * COUNT) / PER_BATCH}, (_, i) =>
      batch({
        metrics: i === 0 ? [metric(METRIC, {scope: 'Endpoint', rollup: 'sum'})] : [],
        samples: SAMPLES.slice(i * PER_BATCH, (i + 1) * PER_BATCH),
      }),
    ),
  },
  tests: {
    'ten thousand entities are ranked exactly': async (t, subject) => {
      const window = {step: 'hour', first: START, count: 1} as const;
      const request = {metric: await subject.metric(METRIC), layer: ENTITY.layer, window} as const;
      for (const limit of [1, 7, 5000, 20_000]) {
        const ranked = await subject.metrics.ranking({...request, order: 'DES', limit}, call);
        const found = ranked.map(({entity, value}) => ({name: entity.endpoint, value}));
        sameList(t, found, RANKED.slice(0, limit), `limit ${limit}`);
      }
    },
    'metric reads that are cancelled reject with the reason or have been answered, and the next are answered': async (
      t,
      subject,
    ) => {
      const reason = new Error('no longer wanted');
      const definition = await subject.metric(METRIC);
      const window = {step: 'minute', first: START - 1000 * MINUTE, count: 2000} as const;
      const ranking = {metric: definition, layer: ENTITY.layer, order: 'DES', limit: 3, window} as const;
      const values = {
        metric: definition,
        entity: {...ENTITY, endpoint: '/e/1'},
        valueFilters: new Map<string, readonly string[]>(),
        window,
      };
      for (const aborted of [true, false]) {
        const controller = new AbortController();
        if (aborted) controller.abort(reason);
        const cancelled = callWith(controller.signal);
        const reads: readonly Promise<unknown>[] = [
          subject.metrics.catalog(cancelled),
          subject.metrics.values(values, cancelled),
          subject.metrics.ranking(ranking, cancelled),
        ];
        controller.abort(reason);
        for (const outcome of await allWithin('a read that was cancelled', reads)) {
          t.true(outcome.status === 'fulfilled' || outcome.reason === reason, 'it rejects with signal.reason');
        }
      }
      t.is((await subject.metrics.ranking(ranking, call)).length, 3, 'the next ranking');
    },
  },
};
