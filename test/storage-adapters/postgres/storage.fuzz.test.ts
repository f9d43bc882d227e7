import test from 'ava';
import fc from 'fast-check';
import {type BucketWindow, type Entity, type MetricDefinition, STEP_SECONDS} from '../../../core/api/adapter.js';
import {testWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {Model} from '../embedded/model.js';
import {call, Harness, metric, names, plain, type Sample} from './harness.js';

const server = sharedPostgres(test);

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 2000) / 200);

const DAY = 86_400;
/** A day before partitions of hours and of days begin, so that histories cross into the next ones. */
const START = 128 * DAY * Math.floor(1_700_000_000 / (128 * DAY)) - DAY;

const metrics: readonly MetricDefinition[] = [
  metric('load', {scope: 'ServiceInstance'}),
  metric('calls', {scope: 'ServiceInstance', rollup: 'sum'}),
  metric('low', {rollup: 'min'}),
  metric('high', {rollup: 'max'}),
  metric('state', {rollup: 'latest'}),
  metric('percentile', {kind: 'labeled', valueLabels: ['p']}),
];

const entities: readonly Entity[] = ['a', 'b', '\u{1F600}', '\uFF5E'].map(service => ({layer: 'L', service}));
const instances: readonly Entity[] = entities.flatMap(entity =>
  ['1', '2'].map(serviceInstance => ({...entity, serviceInstance})),
);

const minute = fc.oneof(
  fc.integer({min: 0, max: 3 * 1440 - 1}),
  fc.integer({min: 1430, max: 1510}),
  fc.constantFrom(59, 60, 1439, 1440, 2879, 2880),
);

const sample = fc
  .record({
    metric: fc.constantFrom(...metrics),
    entity: fc.nat(7),
    p: fc.constantFrom('50', '99'),
    minute,
    value: fc.oneof(
      fc.integer({min: -200, max: 200}),
      fc.integer({min: -(2 ** 40), max: 2 ** 40}).map(n => n / 64),
    ),
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
    return {step, first: Math.floor((START + at * 60) / size) * size, count: step === 'day' ? (count % 40) + 1 : count};
  });

type Action =
  | {readonly kind: 'write'; readonly gateway: number; readonly batches: readonly (readonly Sample[])[]}
  | {readonly kind: 'restart'; readonly gateway: number}
  | {readonly kind: 'check'; readonly gateway: number; readonly window: BucketWindow; readonly limit: number};

const gateway = fc.nat(1);
const batches = fc.array(fc.array(sample, {maxLength: 40}), {minLength: 1, maxLength: 3});

const action: fc.Arbitrary<Action> = fc.oneof(
  {weight: 6, arbitrary: fc.record({kind: fc.constant('write'), gateway, batches})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('restart'), gateway})},
  {weight: 4, arbitrary: fc.record({kind: fc.constant('check'), gateway, window, limit: fc.integer({min: 1, max: 9})})},
) as fc.Arbitrary<Action>;

let schemas = 0;

testWith(test, 'postgres', 'any history of two gateways on one database reads as the model does', async t => {
  const url = (await server()).url();
  await fc.assert(
    fc.asyncProperty(fc.array(action, {minLength: 5, maxLength: 20, size: 'max'}), async actions => {
      const schema = `history_${++schemas}`;
      const gateways = [new Harness({url, schema}), new Harness({url, schema})];
      const model = new Model();
      const one = (index: number): Harness => gateways[index] ?? new Harness({url});
      try {
        await Promise.all(gateways.map(harness => harness.start()));
        await one(0).write({metrics});
        model.declare(metrics);
        for (const step of actions) {
          const harness = one(step.gateway);
          if (step.kind === 'write') {
            await Promise.all(step.batches.map(samples => harness.write({samples})));
            for (const samples of step.batches) model.write(samples);
          } else if (step.kind === 'restart') {
            await harness.restart();
          } else {
            await compare(harness, model, step.window, step.limit, t);
          }
        }
      } finally {
        for (const harness of gateways) await harness.storage.stop();
        await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
      }
    }),
    {numRuns: RUNS, endOnFailure: true, includeErrorInReport: true},
  );
  t.pass();
});

async function compare(
  harness: Harness,
  model: Model,
  window: BucketWindow,
  limit: number,
  t: {deepEqual(actual: unknown, expected: unknown, message: string): unknown},
): Promise<void> {
  const to = window.first + window.count * STEP_SECONDS[window.step] - 1;
  const asked = JSON.stringify(window);
  const equal = (actual: unknown, expected: unknown, message: string) => {
    const [has, wants] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (has !== wants) t.deepEqual(actual, expected, `${message} of ${asked}`);
    if (has !== wants) throw new Error(`${message} of ${asked}: ${has} is not ${wants}`);
  };
  for (const definition of metrics) {
    for (const entity of definition.scope === 'Service' ? entities : instances) {
      const columns = await harness.metrics.values({metric: definition, entity, valueFilters: new Map(), window}, call);
      const byLabels = (a: {labels: object}, b: {labels: object}) =>
        JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1;
      equal(
        columns.map(plain).sort(byLabels),
        model.values(definition.name, entity, window).sort(byLabels),
        `values ${definition.name} ${JSON.stringify(entity)}`,
      );
    }
    if (definition.kind === 'labeled') {
      const request = {metric: definition, from: window.first + 61, to: to - 61};
      const found = (await harness.metrics.valueLabels(request, call)).map(set => JSON.stringify(set)).sort();
      equal(found, model.valueLabels(definition.name, request.from, request.to), 'value labels');
      continue;
    }
    for (const order of ['ASC', 'DES'] as const) {
      for (const parent of [{}, {parentService: 'a'}]) {
        const request = {metric: definition, layer: 'L', order, limit, window, ...parent};
        equal(
          await harness.metrics.ranking(request, call),
          model.ranking(request),
          `ranking ${definition.name} ${order}`,
        );
      }
    }
  }
  equal(await names(harness.metadata.services({layer: 'L'}, call)), model.services('L'), 'services');
  const seen = {from: window.first, to};
  const listed = await names(harness.metadata.instances({layer: 'L', service: 'a', seen}, call));
  equal(listed, model.instances('L', 'a', window.first, to), 'instances');
}
