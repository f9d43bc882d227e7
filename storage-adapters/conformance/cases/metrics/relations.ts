import type {BucketWindow, Entity, RelationScope, RelationsRequest} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, sameList} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';

const START = ownDays(43);
const LAYER = 'KIT-RELATIONS';
const OTHER = 'KIT-RELATIONS-TO';
const MANY = 'KIT-RELATIONS-MANY';
const METRIC = {
  calls: 'kit_relations_calls',
  errors: 'kit_relations_errors',
  percentiles: 'kit_relations_percentiles',
  instances: 'kit_relations_instances',
  endpoints: 'kit_relations_endpoints',
} as const;

const relation = (service: string, destService: string, destLayer = LAYER): Entity => ({
  layer: LAYER,
  service,
  destLayer,
  destService,
});

const instances = (name: string, destName: string): Entity => ({
  ...relation('a', 'b'),
  serviceInstance: name,
  destServiceInstance: destName,
});

const endpoints = (name: string, destName: string): Entity => ({
  ...relation('b', 'a'),
  endpoint: name,
  destEndpoint: destName,
});

const at = (metricName: string, entity: Entity, minute: number, labels = {}): SampleInput => ({
  metric: metricName,
  entity,
  labels,
  time: START + minute * MINUTE,
  value: 0,
});

/** In the order of their names: an emoji comes after U+FF5E by code points, and before it by UTF-16. */
const NAMED = [
  relation('A', 'a'),
  relation('a', 'b'),
  relation('a', 'c'),
  relation('a', 'D', OTHER),
  relation('b', 'a'),
  relation('\uFF5E', '\u{1F600}'),
  relation('\u{1F600}', '\uFF5E'),
];

const many = (i: number): Entity => ({
  layer: MANY,
  service: `s${String(i % 50).padStart(2, '0')}`,
  destLayer: MANY,
  destService: `t${String(Math.floor(i / 50)).padStart(2, '0')}`,
});

const SAMPLES: readonly SampleInput[] = [
  ...NAMED.filter((_, i) => i !== 4)
    .toReversed()
    .map(entity => at(METRIC.calls, entity, 10)),
  // Only this one has nothing but values with labels; others have values of several metrics.
  at(METRIC.percentiles, relation('b', 'a'), 10, {p: '50'}),
  at(METRIC.percentiles, relation('b', 'a'), 10, {p: '99'}),
  at(METRIC.percentiles, relation('a', 'b'), 10, {p: '99'}),
  at(METRIC.errors, relation('a', 'b'), 10),
  at(METRIC.errors, relation('a', 'later'), 3 * 1440 + 61),
  at(METRIC.instances, instances('i', 'j'), 10),
  at(METRIC.instances, instances('i', 'i'), 10),
  at(METRIC.endpoints, endpoints('/x', '/y'), 10),
  at(METRIC.endpoints, endpoints('/', '/y'), 10),
  ...Array.from({length: 2000}, (_, i) => at(METRIC.calls, many(i), 10)),
];

const window = (step: BucketWindow['step'], first: number, count: number): BucketWindow => ({
  step,
  first: START + first,
  count,
});

const TEN = window('minute', 10 * MINUTE, 1);

async function own(subject: Subject, request: Omit<RelationsRequest, 'limit'>): Promise<readonly unknown[]> {
  const found = await subject.topology.relations({...request, limit: 1_000_000}, call);
  return found.filter(({layer}) => layer === LAYER).map(comparable);
}

async function isListed(t: TestContext, subject: Subject, asked: BucketWindow, expected: boolean): Promise<void> {
  const found = await own(subject, {scope: 'ServiceRelation', window: asked});
  t.deepEqual(found, expected ? [comparable(relation('a', 'later'))] : [], JSON.stringify(asked));
}

