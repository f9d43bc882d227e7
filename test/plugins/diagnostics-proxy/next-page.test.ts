import test from 'ava';
import {get} from '../../support/http.js';
import {connectAgent, gauge} from './support/fake-agent.js';
import {histogram, type Metrics, scraped} from './support/page.js';
import {openProxy} from './support/proxy.js';

test('a page after another has what has changed since: values, series, help, types and the labels of the node', async t => {
  const proxy = await openProxy(t);
  let metrics: Metrics = histogram('a', '/');
  const labels = {type: 'hot'};
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a', labels, metrics: () => metrics});
  const compare = async (): Promise<void> => {
    const fresh = await openProxy(t);
    await connectAgent(t, fresh.grpc, {pod: 'a', labels, metrics: () => metrics});
    const [page, expected] = await Promise.all([proxy, fresh].map(({url}) => get(`${url}/metrics`)));
    t.is(scraped(page?.text ?? ''), scraped(expected?.text ?? ''));
  };
  await compare();
  for (const change of [
    () => metrics.map((one, index) => ({...one, value: index % 2 === 0 ? 0 : index * 1.5})),
    () => metrics.map((one, index) => ({...one, value: index % 2 === 0 ? index : 0})),
    () => [...metrics, gauge('a', 'm', Number.NaN)],
    () => metrics.map(one => ({...one, description: 'Others.'})),
    () => metrics.map(one => ({...one, type: 'METRIC_TYPE_COUNTER' as const})),
    () => metrics.slice(1).reverse(),
    () => [...metrics, gauge('a', 'diagnostics_proxy_x', 1)],
    () => metrics.map(one => ({...one, value: 7})),
    () => [],
  ]) {
    metrics = change();
    await compare();
  }
  metrics = [gauge('a', 'm', 1)];
  await compare();
  agent.heartbeat({node_role: 'ROLE_META', labels: {type: 'cold'}});
  for (;;) {
    const {text} = await get(`${proxy.url}/metrics`);
    if (/^m\{.*node_type="cold"/m.test(text)) break;
    t.regex(text, /^m\{.*node_type="hot"/m);
  }
});

test('a family of thousands of series of one agent is whole and in order, also where another says some of the same', async t => {
  const proxy = await openProxy(t);
  const path = (i: number): string => String(i).padStart(4, '0');
  const said = (pod: string, from: number, to: number, value: number): Metrics =>
    Array.from({length: to - from}, (_, i) => ({
      ...gauge(pod, 'm', value),
      labels: {pod_name: 'a', path: path(from + i)},
    }));
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => said('a', 0, 2500, 1)});
  const lines = async (): Promise<readonly string[]> =>
    (await get(`${proxy.url}/metrics`)).text.split('\n').filter(line => line.startsWith('m{'));
  const expected = Array.from({length: 2500}, (_, i) => path(i));
  const pathsIn = (all: readonly string[]) => all.map(line => /path="(\d+)"/.exec(line)?.[1]);
  t.deepEqual(pathsIn(await lines()), expected);
  await connectAgent(t, proxy.grpc, {pod: 'b', metrics: () => said('b', 1000, 1100, 2)});
  const both = await lines();
  t.deepEqual(pathsIn(both).toSorted(), expected);
  t.true(
    both.every(line => line.endsWith(' 1')),
    'of a pod its own agent says the value',
  );
});
