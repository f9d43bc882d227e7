import type {BucketWindow, Entity, Order} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(6);
const LAYER = 'KIT-RANKING';

const at = (name: string, entity: Entity, minute: number, value: number): SampleInput => ({
  metric: name,
  entity,
  time: START + minute * MINUTE,
  value,
});
const endpoint = (service: string, name: string): Entity => ({layer: LAYER, service, endpoint: name});
const instance = (service: string, name: string): Entity => ({layer: LAYER, service, serviceInstance: name});
const service = (name: string): Entity => ({layer: LAYER, service: name});

const ENDPOINTS = 'kit_ranking_endpoint';
const INSTANCES = 'kit_ranking_instance';
const SERVICES = 'kit_ranking_service';
const SUMS = 'kit_ranking_sum';
const MANY = 'kit_ranking_many';

/** Equal means, in the order of service and name by code points. */
const TIES: readonly (readonly [string, string])[] = [
  ['', 'x'],
  ['B', 'a'],
  ['a', ''],
  ['a', 'B'],
  ['a', 'a'],
  ['a', 'a/b'],
  ['aa', 'a'],
  ['b', '\uFF5E'],
  ['b', '\u{1F600}'],
  ['\uFF5E', 'a'],
  ['\u{1F600}', 'a'],
];

const SAMPLES: readonly SampleInput[] = [
  ...[...TIES].reverse().map(([name, path]) => at(ENDPOINTS, endpoint(name, path), 0, 5)),
  at(ENDPOINTS, endpoint('z', 'best'), 1, 6),
  at(ENDPOINTS, endpoint('z', 'worst'), 1, -6),
  at(ENDPOINTS, endpoint('z', 'later'), 2, 100),
  at(ENDPOINTS, {...endpoint('a', 'a'), layer: `${LAYER}-2`}, 0, 50),

  at(INSTANCES, instance('a', 'j'), 0, 1),
  at(INSTANCES, instance('a', 'i'), 0, 1),
  at(INSTANCES, instance('b', 'i'), 0, 3),

  // The mean is that of the buckets that have a value: 10 and 20, of which one is there, and of all three.
  at(SERVICES, service('two'), 0, 10),
  at(SERVICES, service('two'), 2, 20),
  at(SERVICES, service('one'), 1, 14),
  at(SERVICES, service('three'), 0, 12),
  at(SERVICES, service('three'), 1, 12),
  at(SERVICES, service('three'), 2, 24),

  // Hours of 3 and 5 by sum: their mean is 4. All minutes of it would have the mean 2.
  ...[0, 1, 2].map(minute => at(SUMS, service('sum'), minute, 1)),
  at(SUMS, service('sum'), 60, 5),
  at(SUMS, service('other'), 61, 3),
  at(SUMS, service('other'), 1440, 7),

  ...Array.from({length: 300}, (_, i) => at(MANY, service(`s${String((i * 7) % 300).padStart(3, '0')}`), 0, i % 10)),
];

interface Question {
  readonly order: Order;
  readonly limit: number;
  readonly window: BucketWindow;
  readonly parentService?: string;
  readonly layer?: string;
}

/** The ranking with each entity as one text. */
async function rank(subject: Subject, name: string, question: Question): Promise<readonly string[]> {
  const request = {metric: await subject.metric(name), layer: LAYER, ...question};
  const ranked = await subject.metrics.ranking(request, call);
  return ranked.map(({entity, value}) => {
    const last = entity.endpoint ?? entity.serviceInstance;
    return `${entity.service}${last === undefined ? '' : ` ${last}`} = ${value}`;
  });
}

const minutes = (first: number, count: number): BucketWindow => ({
  step: 'minute',
  first: START + first * MINUTE,
  count,
});
const ties = TIES.map(([name, path]) => `${name} ${path} = 5`);

