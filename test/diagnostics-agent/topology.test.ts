import {status} from '@grpc/grpc-js';
import test from 'ava';
import {buildTopology, type NodeView} from '../../diagnostics-agent/cluster/build-topology.js';
import type {Node} from '../../plugins/diagnostics/proto/contract.js';
import {startEndpoint} from './support/fake-endpoint.js';
import {startScene} from './support/scene.js';
import {until} from './support/until.js';

const node = (name: string, more: Partial<Node> = {}): Node => ({
  metadata: name === '' ? null : {group: '', name, id: 0, create_revision: '0', mod_revision: '0'},
  roles: [],
  grpc_address: '',
  http_address: '',
  created_at: null,
  labels: {},
  property_repair_gossip_grpc_address: '',
  property_schema_grpc_address: '',
  property_schema_gossip_grpc_address: '',
  ...more,
});

const view = (own: Node, ...registered: readonly Node[]): NodeView => ({
  node: own,
  routeTables: {tier2: {registered, active: [], evictable: []}},
});

test('calls go from a node to each other one that it knows, by address or else by name', t => {
  const own = node('self', {grpc_address: 'self:1'});
  const {calls} = buildTopology([view(own, node('self'), node('b', {grpc_address: 'b:1'}), node('c'), node('c'))], '');
  t.deepEqual(calls, [
    {id: 'self:1-b:1', source: 'self:1', target: 'b:1'},
    {id: 'self:1-c', source: 'self:1', target: 'c'},
  ]);
});

test('what a node says of itself stands, and others fill in what it leaves out', t => {
  const own = node('self', {grpc_address: 'self:1', roles: ['ROLE_DATA'], labels: {type: 'hot'}});
  const seen = node('self', {grpc_address: 'other:1', http_address: 'self:2', labels: {type: 'cold', zone: 'z'}});
  const {nodes} = buildTopology([view(own, seen)], 'pod');
  t.deepEqual(nodes, [{...own, http_address: 'self:2', labels: {type: 'hot', zone: 'z', pod_name: 'pod'}}]);
});

test('a node without a name is in no call and is not listed', t => {
  const {nodes, calls} = buildTopology([view(node(''), node(''), node('b'))], '');
  t.deepEqual(
    nodes.map(({metadata}) => metadata?.name),
    ['b'],
  );
  t.deepEqual(calls, []);
});

test('several ports of one process give one topology', t => {
  const views = [view(node('a'), node('b')), view(node('a'), node('c')), view(node('b'), node('a'))];
  const {nodes, calls} = buildTopology(views, 'p');
  t.deepEqual(
    nodes.map(({metadata}) => metadata?.name),
    ['a', 'b', 'c'],
  );
  t.deepEqual(
    calls.map(({id}) => id),
    ['a-b', 'a-c', 'b-a'],
  );
});

test('the proxy gets the topology of the last poll; a node that does not answer keeps what it said', async t => {
  const {proxy, node: database, agent} = await startScene(t);
  database.state.tables = {tier2: {registered: [{metadata: {name: 'x'}, grpc_address: 'x:1'}]}};
  const polls = database.calls.GetClusterState;
  await until(() => database.calls.GetClusterState >= polls + 2, 'two polls');
  const ids = async () => (await proxy.topology()).topology?.calls.map(({id}) => id);
  t.deepEqual(await ids(), ['data-hot-0:17912-x:1']);
  database.state.failing = {GetClusterState: status.UNAVAILABLE};
  await agent.logged('a node gave no cluster state');
  t.deepEqual(await ids(), ['data-hot-0:17912-x:1']);
  const {topology} = await proxy.topology();
  t.deepEqual(topology?.nodes[0]?.labels, {type: 'hot', pod_name: 'data-hot-0'});
});

test('a port where something else than gRPC answers is a warning once', async t => {
  const http = await startEndpoint(t, 'a 1\n');
  const {agent} = await startScene(t, {flags: {'cluster-state-ports': http.port}});
  const lines = () => agent.log.filter(({msg}) => msg === 'a node gave no cluster state');
  await until(() => lines().length >= 4, 'four polls');
  t.is(lines().filter(({level}) => level === 'warn').length, 1);
  t.like(lines()[0], {
    port: http.port,
    reason: '14 UNAVAILABLE: No connection established. Last error: Protocol error',
  });
});

test('before the first cluster state the answer is an empty topology', async t => {
  const {proxy, node: database} = await startScene(t, {flags: {'cluster-state-poll-interval': '1h'}});
  database.state.failing = {GetClusterState: status.UNAVAILABLE};
  const second = await startScene(t, {flags: {'cluster-state-ports': database.port}});
  t.deepEqual((await second.proxy.topology()).topology, {nodes: [], calls: []});
  await proxy.registration();
});

test('a node that knows itself and has no cluster state is in the topology, without calls', async t => {
  const {node: database} = await startScene(t, {flags: {'cluster-state-poll-interval': '1h'}});
  database.state.failing = {GetClusterState: status.UNIMPLEMENTED};
  const {proxy, agent} = await startScene(t, {flags: {'cluster-state-ports': database.port}});
  const names = async () => (await proxy.topology()).topology?.nodes.map(({metadata}) => metadata?.name);
  for (let found = await names(); found?.length !== 1; ) found = await names();
  t.deepEqual(await names(), ['data-hot-0:17912']);
  t.deepEqual((await proxy.topology()).topology?.calls, []);
  t.false(agent.log.some(({msg}) => msg === 'a node gave no cluster state'));
});
