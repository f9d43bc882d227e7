import {setTimeout as sleep} from 'node:timers/promises';
import {status} from '@grpc/grpc-js';
import test from 'ava';
import {channelMethods} from '../../../plugins/diagnostics/proto/contract.js';
import {ask, get} from '../../support/http.js';
import {readFamilies} from '../../support/read-families.js';
import {connectAgent, gauge} from './support/fake-agent.js';
import {histogram, scraped} from './support/page.js';
import {agentsOf, openProxy, sampleOf} from './support/proxy.js';

test('the page has one head for each family, its series in order, and escapes what needs it', async t => {
  const proxy = await openProxy(t);
  await connectAgent(t, proxy.grpc, {
    pod: 'b',
    labels: {type: 'hot', pod_name: 'x', 'data.tier': '1'},
    metrics: () => [
      ...histogram('b', '/'),
      {...gauge('b', 'up', 1), description: ''},
      {name: 'conflict', value: 2, labels: {pod_name: 'b'}, description: 'Of b.', type: 'METRIC_TYPE_COUNTER'},
    ],
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => [
      ...histogram('a', '/"\\\n'),
      gauge('a', 'up', Number.NaN),
      gauge('a', 'up', 1e21),
      {name: 'conflict', value: 1, labels: {pod_name: 'a'}, description: 'Of a.', type: 'METRIC_TYPE_GAUGE'},
      {name: 'odd.name', value: Number.POSITIVE_INFINITY, labels: {'l-l': 'v', e: ''}, description: 'two\nlines \\'},
    ],
  });
  const {headers, text} = await get(`${proxy.url}/metrics`);
  t.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const a = 'path="/\\"\\\\\\n",pod_name="a"';
  const b = 'node_data_tier="1",node_type="hot",path="/",pod_name="b"';
  t.is(
    scraped(text),
    `# HELP conflict Of a.
# TYPE conflict gauge
conflict{pod_name="a"} 1
conflict{node_data_tier="1",node_type="hot",pod_name="b"} 2
# HELP h Durations.
# TYPE h histogram
h_bucket{le="2.5",${a}} 3
h_bucket{le="10",${a}} 10
h_bucket{le="+Inf",${a}} 12
h_sum{${a}} 40.5
h_count{${a}} 12
h_bucket{le="2.5",${b}} 3
h_bucket{le="10",${b}} 10
h_bucket{le="+Inf",${b}} 12
h_sum{${b}} 40.5
h_count{${b}} 12
# HELP odd_name two\\nlines \\\\
# TYPE odd_name untyped
odd_name{l_l="v"} +Inf
# HELP up The up.
# TYPE up gauge
up{node_role="ROLE_DATA",pod_name="a"} 1e+21
up{node_data_tier="1",node_role="ROLE_DATA",node_type="hot",pod_name="b"} 1
`.replaceAll(/h_bucket\{le="([^"]*)",(.*?)path=/g, 'h_bucket{le="$1",$2path='),
  );
});

test('agents that tell no types: buckets make a histogram, a count alone makes none', async t => {
  const proxy = await openProxy(t);
  const untyped = (name: string, labels = {}) => ({name, value: 1, labels, description: ''});
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => [untyped('h_bucket', {le: '+Inf'}), untyped('h_sum'), untyped('h_count'), untyped('old_count')],
  });
  const {families} = readFamilies((await get(`${proxy.url}/metrics`)).text);
  const types = families.filter(({name}) => /^(h|old)/.test(name)).map(({name, type}) => [name, type]);
  t.deepEqual(types, [
    ['h', 'histogram'],
    ['old_count', 'untyped'],
  ]);
});

test('of a series that two agents have, the newer one stands', async t => {
  const proxy = await openProxy(t);
  const series = {name: 'm', labels: {pod_name: 'p'}, description: '', type: 'METRIC_TYPE_GAUGE'} as const;
  await connectAgent(t, proxy.grpc, {
    pod: 'p',
    containers: ['a'],
    metrics: async () => {
      await sleep(50);
      return [{...series, value: 2}];
    },
  });
  await connectAgent(t, proxy.grpc, {pod: 'p', containers: ['b'], metrics: () => [{...series, value: 1}]});
  t.is(sampleOf((await get(`${proxy.url}/metrics`)).text, 'm{pod_name="p"}'), '2');
});

