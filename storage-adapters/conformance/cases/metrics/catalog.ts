import {compareNames, type MetricDefinition} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import type {Group} from '../../group.js';

const own = (metrics: readonly MetricDefinition[]): readonly MetricDefinition[] =>
  metrics.filter(({name}) => name.startsWith('kit_catalog_'));

const METRICS: readonly MetricDefinition[] = [
  metric('kit_catalog_b', {
    type: 'counter',
    help: 'it\'s 100 % "help" \\ 帮助 \u{1F600}\n;',
    unit: 'ms',
    rollup: 'sum',
  }),
  metric('kit_catalog_Z', {scope: 'ServiceInstance', rollup: 'min'}),
  metric('kit_catalog__', {scope: 'Endpoint', rollup: 'max'}),
  metric('kit_catalog_a', {scope: 'ServiceRelation', rollup: 'latest'}),
  metric('kit_catalog_a1', {scope: 'ServiceInstanceRelation'}),
  metric('kit_catalog_A', {scope: 'EndpointRelation'}),
  metric('kit_catalog_labeled', {kind: 'labeled', valueLabels: ['p', 'a', 'le']}),
  metric('kit_catalog_records', {kind: 'sampled-record', scope: 'Endpoint'}),
];

export const catalog: Group = {
  name: 'catalog',
  needs: ['metrics.query.v1'],
  data: {metrics: [batch({metrics: METRICS})]},
  tests: {
    'the catalog has every metric as it was declared, by name': async (t, {metrics}) => {
      const names = (await metrics.catalog(call)).map(({name}) => name);
      t.deepEqual(names, [...names].sort(compareNames), 'the order of the catalog');
      const expected = [...METRICS].sort((a, b) => compareNames(a.name, b.name));
      t.deepEqual(comparable(own(await metrics.catalog(call))), comparable(expected), 'the catalog');
    },
    'the catalog stays the same array while nothing changes': async (t, {metrics}) => {
      const first = await metrics.catalog(call);
      t.true((await metrics.catalog(call)) === first, 'callers cache by the identity of the array');
    },
  },
};
