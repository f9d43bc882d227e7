import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {parseFlags} from '../../core/cli/flags/parse.js';
import {FLAGS, optionsOf} from '../../diagnostics-agent/flags.js';
import {scratchFolder} from '../support/gateway.js';
import {get} from '../support/http.js';
import {startAgent} from './support/agent.js';
import {startEndpoint} from './support/fake-endpoint.js';
import {FakeNode} from './support/fake-node.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

const options = (...words: readonly string[]) => optionsOf(parseFlags(FLAGS, words));

test('every flag has its default', t => {
  t.deepEqual(options(), {
    scrape: {interval: 10_000, endpoints: [{port: 2121, containerName: ''}]},
    memoryPercentage: 10,
    listen: {host: '', port: 9090},
    podName: '',
    proxy: {address: 'localhost:17900', heartbeatInterval: 10_000, reconnectInterval: 5000},
    cluster: {ports: [], interval: 30_000},
    lifecycle: {port: 18_912, reportFolder: '/tmp/lifecycle-reports', timeToLive: 600_000},
  });
  t.is(Object.keys(FLAGS).length, 19);
});

const REFUSED: readonly (readonly [words: readonly string[], message: string])[] = [
  [['--poll-metrics-interval=0'], 'poll-metrics-interval must be greater than 0, got 0s'],
  [['--lifecycle-cache-ttl=-1s'], 'lifecycle-cache-ttl must be 0 or greater, got -1s'],
  [['--heartbeat-interval=-1s'], 'heartbeat-interval must be greater than 0, got -1s'],
  [['--reconnect-interval=0s'], 'reconnect-interval must be greater than 0, got 0s'],
  [['--cluster-state-poll-interval=0s'], 'cluster-state-poll-interval must be greater than 0, got 0s'],
  [['--reconnect-interval=1000h'], 'reconnect-interval must be at most 596h31m23.647s, got 1000h0m0s'],
  [['--proxy-addr=proxy'], 'proxy-addr must be host:port, got "proxy"'],
  [['--proxy-addr=http://proxy:17912'], 'proxy-addr must be host:port, got "http://proxy:17912"'],
  [['--poll-metrics-ports='], 'poll-metrics-ports cannot be empty'],
  [['--poll-metrics-ports=http'], 'poll-metrics-ports must be ports from 1 to 65535, got "http"'],
  [['--poll-metrics-ports=1,1'], 'poll-metrics-ports names the port 1 twice'],
  [['--cluster-state-ports=65536'], 'cluster-state-ports must be ports from 1 to 65535, got "65536"'],
  [
    ['--max-metrics-memory-usage-percentage=101'],
    'max-metrics-memory-usage-percentage must be between 0 and 100, got 101',
  ],
  [['--lifecycle-port=-1'], 'lifecycle-port must be between 0 and 65535, got -1'],
  [['--prometheus-listen-addr='], 'prometheus-listen-addr must be host:port, got ""'],
  [['--container-names=a,b'], 'container-names count (2) must match poll-metrics-ports count (1)'],
  [
    ['--poll-metrics-ports=1,2', '--container-names=a', '--lifecycle-port=70000'],
    'container-names count (1) must match poll-metrics-ports count (2)\nlifecycle-port must be between 0 and 65535, got 70000',
  ],
];

for (const [words, message] of REFUSED) {
  test(`${words.join(' ')} is refused`, t => {
    t.throws(() => options(...words), {name: 'ConfigError', message});
  });
}

test('a listen address may name a host, an IPv6 one in brackets', t => {
  t.deepEqual(options('--prometheus-listen-addr=localhost:1').listen, {host: 'localhost', port: 1});
  t.deepEqual(options('--prometheus-listen-addr=[::1]:0').listen, {host: '::1', port: 0});
});

test('a proxy address without a host is on this machine, and other targets of gRPC stay as they are', t => {
  const address = (value: string) => options(`--proxy-addr=${value}`).proxy.address;
  t.is(address(':17912'), 'localhost:17912');
  t.is(address('[::1]:17912'), '[::1]:17912');
  t.is(address('unix:/run/proxy'), 'unix:/run/proxy');
  t.is(address(''), '');
});

test('--poll-metrics-ports and --poll-metrics-interval say what is scraped and how often', async t => {
  const [first, second] = await Promise.all([startEndpoint(t), startEndpoint(t)]);
  const rare = await startEndpoint(t);
  await startAgent(t, {'poll-metrics-ports': rare.port, 'poll-metrics-interval': '1h'});
  await until(() => rare.requests.length === 1, 'the first scrape');
  await startAgent(t, {'poll-metrics-ports': `${first.port},${second.port}`, 'poll-metrics-interval': '20ms'});
  await until(() => first.requests.length >= 5 && second.requests.length >= 5, 'five scrapes of both');
  t.is(rare.requests.length, 1);
  const ports = options('--poll-metrics-ports=1', '--poll-metrics-ports=2,3').scrape.endpoints.map(({port}) => port);
  t.deepEqual(ports, [1, 2, 3]);
});

test('--max-metrics-memory-usage-percentage says how much of the memory limit is recorded into', async t => {
  const budget = async (percentage: number) => {
    const agent = await startAgent(t, {'max-metrics-memory-usage-percentage': percentage});
    return agent.own('diagnostics_recorder_budget_bytes');
  };
  const whole = (await budget(100)) ?? 0;
  t.true(whole > 0);
  t.is(await budget(25), Math.floor(whole / 4));
  t.is(await budget(0), 0);
});

