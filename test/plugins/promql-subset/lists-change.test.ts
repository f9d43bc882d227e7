import test from 'ava';
import {M0, M2} from './scene.js';
import {withScene} from './support.js';

const scene = withScene(test);
const HOUR = 3600;

const instance = (name: string) => ({layer: 'LISTS', service: 's', serviceInstance: name});
const sighting = (name: string, time: number) => ({
  record: 'entity',
  scope: 'ServiceInstance',
  ...instance(name),
  time,
});
const metric = (name: string) => ({
  record: 'metric',
  name,
  scope: 'Service',
  kind: 'labeled',
  valueLabels: ['lists_q'],
});
const sample = (q: string) => ({
  record: 'sample',
  metric: 'lists_metric',
  layer: 'LISTS',
  service: 's',
  labels: {lists_q: q},
  time: M0,
  value: 1,
});

const match = {'match[]': "instance_traffic{layer='LISTS',service='s'}"};
const within = (start: number, end: number) => ({start: String(start), end: String(end)});
const namesIn = (list: unknown): unknown =>
  (list as readonly (string | {service_instance: string})[]).map(one =>
    typeof one === 'string' ? one : one.service_instance,
  );

/** What is asked, what is listed, what is written then, and what is listed by the same question after it. */
const CHANGES: readonly (readonly [
  path: string,
  parameters: Readonly<Record<string, string>>,
  before: readonly string[],
  record: object,
  after: readonly string[],
])[] = [
  ['label/layer/values', {'match[]': 'service_cpm', limit: '0'}, [], sighting('a', M0), ['LISTS']],
  ['series', {...match, ...within(M0, M2)}, ['a'], sighting('b', M0), ['a', 'b']],
  ['label/service_instance/values', {...match, ...within(M0, M2)}, ['a', 'b'], sighting('c', M0), ['a', 'b', 'c']],
  // Seen again in the same minute, in the same hour, in another one and earlier.
  ['series', {...match, ...within(M0 + 60, M2)}, [], sighting('a', M0 + 60), ['a']],
  ['series', {...match, ...within(M0 + 61, M2)}, ['a'], sighting('b', M0 + 119), ['a', 'b']],
  ['series', {...match, ...within(M0 + HOUR, M0 + HOUR)}, [], sighting('a', M0 + HOUR), ['a']],
  ['series', {...match, ...within(M0 - HOUR, M0 - 60)}, [], sighting('c', M0 - 60), ['c']],
  ['label/service_instance/values', {...match, end: String(M0 + 24 * HOUR)}, [], sighting('a', M0 + 24 * HOUR), ['a']],
  ['label/__name__/values', {'match[]': '{__name__=~"lists_.*"}'}, [], metric('lists_metric'), ['lists_metric']],
  ['label/lists_q/values', {'match[]': 'lists_metric', end: String(M2)}, [], sample('1'), ['1']],
  ['label/lists_q/values', {'match[]': 'lists_metric', end: String(M2)}, ['1'], sample('2'), ['1', '2']],
];

for (const [i, [path, parameters, before, record, after]] of CHANGES.entries()) {
  test.serial(`${i}: a list that was read shows what was written since: ${path}`, async t => {
    const ask = async () => {
      const names = namesIn(await scene.data(`/api/v1/${path}`, parameters)) as string[];
      return path.startsWith('label/layer') ? names.filter(name => name === 'LISTS') : names;
    };
    t.deepEqual(await ask(), before);
    t.deepEqual(await ask(), before, 'asked again');
    await scene.ingest(JSON.stringify(record));
    t.deepEqual(await ask(), after, 'after the write');
    t.deepEqual(await ask(), after, 'asked again after the write');
  });
}
