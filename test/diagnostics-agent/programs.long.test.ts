import {createServer} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {agentsOf, agentsUntil, startProgram as startProxy} from '../plugins/diagnostics-proxy/support/proxy.js';
import {get} from '../support/http.js';
import {Relay} from '../support/servers/relay.js';
import {startAgent} from './support/agent.js';
import {startAgentProgram} from './support/agent-program.js';
import {DATA_HOT, FakeNode} from './support/fake-node.js';
import {until} from './support/until.js';

const SERIES = /^requests_total\{.*pod_name="data-hot-0".*\} 7$/m;
const LOST = 'there is no connection to the proxy, it is tried again';
const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/** Everything that the proxy is asked for has come from the one agent that it knows. */
async function serves(t: ExecutionContext, proxy: {readonly url: string}): Promise<void> {
  await until(async () => SERIES.test((await get(`${proxy.url}/metrics`)).text), 'the metrics of the agent');
  const topology = (await get(`${proxy.url}/cluster/topology`)).json<{nodes: {status: string}[]}>();
  t.deepEqual(
    topology.nodes.map(({status}) => status),
    ['online'],
  );
  const lifecycle = (await get(`${proxy.url}/cluster/lifecycle`)).json<{groups: {name: string}[]}>();
  t.deepEqual(
    lifecycle.groups.map(({name}) => name),
    ['g'],
  );
  t.is((await agentsOf(proxy)).length, 1);
}

test('the agent comes back to a proxy that died and was started again', async t => {
  const first = await startProxy(t);
  const agent = await startAgentProgram(t, first.grpc);
  await agentsUntil(first, ({length}) => length === 1);
  await serves(t, first);
  await first.run.stop('SIGKILL');
  await agent.run.logged(LOST);
  const second = await startProxy(t, ['--grpc-listen-addr', `127.0.0.1:${portOf(first.grpc)}`]);
  await agentsUntil(second, ({length}) => length === 1);
  await serves(t, second);
  t.is(await agent.run.stop(), 0);
  t.deepEqual(
    agent.run.stderr.filter(line => !line.startsWith('{')),
    [],
  );
});

test('connections that break, again and again, leave one entry that serves', async t => {
  const proxy = await startProxy(t);
  const relay = await Relay.to(t, portOf(proxy.grpc));
  const agent = await startAgentProgram(t, `127.0.0.1:${relay.port}`);
  const [first] = await agentsUntil(proxy, ({length}) => length === 1);
  let id = first?.agent_id;
  const isBack = async (): Promise<void> => {
    // Never two, not even in between: the pod takes the place of its former registration.
    const agents = await agentsUntil(proxy, all => all.length !== 1 || all[0]?.agent_id !== id);
    t.is(agents.length, 1);
    id = agents[0]?.agent_id;
    await serves(t, proxy);
  };
  const failures = async (): Promise<number> => {
    const {text} = await get(`${agent.url}/metrics`);
    return Number(/^diagnostics_agent_connection_failures_total (\d+)$/m.exec(text)?.[1]);
  };
  const failsAgain = async (): Promise<void> => {
    const before = await failures();
    relay.cut();
    await until(async () => (await failures()) >= before + 3, 'three attempts');
  };
  for (let i = 0; i < 5; i++) {
    relay.cut();
    await isBack();
  }
  // In the middle of what the proxy says when the agent registers.
  for (const bytes of [1, 40, 100]) {
    relay.cutAfter(bytes);
    await failsAgain();
    relay.heal();
    await isBack();
  }
  relay.refuse();
  await failsAgain();
  relay.heal();
  await isBack();
  t.is(await agent.run.stop(), 0);
});

test('attempts are made for ever, some sooner and some later than the interval', async t => {
  const gaps: number[] = [];
  let last = Number.NaN;
  const server = createServer(socket => {
    const now = performance.now();
    if (!Number.isNaN(last)) gaps.push(now - last);
    last = now;
    socket.resetAndDestroy();
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  const address = server.address();
  const node = await FakeNode.start(t, {node: DATA_HOT});
  const agent = await startAgent(t, {
    'proxy-addr': `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    'pod-name': 'p',
    'cluster-state-ports': node.port,
    'reconnect-interval': '100ms',
  });
  await until(() => gaps.length >= 10 && gaps.some(gap => gap < 97) && gaps.some(gap => gap > 103), 'both');
  t.is(agent.log.filter(({msg, level}) => msg === LOST && level === 'warn').length, 1);
});
