import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {type BucketWindow, type Entity, type MetricDefinition, STEP_SECONDS} from '../../../core/api/adapter.js';
import {holdsFor} from '../../support/fuzz.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {metric, names, plain, type Sample} from '../embedded/harness.js';
import {Model} from '../embedded/model.js';
import {call, Harness} from './harness.js';

/** Each run is a history of dozens of statements, so there are fewer of them. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 2000) / 200);
const DAY = 86_400;
const START = DAY * Math.floor(1_700_000_000 / DAY);

const metrics: readonly MetricDefinition[] = [
  metric('load', {scope: 'ServiceInstance'}),
  metric('calls', {scope: 'ServiceInstance', rollup: 'sum'}),
  metric('low', {rollup: 'min'}),
  metric('high', {rollup: 'max'}),
  metric('state', {rollup: 'latest'}),
  metric('percentile', {kind: 'labeled', valueLabels: ['p']}),
];
const entities: readonly Entity[] = ['a', "b'\\", '\u{1F600}', '\uFF5E'].map(service => ({layer: 'L', service}));
const instances: readonly Entity[] = entities.flatMap(entity =>
  ['1', '2'].map(serviceInstance => ({...entity, serviceInstance})),
);

const minute = fc.oneof(fc.integer({min: 0, max: 2 * 1440 - 1}), fc.constantFrom(59, 60, 61, 119, 1439, 1440));
const sample = fc
  .record({
    metric: fc.constantFrom(...metrics),
    entity: fc.nat(7),
    p: fc.constantFrom('50', '99'),
    minute,
    value: fc.integer({min: -(2 ** 40), max: 2 ** 40}).map(n => n / 64),
  })
  .map(
    ({metric: {name, scope, kind}, entity, p, minute: at, value}): Sample => ({
      metric: name,
      entity: (scope === 'Service' ? entities[entity % 4] : instances[entity]) ?? {layer: '', service: ''},
      labels: kind === 'labeled' ? {p} : {},
      time: START + at * 60,
      value,
    }),
  );
const window: fc.Arbitrary<BucketWindow> = fc
  .record({step: fc.constantFrom('minute', 'hour', 'day'), at: minute, count: fc.integer({min: 1, max: 90})})
  .map(({step, at, count}) => {
    const size = STEP_SECONDS[step];
    return {step, first: Math.floor((START + at * 60) / size) * size, count};
  });
const action = fc.oneof(
  {weight: 4, arbitrary: fc.record({batches: fc.array(fc.array(sample, {maxLength: 40}), {maxLength: 3})})},
  {weight: 1, arbitrary: fc.constant('merge' as const)},
  {weight: 3, arbitrary: fc.record({window, limit: fc.integer({min: 1, max: 9})})},
);

suiteWith(test, 'clickhouse-server', 'histories of samples', () => {
  test('any history of samples reads as the model does, merged or not', async t => {
    const server = await startClickHouse(t);
    const effort = {runs: RUNS, milliseconds: 120_000};
    await holdsFor(fc.array(action, {minLength: 6, maxLength: 16, size: 'max'}), effort, async actions => {
      const harness = new Harness({urls: [server.url]});
      const model = new Model();
      try {
        await harness.start();
        await harness.write({metrics});
        model.declare(metrics);
        for (const one of actions) {
          if (one === 'merge') {
            await server.query(`OPTIMIZE TABLE ${harness.database}.minutes`);
          } else if ('batches' in one) {
            await Promise.all(one.batches.map(samples => harness.write({samples})));
            for (const samples of one.batches) model.write(samples);
          } else {
            await compare(t, harness, model, one.window, one.limit);
          }
        }
      } finally {
        await harness.storage.stop();
        await server.query(`DROP DATABASE ${harness.database}`);
      }
    });
    t.pass();
  });
});

async function compare(
  t: ExecutionContext,
  harness: Harness,
  model: Model,
  asked: BucketWindow,
  limit: number,
): Promise<void> {
  const equal = (actual: unknown, expected: unknown, what: string) => {
    if (!t.deepEqual(actual, expected, `${what} of ${JSON.stringify(asked)}`)) throw new Error(what);
  };
  const reader = harness.get('metrics.query.v1');
  const byLabels = (a: {labels: object}, b: {labels: object}) =>
    JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1;
  for (const definition of metrics) {
    for (const entity of definition.scope === 'Service' ? entities : instances.slice(0, 4)) {
      const request = {metric: definition, entity, valueFilters: new Map(), window: asked};
      const columns = (await reader.values(request, call)).map(plain).sort(byLabels);
      equal(columns, model.values(definition.name, entity, asked).sort(byLabels), `values ${definition.name}`);
    }
    if (definition.kind === 'labeled') {
      const request = {metric: definition, from: asked.first + 61, to: asked.first + 7200};
      const found = (await reader.valueLabels(request, call)).map(set => JSON.stringify(set)).sort();
      equal(found, model.valueLabels(definition.name, request.from, request.to), 'value labels');
      continue;
    }
    for (const order of ['ASC', 'DES'] as const) {
      for (const parent of [{}, {parentService: 'a'}]) {
        const request = {metric: definition, layer: 'L', order, limit, window: asked, ...parent};
        equal(await reader.ranking(request, call), model.ranking(request), `ranking ${definition.name} ${order}`);
      }
    }
  }
  const metadata = harness.get('metadata.query.v1');
  equal(await names(metadata.services({layer: 'L'}, call)), model.services('L'), 'services');
  const to = asked.first + asked.count * STEP_SECONDS[asked.step] - 1;
  const seen = {from: asked.first, to};
  const listed = await names(metadata.instances({layer: 'L', service: 'a', seen}, call));
  equal(listed, model.instances('L', 'a', asked.first, to), 'instances');
}