export const ranking: Group = {
  name: 'ranking',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [
          metric(ENDPOINTS, {scope: 'Endpoint'}),
          metric(INSTANCES, {scope: 'ServiceInstance'}),
          metric(SERVICES),
          metric(SUMS, {rollup: 'sum'}),
          metric(MANY),
        ],
        samples: SAMPLES,
      }),
    ],
  },
  tests: {
    'equal means are ordered by service and then by name, in code points, for both orders': async (t, subject) => {
      const window = minutes(0, 2);
      const ascending = await rank(subject, ENDPOINTS, {order: 'ASC', limit: 100, window});
      t.deepEqual(ascending, ['z worst = -6', ...ties, 'z best = 6'], 'ASC');
      const descending = await rank(subject, ENDPOINTS, {order: 'DES', limit: 100, window});
      t.deepEqual(descending, ['z best = 6', ...ties, 'z worst = -6'], 'DES');
    },
    'a ranking is cut to its limit, among equal means too': async (t, subject) => {
      const window = minutes(0, 2);
      for (const limit of [1, 2, 4]) {
        const first = await rank(subject, ENDPOINTS, {order: 'DES', limit, window});
        t.deepEqual(first, ['z best = 6', ...ties].slice(0, limit), `DES, limit ${limit}`);
        const last = await rank(subject, ENDPOINTS, {order: 'ASC', limit, window});
        t.deepEqual(last, ['z worst = -6', ...ties].slice(0, limit), `ASC, limit ${limit}`);
      }
      const many = Array.from({length: 300}, (_, i) => ({
        name: `s${String((i * 7) % 300).padStart(3, '0')}`,
        value: i % 10,
      }));
      many.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
      const found = await rank(subject, MANY, {order: 'DES', limit: 45, window});
      t.deepEqual(
        found,
        many.slice(0, 45).map(({name, value}) => `${name} = ${value}`),
        'of 300 services',
      );
    },
    'a ranking has the entities of its layer, and of its parent service if it names one': async (t, subject) => {
      const window = minutes(0, 2);
      const other = await rank(subject, ENDPOINTS, {order: 'DES', limit: 9, window, layer: `${LAYER}-2`});
      t.deepEqual(other, ['a a = 50'], 'the other layer');
      const nowhere = await rank(subject, ENDPOINTS, {order: 'DES', limit: 9, window, layer: 'KIT-NOWHERE'});
      t.deepEqual(nowhere, [], 'a layer that does not exist');
      const parent = await rank(subject, ENDPOINTS, {order: 'DES', limit: 9, window, parentService: 'b'});
      t.deepEqual(parent, ['b \uFF5E = 5', 'b \u{1F600} = 5'], 'parent service b');
      const unknown = await rank(subject, ENDPOINTS, {order: 'DES', limit: 9, window, parentService: 'x'});
      t.deepEqual(unknown, [], 'a parent service that does not exist');
      const instances = await rank(subject, INSTANCES, {order: 'ASC', limit: 9, window, parentService: 'a'});
      t.deepEqual(instances, ['a i = 1', 'a j = 1'], 'instances of service a');
    },
    'the value of an entity is the mean of the buckets of the window that have one': async (t, subject) => {
      const all = await rank(subject, SERVICES, {order: 'DES', limit: 9, window: minutes(0, 3)});
      t.deepEqual(all, ['three = 16', 'two = 15', 'one = 14'], 'three minutes');
      const two = await rank(subject, SERVICES, {order: 'DES', limit: 9, window: minutes(1, 2)});
      t.deepEqual(two, ['two = 20', 'three = 18', 'one = 14'], 'two minutes');
      const one = await rank(subject, SERVICES, {order: 'ASC', limit: 9, window: minutes(0, 1)});
      t.deepEqual(one, ['two = 10', 'three = 12'], 'one minute');
      const none = await rank(subject, SERVICES, {order: 'ASC', limit: 9, window: minutes(3, 60)});
      t.deepEqual(none, [], 'minutes without a value');
    },
    'a ranking by hours is the mean of the values that the hours have': async (t, subject) => {
      const two = await rank(subject, SUMS, {order: 'DES', limit: 9, window: {step: 'hour', first: START, count: 2}});
      t.deepEqual(two, ['sum = 4', 'other = 3'], 'two hours');
      const next = {step: 'hour', first: START + HOUR, count: 1} as const;
      t.deepEqual(await rank(subject, SUMS, {order: 'DES', limit: 9, window: next}), ['sum = 5', 'other = 3'], 'one');
    },
    'a ranking by days is the mean of the values that the days have': async (t, subject) => {
      const two = await rank(subject, SUMS, {order: 'DES', limit: 9, window: {step: 'day', first: START, count: 2}});
      t.deepEqual(two, ['sum = 8', 'other = 5'], 'two days');
      const next = {step: 'day', first: START + DAY, count: 2} as const;
      t.deepEqual(await rank(subject, SUMS, {order: 'DES', limit: 9, window: next}), ['other = 7'], 'the second');
    },
    'the entities of a ranking have the keys of their scope': async (t, subject) => {
      const request = {layer: LAYER, order: 'ASC', limit: 1, window: minutes(0, 2)} as const;
      const first = async (name: string) =>
        (await subject.metrics.ranking({...request, metric: await subject.metric(name)}, call))[0]?.entity;
      t.deepEqual({...(await first(ENDPOINTS))}, endpoint('z', 'worst'), 'an endpoint');
      t.deepEqual({...(await first(INSTANCES))}, instance('a', 'i'), 'an instance');
      t.deepEqual({...(await first(SERVICES))}, service('two'), 'a service');
    },
  },
};
