import {createServer} from 'node:net';
import test from 'ava';
import {channelMethods, type StreamMetricsRequest} from '../../../plugins/diagnostics/proto/contract.js';
import {get} from '../../support/http.js';
import {readFamilies} from '../../support/read-families.js';
import {connectAgent, FakeAgent, gauge, type Script} from './support/fake-agent.js';
import {openProxy, runProgram, sampleOf} from './support/proxy.js';

test('a pod filter asks, waits for and names only the pods that it lets through', async t => {
  const proxy = await openProxy(t);
  const silent = await connectAgent(t, proxy.grpc, {pod: 'silent', metrics: () => undefined});
  await connectAgent(t, proxy.grpc, {pod: 'good', metrics: () => [gauge('good', 'm', 1)]});
  for (const path of ['/metrics', '/metrics-windows', '/metrics-windows?start_time=2000-01-01T00:00:00Z']) {
    const answer = await get(`${proxy.url}${path}${path.includes('?') ? '&' : '?'}pod_name=good`);
    t.regex(answer.text, /"?good"/, path);
    t.is(answer.headers['x-diagnostics-missing'], undefined, path);
  }
  t.is(silent.commands.metrics, 0);
});

test('a pod that only the labels of another one name is found', async t => {
  const proxy = await openProxy(t);
  await connectAgent(t, proxy.grpc, {pod: 'agent-1', metrics: () => [gauge('elsewhere', 'm', 1)]});
  const {text} = await get(`${proxy.url}/metrics?pod_name=elsewhere`);
  t.is(sampleOf(text, 'm{node_role="ROLE_DATA",pod_name="elsewhere"}'), '1');
});

test('what recurs with every scrape is said once until it changes, then with its count', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '2s'});
  let isSilent = true;
  const metrics: Script['metrics'] = () => (isSilent ? undefined : [gauge('a', 'm', 1)]);
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics});
  const lines = (message: string) => proxy.lines.filter(line => line.message === message);
  for (let round = 0; round < 3; round++) await get(`${proxy.url}/metrics`);
  t.is(lines('agents gave nothing to a collection').length, 1);
  t.is(lines('an agent that gave nothing answers again').length, 0);
  isSilent = false;
  const {fields} = await (async () => {
    for (;;) {
      await get(`${proxy.url}/metrics`);
      const [line] = lines('an agent that gave nothing answers again');
      if (line !== undefined) return line;
    }
  })();
  t.is(fields.pod, 'a');
  t.true((fields.collections as number) >= 1);
  // A registration that is refused is tried again and again.
  for (const pod of ['x', 'x', 'y']) {
    const agent = new FakeAgent(proxy.grpc, {pod, role: ''});
    t.teardown(() => agent.die());
    await agent.register();
  }
  t.deepEqual(
    lines('a registration was refused').map(line => [line.fields.pod, line.fields.reason]),
    [
      ['x', 'node role cannot be empty'],
      ['y', 'node role cannot be empty'],
    ],
  );
});

test('an answer and a registration that are damaged cost a line each, with the reason and no stack', async t => {
  const proxy = await openProxy(t);
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  const damaged = {...channelMethods.StreamMetrics, requestSerialize: () => Buffer.from([0x0a, 0x05, 0x01])};
  agent.open('StreamMetrics', damaged, () => ({}));
  while (proxy.lines.every(({message}) => message !== 'an answer cannot be decoded')) await get(`${proxy.url}/metrics`);
  await get(`${proxy.url}/metrics`);
  const [line, ...others] = proxy.lines.filter(({message}) => message === 'an answer cannot be decoded');
  t.deepEqual(line?.fields, {
    kind: 'metrics',
    pod: 'a',
    reason: 'a field of the message is longer than the message',
  });
  t.deepEqual(others, []);
  const registration = {...channelMethods.RegisterAgent, requestSerialize: () => Buffer.from([0x0a, 0xff])};
  agent.open('RegisterAgent', registration, () => undefined).write({});
  const {fields} = await proxy.logged('a registration cannot be decoded');
  t.deepEqual(Object.keys(fields), ['peer', 'reason']);
});

test('series that belong to the proxy are left out when agents send them, counted and said once', async t => {
  const proxy = await openProxy(t);
  const names = [
    'diagnostics_proxy_agents',
    'diagnostics_proxy_anything',
    'diagnostics_agent_up',
    'diagnostics_agent_registered',
  ];
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => names.map(name => gauge('a', name, 7))});
  for (const path of ['/metrics', '/metrics-windows', '/metrics']) {
    const {text} = await get(`${proxy.url}${path}`);
    t.false(/diagnostics_proxy_anything/.test(text), path);
    t.true(/diagnostics_agent_registered/.test(text), path);
  }
  const page = (await get(`${proxy.url}/metrics`)).text;
  t.is(sampleOf(page, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="a"}'), '1');
  t.is(sampleOf(page, 'diagnostics_proxy_dropped_samples_total{reason="reserved_name"}'), '12');
  const said = proxy.lines.filter(({message}) => message.startsWith('series whose names belong to the proxy'));
  t.deepEqual(
    said.map(({fields}) => fields),
    [{pod: 'a', series: 'diagnostics_proxy_agents', count: 3}],
  );
});

