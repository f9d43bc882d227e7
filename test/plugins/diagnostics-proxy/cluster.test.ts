import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import type {PartialMessage, Topology} from '../../../plugins/diagnostics/proto/contract.js';
import {get} from '../../support/http.js';
import {connectAgent} from './support/fake-agent.js';
import {agentsOf, openProxy} from './support/proxy.js';

type Node = NonNullable<PartialMessage<Topology>['nodes']>[number];

const node = (name: string, more: Node = {}): Node => ({metadata: {name}, grpc_address: `${name}:17912`, ...more});

test('the records of a node are merged, what its own agent said first, and a pair of nodes has one call', async t => {
  const proxy = await openProxy(t);
  // Pod a comes first, and knows node-b only from its route table.
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    topology: () => ({
      nodes: [
        node('node-a', {labels: {pod_name: 'a', type: 'hot'}, roles: ['ROLE_DATA']}),
        node('node-b', {grpc_address: 'stale:1', labels: {type: 'old', zone: 'z'}, http_address: 'b:80'}),
        {metadata: {name: ''}},
      ],
      // Three ways to name one pair, a node that turns out to be itself, an end that nobody knows, and no call.
      calls: [
        {id: 'node-a-node-b', source: 'node-a', target: 'node-b'},
        {id: 'node-a-stale:1', source: 'node-a', target: 'stale:1'},
        {id: 'node-a-node-a:17912', source: 'node-a', target: 'node-a:17912'},
        {id: 'node-a-elsewhere', source: 'node-a', target: 'elsewhere'},
        {id: ''},
      ],
    }),
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'b',
    topology: () => ({
      nodes: [
        node('node-b', {
          labels: {pod_name: 'b', type: 'warm'},
          roles: ['ROLE_META', 'ROLE_DATA'],
          created_at: {seconds: '1767225600', nanos: 5},
          property_repair_gossip_grpc_address: 'b:17932',
        }),
      ],
      calls: [
        {id: 'node-b-node-a', source: 'node-b', target: 'node-a'},
        {id: 'node-a:17912-node-b:17912', source: 'node-a:17912', target: 'node-b:17912'},
      ],
    }),
  });
  const answer = await get(`${proxy.url}/cluster/topology`);
  t.is(answer.headers['content-type'], 'application/json');
  t.is(answer.headers['x-diagnostics-missing'], undefined);
  const heartbeats = (await agentsOf(proxy)).map(({last_heartbeat}) => last_heartbeat);
  t.deepEqual(answer.json(), {
    nodes: [
      {
        metadata: {name: 'node-a'},
        grpc_address: 'node-a:17912',
        labels: {pod_name: 'a', type: 'hot'},
        status: 'online',
        last_heartbeat: heartbeats[0],
        roles: ['ROLE_DATA'],
      },
      {
        metadata: {name: 'node-b'},
        grpc_address: 'node-b:17912',
        http_address: 'b:80',
        created_at: {seconds: 1_767_225_600, nanos: 5},
        labels: {pod_name: 'b', type: 'warm', zone: 'z'},
        property_repair_gossip_grpc_address: 'b:17932',
        status: 'online',
        last_heartbeat: heartbeats[1],
        roles: ['ROLE_META', 'ROLE_DATA'],
      },
    ],
    calls: [
      {id: 'node-a:17912-elsewhere', source: 'node-a:17912', target: 'elsewhere'},
      {id: 'node-a:17912-node-b:17912', source: 'node-a:17912', target: 'node-b:17912'},
      {id: 'node-b:17912-node-a:17912', source: 'node-b:17912', target: 'node-a:17912'},
    ],
  });
});

test('nobody there: empty lists', async t => {
  const proxy = await openProxy(t);
  t.deepEqual((await get(`${proxy.url}/cluster/topology`)).json(), {nodes: [], calls: []});
  t.deepEqual((await get(`${proxy.url}/cluster/lifecycle`)).json(), {groups: [], lifecycle_statuses: []});
});

test('a node whose agent is offline says so, and is still asked', async t => {
  const proxy = await openProxy(t, {
    heartbeatInterval: '1s',
    agentHeartbeatTimeout: '1100ms',
    agentCleanupTimeout: '1m',
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    topology: () => ({nodes: [node('n', {labels: {pod_name: 'a'}}), node('m', {labels: {pod_name: 'unknown'}})]}),
  });
  for (;;) {
    const {nodes} = (await get(`${proxy.url}/cluster/topology`)).json<{nodes: readonly {status?: string}[]}>();
    const [unknown, known] = nodes;
    t.false('status' in (unknown ?? {status: ''}));
    if (known?.status === 'offline') break;
    await sleep(20);
  }
});

