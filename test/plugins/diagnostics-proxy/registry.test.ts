import {setTimeout as sleep} from 'node:timers/promises';
import {status} from '@grpc/grpc-js';
import test from 'ava';
import {channelMethods} from '../../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../../plugins/diagnostics/proto/timestamp.js';
import {get} from '../../support/http.js';
import {connectAgent, FakeAgent, gauge} from './support/fake-agent.js';
import {agentsOf, agentsUntil, openProxy, sampleOf} from './support/proxy.js';

/** The shortest time that agents can be asked to keep. */
const SHORT = {heartbeatInterval: '1s', agentHeartbeatTimeout: '1100ms'};

test('a registered agent is online, and is told its id and the heartbeat interval', async t => {
  const proxy = await openProxy(t, {heartbeatInterval: '7s'});
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a', labels: {type: 'hot'}, containers: ['data', 'side']});
  t.like(agent.answer, {
    success: true,
    message: 'Agent registered successfully',
    heartbeat_interval_seconds: '7',
  });
  t.regex(agent.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  const [row, ...others] = await agentsOf(proxy);
  t.deepEqual(others, []);
  t.deepEqual(row, {
    agent_id: agent.id,
    pod_name: 'a',
    node_role: 'ROLE_DATA',
    container_names: ['data', 'side'],
    labels: {type: 'hot'},
    status: 'online',
    last_heartbeat: row?.last_heartbeat ?? '',
  });
  t.regex(row?.last_heartbeat ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  t.deepEqual((await get(`${proxy.url}/health`)).json(), {status: 'healthy', agents_online: 1, agents_total: 1});
  t.deepEqual(agent.ended, {});
});

test('an agent without heartbeats goes offline, and is asked no more', async t => {
  const proxy = await openProxy(t, {...SHORT, agentCleanupTimeout: '1m'});
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', 1)]});
  const [offline] = await agentsUntil(proxy, ([one]) => one?.status === 'offline');
  t.is(offline?.pod_name, 'a');
  t.like((await get(`${proxy.url}/health`)).json(), {agents_online: 0, agents_total: 1});
  const page = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="a"}'), '0');
  t.is(page.headers['x-diagnostics-missing'], 'a');
  t.is(agent.commands.metrics, 0);
  t.is(sampleOf(page.text, 'diagnostics_proxy_agents{status="offline"}'), '1');
});

test('an agent that was offline too long is removed, and its next heartbeat is refused', async t => {
  const proxy = await openProxy(t, {...SHORT, agentCleanupTimeout: '1200ms'});
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  await agentsUntil(proxy, agents => agents.length === 0);
  agent.heartbeat();
  t.deepEqual(await agent.end('RegisterAgent'), {code: status.UNKNOWN, details: `agent ${agent.id} not found`});
});

test('a heartbeat brings an agent back and may change its role, with the labels of the new one', async t => {
  const proxy = await openProxy(t, {...SHORT, agentCleanupTimeout: '1m'});
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a', labels: {type: 'hot'}});
  await agentsUntil(proxy, ([one]) => one?.status === 'offline');
  agent.heartbeat({labels: {type: 'warm'}, node_role: 'ROLE_UNSPECIFIED', pod_name: 'other'});
  const [back] = await agentsUntil(proxy, ([one]) => one?.status === 'online');
  t.like(back, {pod_name: 'a', node_role: 'ROLE_DATA', labels: {type: 'hot'}});
  agent.heartbeat({labels: {type: 'warm'}, node_role: 'ROLE_LIAISON'});
  const [changed] = await agentsUntil(proxy, ([one]) => one?.node_role === 'ROLE_LIAISON');
  t.like(changed, {agent_id: agent.id, labels: {type: 'warm'}});
});

test('an agent that vanishes stays until its heartbeat is missed, and the page comes at once without it', async t => {
  const proxy = await openProxy(t);
  const lost = await connectAgent(t, proxy.grpc, {pod: 'lost'});
  await connectAgent(t, proxy.grpc, {pod: 'there', metrics: () => [gauge('there', 'm', 1)]});
  lost.die();
  let page = await get(`${proxy.url}/metrics`);
  while (sampleOf(page.text, 'diagnostics_agent_up{node_role="ROLE_DATA",pod_name="lost"}') !== '0') {
    page = await get(`${proxy.url}/metrics`);
  }
  t.is(sampleOf(page.text, 'm{node_role="ROLE_DATA",pod_name="there"}'), '1');
  t.deepEqual(
    (await agentsOf(proxy)).map(({pod_name, status: state}) => [pod_name, state]),
    [
      ['lost', 'online'],
      ['there', 'online'],
    ],
  );
  const again = await connectAgent(t, proxy.grpc, {pod: 'lost', metrics: () => [gauge('lost', 'm', 2)]});
  const [row] = await agentsOf(proxy);
  t.is(row?.agent_id, again.id);
  t.is(sampleOf((await get(`${proxy.url}/metrics`)).text, 'm{node_role="ROLE_DATA",pod_name="lost"}'), '2');
});

test('a newer registration of a pod and its containers is asked instead of the older one, whose streams stay open', async t => {
  const proxy = await openProxy(t);
  const first = await connectAgent(t, proxy.grpc, {pod: 'a', containers: ['x', 'y']});
  const other = await connectAgent(t, proxy.grpc, {pod: 'a', containers: ['z']});
  const second = await connectAgent(t, proxy.grpc, {pod: 'a', containers: ['y', 'x']});
  t.deepEqual(new Set((await agentsOf(proxy)).map(({agent_id}) => agent_id)), new Set([second.id, other.id]));
  const {text} = await get(`${proxy.url}/metrics`);
  t.deepEqual({...first.ended, ...second.ended, ...other.ended}, {});
  t.is(first.commands.metrics, 0);
  t.is(sampleOf(text, 'diagnostics_agent_up{container_name="y,x",node_role="ROLE_DATA",pod_name="a"}'), '1');
  t.is(sampleOf(text, 'diagnostics_agent_up{container_name="z",node_role="ROLE_DATA",pod_name="a"}'), '1');
});

test('another stream of an agent replaces the first, which is told, and labels keep their exact names', async t => {
  const proxy = await openProxy(t);
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  const metrics = [gauge('a', 'm', 2, {'x-y': '1', 'x.y': '2', x_y: '3'})];
  agent.open('StreamMetrics', channelMethods.StreamMetrics, () => ({metrics, timestamp: toTimestamp(Date.now())}));
  t.is((await agent.end('StreamMetrics')).code, status.ABORTED);
  const {text} = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(text, 'm{node_role="ROLE_DATA",pod_name="a",x_y="3"}'), '2');
});