test('role and pod_name compare the labels of the series, and a repeated one takes any of its values', async t => {
  const proxy = await openProxy(t);
  for (const pod of ['a', 'b', 'c']) {
    const role = pod === 'c' ? 'ROLE_META' : 'ROLE_DATA';
    const bare = {name: 'bare', value: 1, labels: {}, description: ''};
    await connectAgent(t, proxy.grpc, {
      pod,
      role: 'liaison',
      metrics: () => [gauge(pod, 'm', 1, {node_role: role}), bare],
    });
  }
  const rows: readonly (readonly [query: string, ...series: string[]])[] = [
    ['pod_name=a', 'diagnostics_agent_up{node_role="liaison",pod_name="a"}', 'm{node_role="ROLE_DATA",pod_name="a"}'],
    ['pod_name=A'],
    ['role=ROLE_META', 'm{node_role="ROLE_META",pod_name="c"}'],
    ['role=ROLE_DATA&pod_name=c'],
    ['role=ROLE_DATA&pod_name=c&pod_name=b', 'm{node_role="ROLE_DATA",pod_name="b"}'],
    [
      'role=ROLE_META&role=ROLE_DATA&pod_name=&x=1',
      ...['ROLE_DATA",pod_name="a', 'ROLE_DATA",pod_name="b', 'ROLE_META",pod_name="c'].map(
        text => `m{node_role="${text}"}`,
      ),
    ],
  ];
  for (const [query, ...series] of rows) {
    const {text} = await get(`${proxy.url}/metrics?${query}`);
    const found = text
      .split('\n')
      .flatMap(line => (line === '' || line.startsWith('#') ? [] : [line.slice(0, line.lastIndexOf(' '))]));
    t.deepEqual(found, series, query);
  }
  const all = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(all.text, 'bare'), '1');
  t.is(sampleOf(all.text, 'diagnostics_proxy_agents{status="online"}'), '3');
});

test('a silent agent does not keep the page of the others, which arrives within the write timeout', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '5s'});
  await connectAgent(t, proxy.grpc, {pod: 'silent', metrics: () => undefined});
  await connectAgent(t, proxy.grpc, {pod: 'good', metrics: () => [gauge('good', 'm', 1)]});
  for (let round = 0; round < 2; round++) {
    const page = await get(`${proxy.url}/metrics`);
    t.is(page.status, 200);
    t.is(page.headers['x-diagnostics-missing'], 'silent');
    t.is(sampleOf(page.text, 'm{node_role="ROLE_DATA",pod_name="good"}'), '1');
    t.is(sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="silent"}'), '0');
    t.is(sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="good"}'), '1');
  }
  t.deepEqual((await proxy.logged('agents gave nothing to a collection')).fields.pods, ['silent']);
});

test('an answer that comes too late is not taken for the next one', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '5s'});
  let asked = 0;
  let release = (): void => undefined;
  const second = new Promise<void>(resolve => {
    release = resolve;
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: async () => {
      const value = ++asked;
      if (value === 1) await second;
      release();
      // The answers keep the order of their commands.
      if (value === 2) await new Promise(setImmediate);
      return [gauge('a', 'm', value)];
    },
  });
  const series = 'm{node_role="ROLE_DATA",pod_name="a"}';
  t.is(sampleOf((await get(`${proxy.url}/metrics`)).text, series), undefined);
  t.is(sampleOf((await get(`${proxy.url}/metrics`)).text, series), '2');
});

test('an agent that leaves a command out is heard again, and not one answer behind for ever', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '5s'});
  let asked = 0;
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => (++asked === 1 ? undefined : [gauge('a', 'm', asked)])});
  const series = 'm{node_role="ROLE_DATA",pod_name="a"}';
  const found: unknown[] = [];
  for (let round = 0; round < 4; round++) found.push(sampleOf((await get(`${proxy.url}/metrics`)).text, series));
  t.deepEqual(found, [undefined, '2', '3', '4']);
});

test('equal requests at the same time are one collection, different ones follow one another', async t => {
  const proxy = await openProxy(t);
  let running = 0;
  let most = 0;
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: async ({start_time}) => {
      most = Math.max(most, ++running);
      // Long enough for the other requests to have come, on a busy machine too.
      await sleep(1000);
      running--;
      return [gauge('a', start_time === null ? 'latest' : 'window', 1)];
    },
  });
  const [page, other, windows] = await Promise.all([
    get(`${proxy.url}/metrics`),
    get(`${proxy.url}/metrics?pod_name=a`),
    get(`${proxy.url}/metrics-windows?start_time=2000-01-01T00:00:00Z`),
    get(`${proxy.url}/metrics`),
  ]);
  t.is(agent.commands.metrics, 2);
  t.is(most, 1);
  t.is(sampleOf(page.text, 'latest{node_role="ROLE_DATA",pod_name="a"}'), '1');
  t.is(sampleOf(other.text, 'latest{node_role="ROLE_DATA",pod_name="a"}'), '1');
  t.regex(windows.text, /"name":"window"/);
});

