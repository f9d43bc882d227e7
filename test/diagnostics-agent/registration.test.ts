import {status} from '@grpc/grpc-js';
import test from 'ava';
import {REPLACED} from '../../plugins/diagnostics/proto/contract.js';
import {startAgent} from './support/agent.js';
import {DATA_HOT, FakeNode} from './support/fake-node.js';
import {FakeProxy} from './support/fake-proxy.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

const MISSING = [
  {flag: 'proxy-addr', reason: /^--proxy-addr is empty$/},
  {flag: 'pod-name', reason: /^--pod-name is empty$/},
  {flag: 'cluster-state-ports', reason: /^--cluster-state-ports is empty, so the role of the node stays unknown$/},
];

for (const {flag, reason} of MISSING) {
  test(`without --${flag} the agent scrapes and does not register`, async t => {
    const {agent, proxy, scraped, endpoint} = await startScene(t, {flags: {[flag]: ''}});
    const {missing} = (await agent.logged('the agent does not register with a proxy')) as unknown as {
      missing: string[];
    };
    t.is(missing.length, 1);
    t.regex(missing[0] ?? '', reason);
    await scraped();
    t.is(await agent.own(`diagnostics_scrape_up{port="${endpoint.port}",container_name=""}`), 1);
    t.is(proxy.registrations.length, 0);
  });
}

test('the agent registers when its node gives a role, and not before; nothing is recorded without it', async t => {
  const {node, proxy, agent} = await startScene(t);
  await proxy.registration();
  await agent.stop();
  node.state.node = {...DATA_HOT, roles: []};
  const polls = node.calls.GetCurrentNode;
  const second = await startAgent(t, {
    'pod-name': 'p',
    'proxy-addr': proxy.address,
    'cluster-state-ports': node.port,
    'cluster-state-poll-interval': '20ms',
  });
  await until(() => node.calls.GetCurrentNode >= polls + 3, 'three polls');
  t.is(proxy.registrations.length, 1);
  t.is(await second.own('diagnostics_recorder_samples'), 0);
  node.state.node = DATA_HOT;
  t.is((await proxy.registration(2)).pod_name, 'p');
});

const ROLES = [
  {roles: ['ROLE_META', 'ROLE_DATA'], role: 'ROLE_DATA'},
  {roles: ['ROLE_LIAISON', 'ROLE_DATA'], role: 'ROLE_LIAISON'},
  {roles: ['ROLE_META'], role: 'ROLE_META'},
] as const;

for (const {roles, role} of ROLES) {
  test(`a node that is ${roles.join(' and ')} registers as ${role}`, async t => {
    const node = await FakeNode.start(t, {node: {...DATA_HOT, roles}});
    const {proxy} = await startScene(t, {flags: {'cluster-state-ports': node.port}});
    t.is((await proxy.registration()).node_role, role);
  });
}

test('of several cluster state ports the first that gives a role decides', async t => {
  const silent = await FakeNode.start(t, {failing: {GetCurrentNode: status.UNAVAILABLE}});
  const [first, second] = await Promise.all([
    FakeNode.start(t, {node: {...DATA_HOT, roles: ['ROLE_LIAISON'], labels: {type: 'first'}}}),
    FakeNode.start(t, {node: DATA_HOT}),
  ]);
  const ports = [silent, first, second].map(({port}) => port).join(',');
  const {proxy, agent} = await startScene(t, {flags: {'cluster-state-ports': ports}});
  t.like(await proxy.registration(), {node_role: 'ROLE_LIAISON', labels: {type: 'first'}});
  t.is((await agent.logged('a node gave no cluster state')).port, silent.port);
  t.is(await agent.own(`diagnostics_cluster_state_up{port="${silent.port}"}`), 0);
  t.is(await agent.own(`diagnostics_cluster_state_up{port="${second.port}"}`), 1);
});

test('a role and labels that change go out with the next heartbeat; a role that is lost stays', async t => {
  const {proxy, node} = await startScene(t, {flags: {'heartbeat-interval': '20ms'}});
  await proxy.registration();
  node.state.node = {...DATA_HOT, roles: ['ROLE_LIAISON'], labels: {type: 'warm'}};
  const changed = await until(() => proxy.heartbeats.find(beat => beat.node_role === 'ROLE_LIAISON'), 'the new role');
  t.deepEqual(changed.labels, {type: 'warm'});
  node.state.node = {...DATA_HOT, roles: []};
  const polls = node.calls.GetCurrentNode;
  await until(() => node.calls.GetCurrentNode >= polls + 3, 'three polls');
  const beats = proxy.heartbeats.length;
  await until(() => proxy.heartbeats.length > beats, 'a heartbeat');
  t.is(proxy.heartbeats.at(-1)?.node_role, 'ROLE_LIAISON');
});