export const relations: Group = {
  name: 'relations',
  needs: ['topology.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [
          metric(METRIC.calls, {scope: 'ServiceRelation', rollup: 'sum'}),
          metric(METRIC.errors, {scope: 'ServiceRelation', rollup: 'latest'}),
          metric(METRIC.percentiles, {scope: 'ServiceRelation', kind: 'labeled', valueLabels: ['p']}),
          metric(METRIC.instances, {scope: 'ServiceInstanceRelation'}),
          metric(METRIC.endpoints, {scope: 'EndpointRelation'}),
        ],
        samples: SAMPLES,
        sightings: [{scope: 'ServiceRelation', entity: relation('a', 'seen'), time: START + 10 * MINUTE}],
      }),
    ],
  },
  tests: {
    'relations are listed in the order of their names, each once, however many metrics have values of it': async (
      t,
      subject,
    ) => {
      t.deepEqual(await own(subject, {scope: 'ServiceRelation', window: TEN}), NAMED.map(comparable));
    },
    'relations of each scope have all of its keys': async (t, subject) => {
      const of = (scope: RelationScope) => own(subject, {scope, window: TEN});
      t.deepEqual(await of('ServiceInstanceRelation'), [instances('i', 'i'), instances('i', 'j')].map(comparable));
      t.deepEqual(await of('EndpointRelation'), [endpoints('/', '/y'), endpoints('/x', '/y')].map(comparable));
    },
    'a relation is listed when a bucket of the window has a value, a minute, an hour or a day': async (t, subject) => {
      const minute = 3 * DAY + 61 * MINUTE;
      await isListed(t, subject, window('minute', minute, 1), true);
      await isListed(t, subject, window('minute', minute - 30 * MINUTE, 31), true);
      await isListed(t, subject, window('minute', minute - 30 * MINUTE, 30), false);
      await isListed(t, subject, window('minute', minute + MINUTE, 30), false);
      await isListed(t, subject, window('hour', 3 * DAY + HOUR, 1), true);
      await isListed(t, subject, window('hour', DAY, 50), true);
      await isListed(t, subject, window('hour', DAY, 49), false);
      await isListed(t, subject, window('hour', 3 * DAY + 2 * HOUR, 20), false);
      await isListed(t, subject, window('day', 3 * DAY, 1), true);
      await isListed(t, subject, window('day', DAY, 2), false);
      await isListed(t, subject, window('day', 4 * DAY, 9), false);
    },
    'a relation that was only seen is not listed': async (t, subject) => {
      const found = await own(subject, {scope: 'ServiceRelation', window: window('day', 0, 1)});
      t.deepEqual(found, NAMED.map(comparable));
    },
    'the relations of a service are those of which one end or both are of it': async (t, subject) => {
      const of = (layer: string, service: string, scope: RelationScope = 'ServiceRelation') =>
        own(subject, {scope, window: TEN, of: {layer, service}});
      t.deepEqual(await of(LAYER, 'a'), NAMED.slice(0, 5).map(comparable), 'both');
      t.deepEqual(await of(LAYER, 'c'), [comparable(relation('a', 'c'))], 'the destination');
      t.deepEqual(await of(LAYER, 'A'), [comparable(relation('A', 'a'))], 'the source');
      t.deepEqual(await of(OTHER, 'D'), [comparable(relation('a', 'D', OTHER))], 'another layer');
      t.deepEqual(await of(OTHER, 'b'), [], 'nobody');
      t.is((await of(LAYER, 'a', 'EndpointRelation')).length, 2, 'by its endpoints');
    },
    'relations are cut to the limit': async (t, subject) => {
      const request = {scope: 'ServiceRelation', window: TEN, of: {layer: LAYER, service: 'a'}} as const;
      for (const limit of [1, 3, 5, 6]) {
        const found = await subject.topology.relations({...request, limit}, call);
        t.deepEqual(found.map(comparable), NAMED.slice(0, Math.min(limit, 5)).map(comparable), `limit ${limit}`);
      }
    },
    'thousands of relations are all listed': async (t, subject) => {
      const found = await subject.topology.relations({scope: 'ServiceRelation', window: TEN, limit: 1_000_000}, call);
      const expected = Array.from({length: 2000}, (_, i) => many((i % 40) * 50 + Math.floor(i / 40)));
      sameList(
        t,
        found.filter(({layer}) => layer === MANY),
        expected,
        'the relations',
      );
    },
  },
};
