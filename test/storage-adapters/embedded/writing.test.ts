import test from 'ava';
import type {MetricDefinition} from '../../../core/api/adapter.js';
import {plain} from '../support/answers.js';
import {batchOf, metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const START = 1_700_000_040;
const load = metric('load');
const service = (name: string) => ({layer: 'L', service: name});

async function minute(harness: Harness, name: string): Promise<unknown> {
  const window = {step: 'minute', first: START, count: 1} as const;
  const request = {metric: load, entity: service(name), valueFilters: new Map(), window};
  return (await harness.metrics.values(request, call)).map(plain)[0]?.values[0];
}

const conflicts: readonly Partial<MetricDefinition>[] = [
  {scope: 'Endpoint'},
  {kind: 'labeled', valueLabels: ['p']},
  {kind: 'sampled-record'},
];

test('a declaration that contradicts another is refused with the whole batch', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.write({metrics: [load]});
  for (const change of conflicts) {
    const samples = [{metric: 'load', entity: service('a'), time: START, value: 1}];
    const error = await t.throwsAsync(harness.write({metrics: [metric('other'), {...load, ...change}], samples}));
    t.like(error, {code: 'bad_request'});
    t.regex(error.message, /"load"/);
    t.deepEqual(await harness.metrics.catalog(call), [load]);
    t.is(await minute(harness, 'a'), undefined);
  }
  const twice = [metric('new'), metric('new', {scope: 'Endpoint'})];
  t.like(await t.throwsAsync(harness.write({metrics: twice})), {code: 'bad_request'});
});

test('of two conflicting declarations at once the first stands', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const results = await Promise.allSettled([
    harness.write({metrics: [load]}),
    harness.write({metrics: [{...load, scope: 'Endpoint'}]}),
  ]);
  t.deepEqual(
    results.map(({status}) => status),
    ['fulfilled', 'rejected'],
  );
  t.deepEqual(await harness.metrics.catalog(call), [load]);
});

test('a repeated declaration may change the texts, and the catalog stays the same array while nothing changes', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.write({metrics: [load]});
  const before = await harness.metrics.catalog(call);
  await harness.write({metrics: [load], samples: [{metric: 'load', entity: service('a'), time: START, value: 1}]});
  t.is(await harness.metrics.catalog(call), before);
  const changed = {...load, type: 'counter', help: 'calls', unit: 'ms'};
  await harness.write({metrics: [changed, metric('also')]});
  t.deepEqual(await harness.metrics.catalog(call), [metric('also'), changed]);
  t.deepEqual(await harness.writer.declared(call), [metric('also'), changed]);
  await harness.restart();
  t.deepEqual(await harness.metrics.catalog(call), [metric('also'), changed]);
});

test('a sample of a metric that is not declared is refused', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const samples = [{metric: 'load', entity: service('a'), time: START, value: 1}];
  const error = await t.throwsAsync(harness.write({samples}));
  t.like(error, {code: 'bad_request', message: 'the metric "load" is not declared; declare it before its samples'});
});

test('a sample of a time that cannot be kept is refused with the whole batch', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const at = (time: number) => ({metric: 'load', entity: service('a'), time, value: 1});
  for (const time of [253_402_300_740, -253_402_300_740]) {
    t.like(await t.throwsAsync(harness.write({metrics: [load], samples: [at(START), at(time)]})), {
      code: 'bad_request',
    });
    t.deepEqual(await harness.metrics.catalog(call), []);
  }
});

test('concurrent batches are applied in the order of the calls, large and small', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.write({metrics: [load]});
  const large = Array.from({length: 50_000}, (_, i) => ({
    metric: 'load',
    entity: service(`s${i % 10}`),
    time: START,
    value: 1,
  }));
  const small = (value: number) => [{metric: 'load', entity: service('s3'), time: START, value}];
  await Promise.all(
    [small(7), large, small(2), small(3), large.slice(0, 20_000), small(5)].map(samples => harness.write({samples})),
  );
  t.is(await minute(harness, 's3'), 5);
  t.is(await minute(harness, 's4'), 1);
  await harness.restart();
  t.is(await minute(harness, 's3'), 5);
});

test('a refused batch between two others does not let them overtake each other', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.write({metrics: [load]});
  const at = (value: number) => ({metric: 'load', entity: service('a'), time: START, value});
  const one = batchOf({samples: [at(1)]});
  const length = 1_500_000;
  const large = {
    ...one,
    samples: {
      series: one.samples.series,
      index: new Uint32Array(length),
      time: new Float64Array(length).fill(START),
      value: new Float64Array(length).fill(1),
    },
  };
  const results = await Promise.allSettled([
    harness.writer.write(large, call),
    harness.write({metrics: [{...load, scope: 'Endpoint'}]}),
    harness.write({samples: [at(9)]}),
  ]);
  t.deepEqual(
    results.map(({status}) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.is(await minute(harness, 'a'), 9);
});

test('the later of two samples of one minute stands, also when a series occurs as two objects', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const at = (value: number, second: number) => ({metric: 'load', entity: service('a'), time: START + second, value});
  await harness.write({metrics: [load], samples: [at(1, 0), at(2, 0), at(-0, 0)]});
  t.is(await minute(harness, 'a'), 0);
  await harness.restart();
  t.is(await minute(harness, 'a'), 0);
});

test('more than the queue holds is refused as overloaded, and what was taken is stored', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  await harness.write({metrics: [load]});
  const large = batchOf({samples: [{metric: 'load', entity: service('a'), time: START, value: 1}]});
  const length = 700_000;
  const batch = {
    ...large,
    samples: {
      series: large.samples.series,
      index: new Uint32Array(length),
      time: new Float64Array(length).fill(START),
      value: new Float64Array(length).fill(3),
    },
  };
  const results = await Promise.allSettled([1, 2, 3].map(() => harness.writer.write(batch, call)));
  t.deepEqual(
    results.map(result => (result.status === 'rejected' ? result.reason.code : 'stored')),
    ['stored', 'stored', 'overloaded'],
  );
  t.is(await minute(harness, 'a'), 3);
  await t.notThrowsAsync(harness.writer.write(large, call));
});

test('the arrays of a batch stay with the caller', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const batch = batchOf({metrics: [load], samples: [{metric: 'load', entity: service('a'), time: START, value: 1}]});
  await harness.writer.write(batch, call);
  t.deepEqual([...batch.samples.value, ...batch.samples.time, ...batch.samples.index], [1, START, 0]);
});