test('a full registry refuses an unknown pod and takes a known one', async t => {
  const proxy = await openProxy(t, {maxAgents: 1});
  await connectAgent(t, proxy.grpc, {pod: 'a'});
  const refused = new FakeAgent(proxy.grpc, {pod: 'b'});
  t.teardown(() => refused.die());
  await refused.register();
  const text = 'maximum number of agents (1) reached';
  t.like(refused.answer, {success: false, message: text});
  t.deepEqual(await refused.end('RegisterAgent'), {code: status.UNKNOWN, details: text});
  const again = await connectAgent(t, proxy.grpc, {pod: 'a'});
  t.deepEqual(
    (await agentsOf(proxy)).map(({agent_id}) => agent_id),
    [again.id],
  );
  t.like((await proxy.logged('a registration was refused')).fields, {pod: 'b', reason: text});
  const page = await get(`${proxy.url}/metrics`);
  t.is(sampleOf(page.text, 'diagnostics_proxy_refused_registrations_total'), '1');
});

test('when the registry is full, whoever has left gives way, the one first that was heard of least recently', async t => {
  const proxy = await openProxy(t, {maxAgents: 3});
  await connectAgent(t, proxy.grpc, {pod: 'stays'});
  const flood: FakeAgent[] = [];
  for (const pod of ['first', 'second']) flood.push(await connectAgent(t, proxy.grpc, {pod}));
  for (const agent of flood) agent.die();
  let page = await get(`${proxy.url}/metrics`);
  while (page.headers['x-diagnostics-missing'] !== 'first, second') page = await get(`${proxy.url}/metrics`);
  const names = async () => (await agentsOf(proxy)).map(({pod_name}) => pod_name);
  await connectAgent(t, proxy.grpc, {pod: 'x'});
  t.deepEqual(await names(), ['second', 'stays', 'x']);
  await connectAgent(t, proxy.grpc, {pod: 'y'});
  t.deepEqual(await names(), ['stays', 'x', 'y']);
  const refused = new FakeAgent(proxy.grpc, {pod: 'z'});
  t.teardown(() => refused.die());
  await refused.register();
  t.is(refused.answer.message, 'maximum number of agents (3) reached');
  t.deepEqual(await names(), ['stays', 'x', 'y']);
});

for (const [script, message] of [
  [{pod: 'a', role: ''}, 'node role cannot be empty'],
  [{pod: ''}, 'pod name cannot be empty'],
] as const) {
  test(`a registration is refused because ${message}`, async t => {
    const proxy = await openProxy(t);
    const agent = new FakeAgent(proxy.grpc, script);
    t.teardown(() => agent.die());
    await agent.register();
    t.like(agent.answer, {success: false, message});
    t.deepEqual(await agent.end('RegisterAgent'), {code: status.UNKNOWN, details: message});
    t.deepEqual(await agentsOf(proxy), []);
  });
}

test('a stream needs the id of a registered agent, or an address that is the name of its pod', async t => {
  const proxy = await openProxy(t);
  const agent = new FakeAgent(proxy.grpc, {pod: '127.0.0.1'});
  t.teardown(() => agent.die());
  const {StreamMetrics, StreamCrashDiagnostics} = channelMethods;
  agent.open('StreamMetrics', StreamMetrics, () => undefined, false);
  const nobody = {code: status.UNAUTHENTICATED, details: 'agent ID not found in context or peer address'};
  t.deepEqual(await agent.end('StreamMetrics'), nobody);
  agent.id = 'x';
  agent.open('StreamCrashDiagnostics', StreamCrashDiagnostics, () => undefined);
  t.deepEqual(await agent.end('StreamCrashDiagnostics'), {code: status.UNKNOWN, details: 'agent x not found'});
  await agent.register();
  let asked = 0;
  agent.open(
    'StreamMetrics',
    StreamMetrics,
    () => {
      asked++;
      return {metrics: [gauge('127.0.0.1', 'm', 1)]};
    },
    false,
  );
  while (asked === 0) await get(`${proxy.url}/metrics`);
  t.pass();
});