test('a refused registration is logged with the reason and tried again', async t => {
  const reply = (count: number) =>
    count < 3 ? {success: false, message: 'maximum number of agents (1) reached'} : {success: true, agent_id: 'a'};
  const {proxy, agent} = await startScene(t, {proxy: {reply}});
  await proxy.registration(3);
  await agent.logged('registered with the proxy');
  const refused = await agent.logged('the proxy refuses the agent, which tries again');
  t.is(refused.reason, 'the proxy refused the registration: maximum number of agents (1) reached');
  t.is(agent.log.filter(({msg, level}) => msg === refused.msg && level === 'warn').length, 1);
  t.is(await agent.own('diagnostics_agent_registrations_total'), 1);
  t.is(await agent.own('diagnostics_agent_connection_failures_total'), 2);
});

test('a registration without an agent id counts as refused', async t => {
  const {agent} = await startScene(t, {proxy: {reply: () => ({success: true})}});
  const line = await agent.logged('the proxy refuses the agent, which tries again');
  t.is(line.reason, 'the proxy refused the registration: it gave no agent id');
});

test('a registration that nobody answers is given up and made again', async t => {
  const reply = (count: number) => (count === 1 ? undefined : {success: true, agent_id: 'a'});
  const {proxy, agent} = await startScene(t, {proxy: {reply}});
  await proxy.registration(2);
  const line = await agent.logged('there is no connection to the proxy, it is tried again');
  t.is(line.reason, 'the proxy did not answer the registration in 10 s');
});

test('when the proxy restarts the agent comes back by itself and answers again', async t => {
  const {proxy, agent, scraped} = await startScene(t, {page: 'a 1\n'});
  await proxy.registration();
  proxy.kill();
  await agent.logged('there is no connection to the proxy, it is tried again');
  t.is(await agent.own('diagnostics_agent_registered'), 0);
  const again = await FakeProxy.start(t, {port: proxy.port});
  await again.registration();
  await scraped();
  t.deepEqual(
    (await again.metrics()).metrics.map(({name}) => name),
    ['a'],
  );
  t.is(await agent.own('diagnostics_agent_registered'), 1);
});

for (const name of ['StreamMetrics', 'StreamClusterTopology'] as const) {
  test(`when the proxy ends ${name} alone, the agent registers anew and answers under its new id`, async t => {
    const {proxy} = await startScene(t);
    await proxy.registration();
    (await proxy.stream(name)).call.end();
    await proxy.registration(2);
    await until(() => proxy.opened.some(({agentId}) => agentId === 'agent-2'), 'a stream of the second registration');
    await until(() => proxy.registered.size === 1, 'the end of the first registration');
    t.truthy((await proxy.metrics()).timestamp);
  });
}

test('a stream that the proxy does not offer is done without', async t => {
  const {proxy, agent} = await startScene(t, {proxy: {streams: ['StreamMetrics']}, flags: {'lifecycle-port': 1}});
  await until(() => agent.log.filter(({msg}) => msg === 'the proxy does not offer a stream').length === 2, 'two lines');
  t.truthy((await proxy.metrics()).timestamp);
  t.is(proxy.registrations.length, 1);
});

test('every stream carries the id of the registration', async t => {
  const {proxy} = await startScene(t, {
    flags: {'lifecycle-port': 1},
    proxy: {reply: () => ({success: true, agent_id: 'x-1'})},
  });
  await until(() => proxy.opened.length === 3, 'three streams');
  t.deepEqual(
    proxy.opened.map(({name, agentId}) => [name, agentId]),
    [
      ['StreamMetrics', 'x-1'],
      ['StreamClusterTopology', 'x-1'],
      ['StreamLifecycle', 'x-1'],
    ],
  );
});

test('at its end the agent ends its streams and closes its endpoint', async t => {
  const {proxy, agent} = await startScene(t);
  await proxy.registration();
  const {call} = await proxy.stream('StreamMetrics');
  const ended = new Promise(resolve => call.once('end', resolve));
  await agent.stop();
  await ended;
  await until(() => proxy.registered.size === 0, 'the end of the registration');
  await t.throwsAsync(agent.own('diagnostics_agent_registered'));
});

test('an agent that another one of its names replaces says so once, and waits longer each time', async t => {
  const {proxy, agent} = await startScene(t);
  const times: number[] = [];
  for (let count = 1; count <= 6; count++) {
    await proxy.registration(count);
    await until(() => proxy.opened.length >= 2 * count, 'the streams');
    times.push(performance.now());
    for (const call of proxy.registered) call.emit('error', {code: status.ABORTED, details: REPLACED});
  }
  const line = agent.log.find(({msg}) => msg.startsWith('another agent has registered with the same --pod-name'));
  t.like(line, {level: 'warn', reason: REPLACED, retryInterval: 100});
  const told = agent.log.filter(({component, level}) => component === 'proxy' && level !== 'debug');
  t.deepEqual(
    told.map(({msg}) => msg),
    ['registered with the proxy', line?.msg],
  );
  // The fifth wait is 32 times the interval of 50 ms, less a fifth.
  t.true((times[5] ?? 0) - (times[4] ?? 0) >= 0.75 * 32 * 50);
});