test('a sample whose time is none is left out of windows and counted, whatever the window is', async t => {
  const proxy = await openProxy(t);
  const times: readonly (readonly [seconds: string, nanos: number])[] = [
    ['9223372036854775807', 0],
    ['-9223372036854775808', 0],
    ['253402300800', 0],
    ['-62135596801', 0],
    ['0', -1],
    ['0', 1_000_000_000],
    ['253402300799', 999_999_999],
    ['-62135596800', 0],
    ['-1', 0],
  ];
  const metrics: readonly Partial<StreamMetricsRequest['metrics'][number]>[] = times.map(([seconds, nanos], n) => ({
    ...(gauge('a', 'm', n) as object),
    timestamp: {seconds, nanos},
  }));
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => metrics});
  const window = await get(`${proxy.url}/metrics-windows?start_time=0001-01-01T00:00:00Z`);
  const [series] = window.json<readonly {data: readonly {timestamp: string}[]}[]>();
  t.deepEqual(
    series?.data.map(({timestamp}) => timestamp),
    ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59.999999999Z'],
  );
  const {text} = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(text, 'diagnostics_proxy_dropped_samples_total{reason="time"}'), '6');
});

test('series of windows are in order of their names, then of agents', async t => {
  const proxy = await openProxy(t);
  for (const pod of ['b', 'a']) {
    await connectAgent(t, proxy.grpc, {pod, metrics: () => ['n', 'm'].map(name => gauge(pod, name, 1))});
  }
  const all = (await get(`${proxy.url}/metrics-windows`)).json<readonly {name: string; pod_name: string}[]>();
  t.deepEqual(
    all.map(({name, pod_name}) => `${name} ${pod_name}`),
    ['m a', 'm b', 'n a', 'n b'],
  );
});

test('a family that one agent knows as a histogram takes the parts of agents that tell no types', async t => {
  const proxy = await openProxy(t);
  const part = (pod: string, name: string, type: 'METRIC_TYPE_HISTOGRAM' | 'METRIC_TYPE_UNSPECIFIED', labels = {}) => ({
    ...gauge(pod, name, 1, labels),
    type,
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => ['h_count', 'h_sum'].map(name => part('a', name, 'METRIC_TYPE_UNSPECIFIED')),
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'b',
    metrics: () => [
      part('b', 'h_bucket', 'METRIC_TYPE_HISTOGRAM', {le: '+Inf'}),
      part('b', 'h_sum', 'METRIC_TYPE_HISTOGRAM'),
    ],
  });
  const {families} = readFamilies((await get(`${proxy.url}/metrics`)).text);
  const [family, ...others] = families.filter(({name}) => name.startsWith('h'));
  t.deepEqual(others, []);
  t.is(family?.type, 'histogram');
  t.deepEqual(
    family?.samples.map(({name}) => name),
    ['h_sum', 'h_count', 'h_bucket', 'h_sum'],
  );
});

test('samples of a histogram without a bound that is a number are left out, counted and said once', async t => {
  const proxy = await openProxy(t);
  const part = (pod: string, type: string, name: string, labels = {}) =>
    ({...gauge(pod, name, 1, labels), type}) as never;
  const names = ['2', 'small', 'NaN', '1', '1e999', '+Inf'];
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    metrics: () => [
      ...names.map(le => part('a', 'METRIC_TYPE_HISTOGRAM', 'h_bucket', {le})),
      part('a', 'METRIC_TYPE_HISTOGRAM', 'h_bucket'),
      part('a', 'METRIC_TYPE_HISTOGRAM', 'h_count'),
      part('a', 'METRIC_TYPE_HISTOGRAM', 'h_sum', {le: 'small'}),
    ],
  });
  // A histogram only by what the other one says of it.
  await connectAgent(t, proxy.grpc, {
    pod: 'b',
    metrics: () => [
      part('b', 'METRIC_TYPE_UNSPECIFIED', 'h_bucket', {le: 'small'}),
      part('b', 'METRIC_TYPE_GAUGE', 'h', {le: 'small'}),
      part('b', 'METRIC_TYPE_UNSPECIFIED', 'other_bucket', {le: 'small'}),
    ],
  });
  await get(`${proxy.url}/metrics`);
  await get(`${proxy.url}/metrics`);
  const {text} = await get(`${proxy.url}/metrics`);
  t.deepEqual(
    text.split('\n').filter(line => /^(h|other)/.test(line)),
    [
      'h_bucket{le="1",node_role="ROLE_DATA",pod_name="a"} 1',
      'h_bucket{le="2",node_role="ROLE_DATA",pod_name="a"} 1',
      'h_bucket{le="+Inf",node_role="ROLE_DATA",pod_name="a"} 1',
      'h_count{node_role="ROLE_DATA",pod_name="a"} 1',
      'other_bucket{le="small",node_role="ROLE_DATA",pod_name="b"} 1',
    ],
  );
  // The page counts what was left out before it: of both agents from the answers, of the second from earlier pages.
  t.is(sampleOf(text, 'diagnostics_proxy_dropped_samples_total{reason="bucket_bound"}'), '19');
  const said = proxy.lines.filter(({message}) => message.startsWith('samples of histograms whose le'));
  t.deepEqual(
    said.map(({fields}) => [fields.pod, fields.series, fields.count]),
    [
      ['a', 'h_bucket', 5],
      ['b', 'h_bucket', 2],
    ],
  );
});

test.serial('an address that is taken is said in one line, which names the flag of the program', async t => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
  const {port} = server.address() as {port: number};
  const why = 'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one';
  for (const [flag, other] of [
    ['--grpc-listen-addr', '--http-listen-addr'],
    ['--http-listen-addr', '--grpc-listen-addr'],
  ] as const) {
    const run = runProgram(t, [other, '127.0.0.1:0', flag, `127.0.0.1:${port}`]);
    t.is(await run.exit, 1);
    t.deepEqual(
      run.stderr.filter(line => !line.startsWith('{')),
      [`${flag} cannot open 127.0.0.1:${port}: ${why}`],
    );
  }
});