test('when the proxy stops, it ends the streams with OK', async t => {
  const proxy = await openProxy(t);
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  while (agent.commands.metrics === 0) await get(`${proxy.url}/metrics`);
  const stopped = proxy.gateway.stop();
  t.deepEqual(await agent.end('StreamMetrics'), {code: status.OK, details: 'OK'});
  t.is((await agent.end('RegisterAgent')).code, status.OK);
  await t.notThrowsAsync(stopped);
});

test('agents find a proxy that has been started again', async t => {
  const first = await openProxy(t);
  const script = {pod: 'a', metrics: () => [gauge('a', 'm', 1)]};
  const before = await connectAgent(t, first.grpc, script);
  await first.gateway.stop();
  t.is((await before.end('RegisterAgent')).code, status.OK);
  const second = await openProxy(t, {grpcListenAddr: first.grpc});
  const after = await connectAgent(t, second.grpc, script);
  t.deepEqual(
    (await agentsOf(second)).map(({agent_id}) => agent_id),
    [after.id],
  );
  t.is(sampleOf((await get(`${second.url}/metrics`)).text, 'm{node_role="ROLE_DATA",pod_name="a"}'), '1');
});

test('agents that come, go and die leave nothing behind', async t => {
  const proxy = await openProxy(t, {...SHORT, agentCleanupTimeout: '1101ms'});
  for (let round = 0; round < 5; round++) {
    const agents = await Promise.all(
      Array.from({length: 10}, (_, n) => connectAgent(t, proxy.grpc, {pod: `p${n}`, metrics: () => []})),
    );
    await get(`${proxy.url}/metrics`);
    for (const [n, agent] of agents.entries()) n % 2 === 0 ? agent.close() : agent.die();
    await sleep(20);
  }
  await agentsUntil(proxy, agents => agents.length === 0);
  t.like((await get(`${proxy.url}/health`)).json(), {agents_online: 0, agents_total: 0});
});

const TAKEN = [
  [{heartbeatInterval: '30s'}, '30', ['heartbeatInterval', 'agentHeartbeatTimeout']],
  [{heartbeatInterval: '1500ms'}, '1', ['heartbeatInterval']],
  [{heartbeatInterval: 0}, '1', ['heartbeatInterval']],
] as const;

for (const [config, told, options] of TAKEN) {
  test(`an interval that agents cannot keep is taken, with a warning: ${JSON.stringify(config)}`, async t => {
    const proxy = await openProxy(t, config);
    const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
    t.is(agent.answer.heartbeat_interval_seconds, told);
    const warnings = proxy.lines.filter(({level}) => level === 'warn');
    t.is(warnings.length, 1);
    t.regex(warnings[0]?.message ?? '', /^the heartbeat interval is /);
    t.deepEqual(warnings[0]?.fields.options, options);
    t.is((await agentsOf(proxy))[0]?.status, 'online');
  });
}

const LONG = 'x'.repeat(1025);
const MOST = 'é'.repeat(512);

for (const [field, script] of [
  ['pod_name', {pod: LONG}],
  ['node_role', {pod: 'p', role: LONG}],
  ['container_names[1]', {pod: 'p', containers: ['a', LONG]}],
  ['a key of labels', {pod: 'p', labels: {[LONG]: 'a'}}],
  ['the value of labels["a"]', {pod: 'p', labels: {a: LONG}}],
] as const) {
  test(`a registration is refused when ${field} is too long`, async t => {
    const proxy = await openProxy(t);
    const agent = new FakeAgent(proxy.grpc, script);
    t.teardown(() => agent.die());
    await agent.register();
    const details = `${field} has 1025 bytes, at most 1024 are taken`;
    t.like(agent.answer, {success: false, message: details});
    t.deepEqual(await agent.end('RegisterAgent'), {code: status.INVALID_ARGUMENT, details});
    t.deepEqual(await agentsOf(proxy), []);
  });
}

test('names of the greatest length are taken, and a heartbeat with a longer one is refused', async t => {
  const proxy = await openProxy(t);
  const labels = {[MOST]: MOST};
  const agent = await connectAgent(t, proxy.grpc, {pod: MOST, role: MOST, containers: [MOST], labels});
  t.like((await agentsOf(proxy))[0], {pod_name: MOST, node_role: MOST, labels});
  agent.heartbeat({node_role: LONG});
  t.is((await agent.end('RegisterAgent')).code, status.INVALID_ARGUMENT);
  t.like((await agentsOf(proxy))[0], {node_role: MOST});
});
