import {setTimeout as sleep} from 'node:timers/promises';
import {status} from '@grpc/grpc-js';
import test from 'ava';
import {channelMethods} from '../../../plugins/diagnostics/proto/contract.js';
import {get} from '../../support/http.js';
import {connectAgent, FakeAgent, gauge} from './support/fake-agent.js';
import {GoAgent} from './support/go-agent.js';
import {agentsOf, openProxy, type RunningProxy, sampleOf} from './support/proxy.js';

const CONTESTED = /^agents with the same --pod-name and --container-names are connected at the same time/;
const SERIES = 'm{node_role="ROLE_DATA",pod_name="a"}';

/** Stand-ins for agents of one pod, each with a value of its own, when all are registered. */
async function startAgents(t: Parameters<typeof openProxy>[0], proxy: RunningProxy, count: number) {
  const agents: GoAgent[] = [];
  for (let n = 1; n <= count; n++) {
    agents.push(GoAgent.start(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', n)]}));
    while ((await registrations(proxy)) < n) await sleep(10);
  }
  return agents;
}

async function registrations({url}: RunningProxy): Promise<number> {
  const {text} = await get(`${url}/metrics`);
  return Number(sampleOf(text, 'diagnostics_proxy_registrations_total'));
}

async function shownBy({url}: RunningProxy): Promise<string | undefined> {
  return sampleOf((await get(`${url}/metrics`)).text, SERIES);
}

const total = (agents: readonly GoAgent[], what: 'registrations' | 'heartbeats'): number =>
  agents.reduce((sum, agent) => sum + agent[what], 0);

for (const count of [2, 10]) {
  test(`${count} agents of one pod that begin anew whenever a stream ends leave each other and the log in peace`, async t => {
    const proxy = await openProxy(t, {heartbeatInterval: '1s'});
    const agents = await startAgents(t, proxy, count);
    const asked = agents.map(({commands}) => commands);
    let pages = 0;
    while (agents.some(({heartbeats}) => heartbeats < 4)) {
      t.is(await shownBy(proxy), String(count));
      pages++;
      await sleep(50);
    }
    t.is(total(agents, 'registrations'), count);
    t.deepEqual(
      agents.map(({commands}, n) => commands - (asked[n] ?? 0)),
      agents.map((_, n) => (n === count - 1 ? pages : 0)),
    );
    t.is((await agentsOf(proxy)).length, 1);
    t.is(proxy.lines.filter(({level, message}) => level === 'warn' && CONTESTED.test(message)).length, 1);
    // Who came first, who took the place, and that; each thing once a minute, of which the test may see two begin. A page that
    // is asked for between a registration and the stream for metrics adds that the agent gave nothing, and that it answers.
    t.true(
      proxy.lines.filter(({level, component}) => level !== 'debug' && component !== 'gateway').length <= 6,
      JSON.stringify(proxy.lines),
    );
  });
}

test('when the newest of several agents of one pod leaves, the one before it is asked again, without registering', async t => {
  const proxy = await openProxy(t);
  const agents = await startAgents(t, proxy, 3);
  t.is(await shownBy(proxy), '3');
  await agents[2]?.stop();
  while ((await shownBy(proxy)) !== '2') await sleep(10);
  await agents[0]?.stop();
  t.is(await shownBy(proxy), '2');
  await agents[1]?.stop();
  while ((await shownBy(proxy)) !== undefined) await sleep(10);
  t.is(total(agents, 'registrations'), 3);
  t.is((await agentsOf(proxy)).length, 1);
});

test('an agent that crashes and starts again all the time costs neither the other one of its names nor the log', async t => {
  const proxy = await openProxy(t);
  const [steady] = await startAgents(t, proxy, 1);
  for (let n = 1; n <= 40; n++) {
    const crashing = new FakeAgent(proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', 0)]});
    await crashing.connect();
    crashing.die();
    while ((await shownBy(proxy)) !== '1') await sleep(1);
  }
  t.is(steady?.registrations, 1);
  t.is((await agentsOf(proxy)).length, 1);
  const said = proxy.lines.filter(({level}) => level !== 'debug');
  // Each thing once a minute, and the test may see two of them begin.
  t.true(said.length <= 6, JSON.stringify(said));
});

test('a pod that is started again under the same name is asked at once, whether or not the old one has gone', async t => {
  const proxy = await openProxy(t);
  for (const [n, leave] of (['close', 'die', undefined] as const).entries()) {
    const old = await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', n)]});
    t.is(await shownBy(proxy), String(n));
    if (leave !== undefined) old[leave]();
    await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', n + 0.5)]});
    t.is(await shownBy(proxy), String(n + 0.5));
  }
});

test('so many agents of one pod are taken, and more are refused, who wait before they come again', async t => {
  const proxy = await openProxy(t);
  const agents = await startAgents(t, proxy, 32);
  const more = GoAgent.start(t, proxy.grpc, {pod: 'a', metrics: () => [], reconnectInterval: 200});
  while (more.refusals < 2) await sleep(10);
  t.is(await shownBy(proxy), '32');
  const {fields} = await proxy.logged('a registration was refused');
  t.is(fields.reason, '32 agents of this pod and its containers are connected; each needs names of its own');
  await agents[0]?.stop();
  while ((await shownBy(proxy)) !== undefined) await sleep(10);
  t.is(total(agents, 'registrations'), 32);
});

test('an agent of the same names that hangs gives its place back when it goes offline', async t => {
  const proxy = await openProxy(t, {heartbeatInterval: '1s', agentHeartbeatTimeout: '2s', agentCleanupTimeout: '3s'});
  const [steady] = await startAgents(t, proxy, 1);
  const hanging = await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', 0)]});
  t.is(await shownBy(proxy), '0');
  while ((await shownBy(proxy)) !== '1') await sleep(20);
  // It is given up when it has been offline for the cleanup timeout.
  t.is((await hanging.end('StreamMetrics')).details, 'replaced by a newer registration of this pod');
  t.is(await shownBy(proxy), '1');
  t.is(steady?.registrations, 1);
});

test('an agent whose answers are too large registers anew once, and costs one warning', async t => {
  const proxy = await openProxy(t, {grpcMaxMsgSize: 10_000});
  let size = 20_000;
  const metrics = () => [gauge('big', 'm', 1, {x: 'x'.repeat(size++)})];
  const big = GoAgent.start(t, proxy.grpc, {pod: 'big', metrics});
  await connectAgent(t, proxy.grpc, {pod: 'a', metrics: () => [gauge('a', 'm', 1)]});
  while (big.commands < 8) t.is(await shownBy(proxy), '1');
  const page = await get(`${proxy.url}/metrics`);
  t.is(page.headers['x-diagnostics-missing'], 'big');
  // A busy machine may have sent a second command before the first answer came.
  const {registrations} = big;
  t.true(registrations === 2 || registrations === 3, String(registrations));
  const said = proxy.lines.filter(({level, message}) => level === 'warn' && message.startsWith('a message is larger'));
  t.is(said.length, 1);
  size = 10;
  while ((await get(`${proxy.url}/metrics`)).headers['x-diagnostics-missing'] !== undefined) await sleep(5);
  t.is(big.registrations, registrations);
});

test('an agent that leaves something out of a message that is too large is told so until it fits', async t => {
  const proxy = await openProxy(t, {grpcMaxMsgSize: 10_000});
  let size = 40_000;
  const agent = await connectAgent(t, proxy.grpc, {pod: 'a'});
  const open = () =>
    agent.open('StreamLifecycle', channelMethods.StreamLifecycle, () => {
      return {lifecycle_data: {reports: [{filename: 'r', report_json: 'x'.repeat(size)}]}};
    });
  const codes: number[] = [];
  while (size > 10_000) {
    delete agent.ended.StreamLifecycle;
    open();
    await get(`${proxy.url}/cluster/lifecycle`);
    codes.push((await agent.end('StreamLifecycle')).code);
    size -= 12_000;
  }
  t.deepEqual(new Set(codes), new Set([status.RESOURCE_EXHAUSTED]));
  open();
  const answer = await get(`${proxy.url}/cluster/lifecycle`);
  t.is(answer.json<{lifecycle_statuses: object[]}>().lifecycle_statuses.length, 1);
});