test('a node whose agent has vanished stays, with its pod, the last heartbeat and the status of the agent', async t => {
  const proxy = await openProxy(t, {
    heartbeatInterval: '1s',
    agentHeartbeatTimeout: '1100ms',
    agentCleanupTimeout: '1m',
  });
  const gone = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    topology: () => ({nodes: [node('n', {labels: {pod_name: 'a', type: 'hot'}}), node('m')]}),
  });
  // Another agent knows the node as well, but not its pod.
  const other = await connectAgent(t, proxy.grpc, {
    pod: 'b',
    topology: () => ({nodes: [node('n', {labels: {type: 'hot'}})]}),
  });
  await get(`${proxy.url}/cluster/topology`);
  const [heard] = await agentsOf(proxy);
  gone.die();
  for (;;) {
    other.heartbeat();
    const {nodes} = (await get(`${proxy.url}/cluster/topology`)).json<{nodes: readonly {status?: string}[]}>();
    if (nodes[0]?.status === 'online' || nodes.length > 1) {
      await sleep(20);
      continue;
    }
    t.like(nodes[0], {
      metadata: {name: 'n'},
      labels: {pod_name: 'a', type: 'hot'},
      status: 'offline',
      last_heartbeat: heard?.last_heartbeat ?? '',
    });
    return;
  }
});

test('a silent agent is missing from the topology, and named', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '5s'});
  await connectAgent(t, proxy.grpc, {pod: 'mute, ü', topology: () => undefined});
  await connectAgent(t, proxy.grpc, {pod: 'b', topology: () => ({nodes: [node('n')]})});
  const answer = await get(`${proxy.url}/cluster/topology`);
  t.is(answer.headers['x-diagnostics-missing'], 'mute%2C%20%C3%BC');
  t.is(answer.json<{nodes: object[]}>().nodes.length, 1);
});

const group = (name: string) => ({
  name,
  catalog: 'CATALOG_MEASURE',
  resource_opts: {
    shard_num: 2,
    segment_interval: {unit: 'UNIT_DAY', num: 1},
    ttl: {unit: 'UNIT_HOUR', num: 7},
  } as const,
  data_info: [{data_size_bytes: '9007199254740993', node: node('n', {created_at: {seconds: '1767225600', nanos: 0}})}],
});

test('groups come from the first agent that has any, a liaison first; reports from every pod that answers', async t => {
  const proxy = await openProxy(t);
  const report = (filename: string, report_json: string) => ({filename, report_json});
  await connectAgent(t, proxy.grpc, {
    pod: 'a',
    lifecycle: () => ({groups: [group('of-a')], reports: [report('1.json', '{}')]}),
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'c',
    containers: ['x'],
    lifecycle: () => ({reports: [report('1.json', 'x')]}),
  });
  await connectAgent(t, proxy.grpc, {
    pod: 'c',
    containers: ['y'],
    lifecycle: () => ({reports: [report('1.json', 'x'), report('2.json', '"\\"')]}),
  });
  await connectAgent(t, proxy.grpc, {pod: 'd'});
  await connectAgent(t, proxy.grpc, {
    pod: 'l',
    role: 'ROLE_LIAISON',
    lifecycle: () => ({groups: [group('of-liaison')]}),
  });
  const answer = await get(`${proxy.url}/cluster/lifecycle`);
  t.is(answer.headers['content-type'], 'application/json');
  t.is(answer.headers['x-diagnostics-missing'], undefined);
  const {groups, lifecycle_statuses} = answer.json<{groups: readonly object[]; lifecycle_statuses: unknown}>();
  t.is(groups.length, 1);
  t.like(groups[0], {
    name: 'of-liaison',
    catalog: 'CATALOG_MEASURE',
    resource_opts: {
      shard_num: 2,
      segment_interval: {unit: 'UNIT_DAY', num: 1},
      ttl: {unit: 'UNIT_HOUR', num: 7},
      stages: [],
      default_stages: [],
      replicas: 0,
    },
    data_info: [{data_size_bytes: '9007199254740993', node: {created_at: '2026-01-01T00:00:00Z'}}],
  });
  t.deepEqual(lifecycle_statuses, [
    {pod_name: 'a', reports: [report('1.json', '{}')]},
    {pod_name: 'c', reports: [report('1.json', 'x'), report('2.json', '"\\"')]},
    {pod_name: 'l', reports: []},
  ]);
});