test('a message over the limit is dropped with a clear log, its stream alone ends, and no entry is added', async t => {
  const proxy = await openProxy(t, {grpcMaxMsgSize: 10000});
  let size = 20_000;
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'big',
    containers: ['data'],
    metrics: () => [gauge('big', 'm', 1, {x: 'x'.repeat(size)})],
  });
  const page = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="big"}'), '0');
  const {code, details} = await agent.end('StreamMetrics');
  t.is(code, status.RESOURCE_EXHAUSTED);
  t.regex(details, /^grpc: received message larger than max \(20\d\d\d vs\. 10000\)$/);
  const {fields} = await proxy.logged(
    'a message is larger than the limit and is dropped; raise the limit, or scrape less',
  );
  const sender = {pod: 'big', container_names: ['data'], stream: 'StreamMetrics'};
  t.like(fields, {...sender, options: ['grpcMaxMsgSize'], limit: 10_000});
  t.true((fields.bytes as number) > 20_000);
  t.deepEqual(Object.keys(agent.ended), ['StreamMetrics']);
  size = 10;
  agent.open('StreamMetrics', channelMethods.StreamMetrics, () => ({metrics: [gauge('big', 'm', 2)]}));
  await get(`${proxy.url}/metrics-windows?start_time=2026-01-01T00:00:00Z`);
  const again = 'messages that were too large fit again';
  t.true(proxy.lines.every(({message}) => message !== again));
  let next = await get(`${proxy.url}/metrics`);
  while (sampleOf(next.text, 'm{node_role="ROLE_DATA",pod_name="big"}') !== '2')
    next = await get(`${proxy.url}/metrics`);
  t.is((await agentsOf(proxy)).length, 1);
  t.is(sampleOf(next.text, 'diagnostics_proxy_oversized_messages_total'), '1');
  t.like((await proxy.logged(again)).fields, {kind: 'latest', messages: 1});
});

test('the default limit is 4 MiB: just below passes, just above does not', async t => {
  const proxy = await openProxy(t);
  let size = 4_194_304 - 200;
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => [gauge('a', 'm', 1, {x: 'x'.repeat(size)})],
  });
  t.true((await get(`${proxy.url}/metrics`)).text.length > 4_000_000);
  size = 4_194_304;
  t.true((await get(`${proxy.url}/metrics`)).text.length < 10_000);
  t.is((await agent.end('StreamMetrics')).code, status.RESOURCE_EXHAUSTED);
});

test('an answer that is no message counts as none, and the agent stays', async t => {
  const proxy = await openProxy(t);
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  const {StreamMetrics} = channelMethods;
  const broken = {...StreamMetrics, requestSerialize: () => Buffer.from([0x0a, 0x05, 0x01])};
  agent.open('StreamMetrics', broken, () => ({}));
  let page = await get(`${proxy.url}/metrics`);
  while (sampleOf(page.text, 'diagnostics_proxy_malformed_answers_total') === '0')
    page = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="a"}'), '0');
  // Only the stream that was replaced above has ended.
  t.like(agent.ended, {StreamMetrics: {code: status.ABORTED}});
  t.deepEqual(Object.keys(agent.ended), ['StreamMetrics']);
});

test('HEAD is answered like GET without a body; other methods and paths are refused as JSON', async t => {
  const proxy = await openProxy(t);
  for (const path of [
    '/metrics',
    '/metrics-windows',
    '/cluster/topology',
    '/cluster/lifecycle',
    '/health',
    '/agents',
  ]) {
    t.like(await ask(proxy.url + path, {method: 'HEAD'}), {status: 200, text: ''}, path);
    const refused = await ask(proxy.url + path, {method: 'POST'});
    t.is(refused.status, 405, path);
    t.is(refused.headers.allow, 'GET, HEAD');
    t.deepEqual(Object.keys(refused.json()), ['error']);
  }
  const unknown = await get(`${proxy.url}/metric`);
  t.is(unknown.status, 404);
  t.deepEqual(unknown.json(), {error: 'no such path: /metric'});
});
