import test from 'ava';
import fc from 'fast-check';
import {
  compareNames,
  conflictBetween,
  ENTITY_KEYS,
  type Entity,
  entityOf,
  GatewayError,
  impliedEntities,
  type MetricDefinition,
  namesOf,
  type Rollup,
  type RollupHistory,
  rollupAt,
  type Scope,
  undeclared,
  withRollup,
} from '../../../core/api/adapter.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const RUNS = {numRuns: FUZZ_RUNS};
const SCOPES = Object.keys(ENTITY_KEYS) as Scope[];

const entities: fc.Arbitrary<readonly [Scope, readonly string[]]> = fc
  .constantFrom(...SCOPES)
  .chain(scope =>
    fc.tuple(fc.constant(scope), fc.array(fc.string(), {minLength: ENTITY_KEYS[scope].length, maxLength: 8})),
  );

test('an entity is told by its names in the order of its keys, and has no others', t => {
  fc.assert(
    fc.property(entities, ([scope, names]) => {
      const keys = ENTITY_KEYS[scope];
      const entity = entityOf(scope, names);
      t.deepEqual(namesOf(scope, entity), names.slice(0, keys.length));
      t.deepEqual(Object.keys(entity).sort(compareNames), [...keys].sort(compareNames));
      t.deepEqual(entityOf(scope, []), entityOf(scope, ['', '']));
    }),
    RUNS,
  );
});

const IMPLIED: readonly (readonly [Scope, Entity, readonly (readonly [Scope, Entity])[]])[] = [
  ['Service', {layer: 'a', service: 's'}, []],
  ['Endpoint', {layer: 'a', service: 's', endpoint: 'e'}, [['Service', {layer: 'a', service: 's'}]]],
  [
    'ServiceInstanceRelation',
    {
      layer: 'a',
      service: 's',
      serviceInstance: 'i',
      destLayer: 'b',
      destService: 't',
      destServiceInstance: 'j',
    },
    [
      ['ServiceInstance', {layer: 'a', service: 's', serviceInstance: 'i'}],
      ['ServiceInstance', {layer: 'b', service: 't', serviceInstance: 'j'}],
    ],
  ],
];

test('an entity implies the service that it belongs to, a relation its two ends', t => {
  for (const [scope, entity, implied] of IMPLIED) t.deepEqual(impliedEntities(scope, entity), implied);
});

const ROLLUPS: readonly Rollup[] = ['avg', 'sum', 'min', 'max', 'latest'];
const declarations = fc.array(
  fc.record({rollup: fc.constantFrom(...ROLLUPS), newest: fc.option(fc.nat(300), {nil: undefined})}),
  {minLength: 1, maxLength: 8},
);

test('a declaration changes no day that has values, and is in force from the next on', t => {
  fc.assert(
    fc.property(declarations, fc.nat(400), (all, hour) => {
      let history: RollupHistory = [];
      // Values do not vanish, so the newest hour that has some only grows.
      let newest: number | undefined;
      for (const {rollup, newest: found} of all) {
        if (history.length > 0 && found !== undefined) newest = Math.max(newest ?? 0, found);
        const before = history;
        history = withRollup(history, rollup, newest);
        const firstFree = newest === undefined ? 0 : (Math.floor(newest / 24) + 1) * 24;
        t.is(rollupAt(history, hour), hour < firstFree ? rollupAt(before, hour) : rollup);
        t.is(rollupAt(history, hour), rollupAt(history, hour - (hour % 24)), 'one for the whole day');
      }
    }),
    RUNS,
  );
});

const METRIC: MetricDefinition = {
  name: 'cpm',
  scope: 'Service',
  kind: 'labeled',
  type: 'gauge',
  help: '',
  unit: '',
  rollup: 'avg',
  valueLabels: ['p'],
};

test('a declaration conflicts in scope, kind and value labels alone, and the reason names them', t => {
  t.is(conflictBetween(METRIC, {...METRIC, rollup: 'sum', help: 'x', unit: 'ms', type: 'counter'}), undefined);
  t.is(
    conflictBetween(METRIC, {...METRIC, scope: 'Endpoint'}),
    'the metric "cpm" is already declared with scope "Service" and cannot be declared again with "Endpoint"',
  );
  t.regex(conflictBetween(METRIC, {...METRIC, valueLabels: ['p', 'q']}) ?? '', /with valueLabels "p".* with "p,q"$/);
});

test('samples of a metric that is not declared are a bad request', t => {
  const error = undeclared('cpm');
  t.true(error instanceof GatewayError);
  t.like(error, {code: 'bad_request', message: 'the metric "cpm" is not declared; declare it before its samples'});
});
