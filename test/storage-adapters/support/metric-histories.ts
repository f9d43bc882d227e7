import {isDeepStrictEqual} from 'node:util';
import type {ExecutionContext} from 'ava';
import fc from 'fast-check';
import {
  type BucketWindow,
  type Entity,
  type MetadataReader,
  type MetricDefinition,
  type MetricReader,
  STEP_SECONDS,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import {names, plain} from './answers.js';
import {metric, type SampleInput} from './batches.js';
import {call} from './calls.js';
import type {StorageHarness} from './storage-harness.js';

/** What the samples of a history are of: a metric of each rollup, one with labels, and few entities, which meet often. */
export const METRICS: readonly MetricDefinition[] = [
  metric('load', {scope: 'ServiceInstance'}),
  metric('calls', {scope: 'ServiceInstance', rollup: 'sum'}),
  metric('low', {rollup: 'min'}),
  metric('high', {rollup: 'max'}),
  metric('state', {rollup: 'latest'}),
  metric('percentile', {kind: 'labeled', valueLabels: ['p']}),
];
const SERVICES: readonly Entity[] = ['a', "b'\\", '\u{1F600}', '\uFF5E'].map(service => ({layer: 'L', service}));
const INSTANCES: readonly Entity[] = SERVICES.flatMap(entity =>
  ['1', '2'].map(serviceInstance => ({...entity, serviceInstance})),
);

/** Of three days, most often near the edges of hours and days. */
export const minute = fc.oneof(
  fc.integer({min: 0, max: 3 * 1440 - 1}),
  fc.integer({min: 1430, max: 1510}),
  fc.constantFrom(59, 60, 61, 119, 1439, 1440, 2879, 2880),
);

/** A question: all answers about a window, rankings cut to a limit. */
export interface Check {
  readonly window: BucketWindow;
  readonly limit: number;
}

/** Batches of samples, and questions about them; `start` is the start of a UTC day in Unix seconds. */
export function historiesFrom(start: number): {
  readonly samples: fc.Arbitrary<readonly SampleInput[]>;
  readonly check: fc.Arbitrary<Check>;
} {
  const sample = fc
    .record({
      metric: fc.constantFrom(...METRICS),
      entity: fc.nat(INSTANCES.length - 1),
      p: fc.constantFrom('50', '99'),
      minute,
      value: fc.oneof(
        fc.integer({min: -200, max: 200}),
        fc.integer({min: -(2 ** 40), max: 2 ** 40}).map(n => n / 64),
      ),
    })
    .map(
      ({metric: {name, scope, kind}, entity, p, minute: at, value}): SampleInput => ({
        metric: name,
        entity: (scope === 'Service' ? SERVICES[entity % SERVICES.length] : INSTANCES[entity]) as Entity,
        labels: kind === 'labeled' ? {p} : {},
        time: start + at * 60,
        value,
      }),
    );
  const window = fc
    .record({step: fc.constantFrom('minute', 'hour', 'day'), at: minute, count: fc.integer({min: 1, max: 90})})
    .map(({step, at, count}): BucketWindow => {
      const size = STEP_SECONDS[step];
      return {step, first: Math.floor((start + at * 60) / size) * size, count};
    });
  return {
    samples: fc.array(sample, {maxLength: 40}),
    check: fc.record({window, limit: fc.integer({min: 1, max: 9})}),
  };
}

/** Asks for everything there is to ask about a window, of a storage and of the oracle. */
export async function compareMetrics(
  t: ExecutionContext,
  {metrics, metadata}: StorageHarness,
  {metrics: rightMetrics, metadata: rightMetadata}: StorageHarness,
  {window, limit}: Check,
): Promise<void> {
  const to = window.first + window.count * STEP_SECONDS[window.step] - 1;
  const equal = (actual: unknown, expected: unknown, what: string) => {
    if (isDeepStrictEqual(actual, expected)) return;
    t.deepEqual(actual, expected, `${what} of ${JSON.stringify(window)}`);
    throw new Error(`${what} of ${JSON.stringify(window)}`);
  };
  const byLabels = (a: {labels: object}, b: {labels: object}) =>
    JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1;
  const columns = async (reader: MetricReader, request: ValuesRequest) =>
    (await reader.values(request, call)).map(plain).sort(byLabels);
  const labelSets = async (reader: MetricReader, request: ValueLabelsRequest) =>
    (await reader.valueLabels(request, call)).map(set => JSON.stringify(set)).sort();
  for (const definition of METRICS) {
    const {name, scope, kind} = definition;
    for (const entity of scope === 'Service' ? SERVICES : INSTANCES) {
      const request = {metric: definition, entity, valueFilters: new Map(), window};
      equal(
        await columns(metrics, request),
        await columns(rightMetrics, request),
        `values ${name} ${JSON.stringify(entity)}`,
      );
    }
    if (kind === 'labeled') {
      const request = {metric: definition, from: window.first + 61, to: to - 61};
      equal(await labelSets(metrics, request), await labelSets(rightMetrics, request), 'value labels');
      continue;
    }
    for (const order of ['ASC', 'DES'] as const) {
      for (const parent of [{}, {parentService: 'a'}]) {
        const request = {metric: definition, layer: 'L', order, limit, window, ...parent};
        equal(
          await metrics.ranking(request, call),
          await rightMetrics.ranking(request, call),
          `ranking ${name} ${order}`,
        );
      }
    }
  }
  const services = (reader: MetadataReader) => names(reader.services({layer: 'L'}, call));
  equal(await services(metadata), await services(rightMetadata), 'services');
  const seen = {from: window.first, to};
  const instances = (reader: MetadataReader) => names(reader.instances({layer: 'L', service: 'a', seen}, call));
  equal(await instances(metadata), await instances(rightMetadata), 'instances');
}