test("--prometheus-listen-addr says where the agent's own metrics are, and nothing else is there", async t => {
  const {url} = await startAgent(t, {'prometheus-listen-addr': 'localhost:0'});
  t.regex(url, /^http:\/\/localhost:\d+$/);
  const page = await get(`${url}/metrics`);
  t.is(page.status, 200);
  t.is(page.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  t.is((await get(url)).status, 404);
});

test('--proxy-addr, --pod-name and --container-names say where and as what the agent registers', async t => {
  const {proxy, scraped} = await startScene(t, {flags: {'pod-name': 'pod-7', 'container-names': 'data'}});
  const registration = await proxy.registration();
  t.deepEqual(registration, {
    node_role: 'ROLE_DATA',
    labels: {type: 'hot'},
    pod_name: 'pod-7',
    container_names: ['data'],
  });
  await scraped();
  const [metric] = (await proxy.metrics()).metrics;
  t.like(metric?.labels, {node_role: 'ROLE_DATA', pod_name: 'pod-7', container_name: 'data', node_type: 'hot'});
});

test('--heartbeat-interval says how often a heartbeat goes out', async t => {
  const rare = await startScene(t, {flags: {'heartbeat-interval': '1h'}});
  await rare.proxy.registration();
  const {proxy} = await startScene(t, {flags: {'heartbeat-interval': '20ms'}});
  const registration = await proxy.registration();
  await until(() => proxy.heartbeats.length >= 5, 'five heartbeats');
  t.deepEqual(proxy.heartbeats[0], registration);
  t.deepEqual(rare.proxy.heartbeats, []);
});

test('the proxy overrides --heartbeat-interval when the agent registers', async t => {
  const reply = () => ({success: true, agent_id: 'a', heartbeat_interval_seconds: '1'});
  const {proxy, agent} = await startScene(t, {flags: {'heartbeat-interval': '1h'}, proxy: {reply}});
  await until(() => proxy.heartbeats.length >= 1, 'a heartbeat');
  t.is((await agent.logged('registered with the proxy')).heartbeatInterval, 1000);
});

test('--reconnect-interval says when a lost proxy is tried again', async t => {
  const slow = await startScene(t, {flags: {'reconnect-interval': '1h'}});
  const quick = await startScene(t, {flags: {'reconnect-interval': '20ms'}});
  await Promise.all([slow.proxy.registration(), quick.proxy.registration()]);
  for (const {proxy} of [slow, quick]) for (const call of proxy.registered) call.end();
  await quick.proxy.registration(2);
  await slow.agent.logged('there is no connection to the proxy, it is tried again');
  t.is(slow.proxy.registrations.length, 1);
});

test('--cluster-state-ports and --cluster-state-poll-interval say which nodes are asked and how often', async t => {
  const rare = await startScene(t, {flags: {'cluster-state-poll-interval': '1h'}});
  await rare.proxy.registration();
  const {node, proxy} = await startScene(t, {flags: {'cluster-state-poll-interval': '20ms'}});
  await until(() => node.calls.GetCurrentNode >= 5 && node.calls.GetClusterState >= 5, 'five polls');
  t.is(rare.node.calls.GetCurrentNode, 1);
  t.is((await proxy.topology()).topology?.nodes[0]?.grpc_address, 'data-hot-0:17912');
});

test('--lifecycle-port says where groups are asked for, and 0 opens no lifecycle stream', async t => {
  const off = await startScene(t, {flags: {'lifecycle-port': 0}});
  await off.proxy.stream('StreamClusterTopology');
  const {node} = off;
  node.state.groups = [{name: 'g'}];
  const on = await startScene(t, {flags: {'lifecycle-port': node.port}});
  const {lifecycle_data, pod_name} = await on.proxy.lifecycle();
  t.deepEqual(
    lifecycle_data?.groups.map(({name}) => name),
    ['g'],
  );
  t.is(pod_name, 'data-hot-0');
  t.deepEqual(
    off.proxy.opened.map(({name}) => name),
    ['StreamMetrics', 'StreamClusterTopology'],
  );
});

test('--lifecycle-report-dir says where reports are, and --lifecycle-cache-ttl how long an answer is kept', async t => {
  const folder = join(await scratchFolder(t), 'reports');
  await mkdir(folder);
  const report = (name: string) => writeFile(join(folder, name), `{"name":"${name}"}`);
  await report('1.json');
  const node = await FakeNode.start(t);
  const flags = {'lifecycle-report-dir': folder, 'lifecycle-port': node.port};
  const fresh = await startScene(t, {flags: {...flags, 'lifecycle-cache-ttl': 0}});
  const cached = await startScene(t, {flags: {...flags, 'lifecycle-cache-ttl': '1h'}});
  const names = async ({proxy}: typeof fresh) =>
    (await proxy.lifecycle()).lifecycle_data?.reports.map(({filename}) => filename);
  t.deepEqual(await names(fresh), ['1.json']);
  t.deepEqual(await names(cached), ['1.json']);
  await report('2.json');
  t.deepEqual(await names(fresh), ['2.json', '1.json']);
  t.deepEqual(await names(cached), ['1.json']);
});