test('a lifecycle answer that comes late is kept for the next request, and the agent is not asked twice', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '5s'});
  let release = (): void => undefined;
  const late = new Promise<void>(resolve => {
    release = resolve;
  });
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    lifecycle: async () => {
      await late;
      return {groups: [group('late')]};
    },
  });
  const first = await get(`${proxy.url}/cluster/lifecycle`);
  t.is(first.headers['x-diagnostics-missing'], 'a');
  t.deepEqual(first.json(), {groups: [], lifecycle_statuses: []});
  await get(`${proxy.url}/cluster/lifecycle`);
  release();
  let answer = await get(`${proxy.url}/cluster/lifecycle`);
  while (answer.json<{groups: object[]}>().groups.length === 0) answer = await get(`${proxy.url}/cluster/lifecycle`);
  t.is(agent.commands.lifecycle, 1);
  await get(`${proxy.url}/cluster/lifecycle`);
  t.is(agent.commands.lifecycle, 2);
});

test('lifecycle data that always comes late, or from an agent that has gone, is the last that is known', async t => {
  const proxy = await openProxy(t, {}, {writeTimeout: '2s'});
  let asked = 0;
  const agent = await connectAgent(t, proxy.grpc, {
    pod: 'l',
    role: 'ROLE_LIAISON',
    lifecycle: async () => {
      asked++;
      await sleep(2500);
      return {groups: [group('known')], reports: [{filename: '1.json', report_json: 'x'}]};
    },
  });
  const ask = async () => {
    const answer = await get(`${proxy.url}/cluster/lifecycle`);
    const {groups, lifecycle_statuses} = answer.json<{groups: {name: string}[]; lifecycle_statuses: object[]}>();
    return {
      groups: groups.map(({name}) => name),
      pods: lifecycle_statuses.length,
      missing: answer.headers['x-diagnostics-missing'],
    };
  };
  while ((await ask()).groups.length === 0) await sleep(100);
  const missing = new Set<unknown>();
  while (asked < 4) {
    const answer = await ask();
    missing.add(answer.missing);
    t.like(answer, {groups: ['known'], pods: 1});
  }
  t.true(missing.has('l'));
  agent.die();
  for (;;) {
    const answer = await ask();
    t.like(answer, {groups: ['known'], pods: 1});
    if (answer.missing === 'l' && asked >= 4) break;
  }
  // What another liaison says now comes before what is known from earlier.
  await connectAgent(t, proxy.grpc, {pod: 'm', role: 'ROLE_LIAISON', lifecycle: () => ({groups: [group('new')]})});
  t.like(await ask(), {groups: ['new'], pods: 2});
});

test('a node whose agent vanishes before anyone asks for the topology has a pod and is offline', async t => {
  const proxy = await openProxy(t, {
    heartbeatInterval: '1s',
    agentHeartbeatTimeout: '1100ms',
    agentCleanupTimeout: '1m',
  });
  const gone = await connectAgent(t, proxy.grpc, {
    pod: 'a',
    topology: () => ({nodes: [node('n', {labels: {pod_name: 'a'}, roles: ['ROLE_DATA']})]}),
  });
  const other = await connectAgent(t, proxy.grpc, {
    pod: 'b',
    topology: () => ({nodes: [node('m', {labels: {pod_name: 'b'}}), node('n')]}),
  });
  // By itself the proxy asks each of them once.
  while (gone.commands.topology === 0 || other.commands.topology === 0) await sleep(5);
  while ((await get(`${proxy.url}/metrics`)).status !== 200) await sleep(5);
  gone.die();
  for (;;) {
    const [agent] = await agentsOf(proxy);
    if (agent?.status === 'offline') break;
    await sleep(20);
  }
  other.heartbeat();
  const {nodes} = (await get(`${proxy.url}/cluster/topology`)).json<{nodes: readonly object[]}>();
  t.like(nodes[1], {metadata: {name: 'n'}, labels: {pod_name: 'a'}, status: 'offline', roles: ['ROLE_DATA']});
  t.is(gone.commands.topology, 1);
});
