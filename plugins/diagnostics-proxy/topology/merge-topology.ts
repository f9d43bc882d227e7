import {compareNames} from '../../../core/api/plugin.js';
import type {Call, Node, Topology} from '../../diagnostics/proto/contract.js';
import {enumName} from '../../diagnostics/proto/message-json.js';
import {formatTimestamp, isTime, toTimestamp} from '../../diagnostics/proto/timestamp.js';
import type {Agent} from '../registry/registered-agent.js';
import type {Turns} from '../yielding/yielder.js';
import {mergeCalls} from './merge-calls.js';

/** The nodes and calls that all agents know, each once and in order. */
export interface ClusterTopology {
  readonly nodes: readonly Node[];
  readonly calls: readonly Call[];
}

/** Merges records of one node field by field: what its own agent said first, then as the agents come. */
export async function mergeTopology(
  all: readonly (readonly [Pick<Agent, 'podName'>, Topology])[],
  turns: Turns,
): Promise<ClusterTopology> {
  const own = new Map<string, Node>();
  const others = new Map<string, Node>();
  for (const [{podName}, {nodes}] of all) {
    await turns.turn();
    for (const node of nodes) {
      const name = nameOf(node);
      if (name === '') continue;
      // The agent beside the node puts its pod there.
      const records = node.labels.pod_name === podName ? own : others;
      const known = records.get(name);
      records.set(name, known === undefined ? node : united(known, node));
    }
  }
  const nodes = new Map(own);
  for (const [name, node] of others) {
    const known = nodes.get(name);
    nodes.set(name, known === undefined ? node : united(known, node));
  }
  return {
    nodes: sorted(nodes),
    calls: sorted(
      await mergeCalls(
        all.map(([, topology]) => topology),
        nodes,
        turns,
      ),
    ),
  };
}

export const nameOf = ({metadata}: Node): string => metadata?.name ?? '';

function sorted<T>(all: ReadonlyMap<string, T>): readonly T[] {
  return [...all.entries()].sort(([a], [b]) => compareNames(a, b)).map(([, item]) => item);
}

const isOpen = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The first record, with what it leaves open from the second. */
function united(first: Node, second: Node): Node {
  const fills = Object.entries(second).filter(([key, value]) => isOpen(first[key as keyof Node]) && !isOpen(value));
  const labels = Object.entries(second.labels).some(([key]) => first.labels[key] === undefined)
    ? {labels: {...second.labels, ...first.labels}}
    : {};
  return fills.length === 0 && !('labels' in labels) ? first : {...first, ...Object.fromEntries(fills), ...labels};
}

/** The topology as JSON in parts. */
export async function* writeTopology(
  {nodes, calls}: ClusterTopology,
  agents: readonly Agent[],
  turns: Turns,
): AsyncGenerator<Uint8Array> {
  const pods = new Map<string, Agent[]>();
  for (const agent of agents) pods.set(agent.podName, [...(pods.get(agent.podName) ?? []), agent]);
  yield Buffer.from('{"nodes":[');
  yield* writeList(nodes, node => describeNode(node, pods.get(node.labels.pod_name ?? '') ?? []), turns);
  yield Buffer.from('],"calls":[');
  yield* writeList(calls, ({id, source, target}) => ({id, source, target}), turns);
  yield Buffer.from(']}');
}

const STRIDE = 256;

async function* writeList<T>(
  items: readonly T[],
  describe: (item: T) => object,
  turns: Turns,
): AsyncGenerator<Uint8Array> {
  for (let begin = 0; begin < items.length; begin += STRIDE) {
    await turns.turn();
    const texts = items.slice(begin, begin + STRIDE).map(item => JSON.stringify(describe(item)));
    yield Buffer.from((begin === 0 ? '' : ',') + texts.join(','));
  }
}

/** `own`: the agents of its pod. */
function describeNode(node: Node, own: readonly Agent[]): object {
  const {metadata, roles, grpc_address, created_at, labels} = node;
  const filled = (key: 'http_address' | (typeof ADDRESSES)[number]) => (node[key] === '' ? {} : {[key]: node[key]});
  return {
    metadata: withoutZeros(metadata ?? {}),
    grpc_address,
    ...filled('http_address'),
    ...(created_at !== null &&
      isTime(created_at) && {created_at: {seconds: Number(created_at.seconds), nanos: created_at.nanos}}),
    labels,
    ...Object.assign({}, ...ADDRESSES.map(filled)),
    ...(own.length > 0 && {
      status: own.some(({status}) => status === 'online') ? 'online' : 'offline',
      last_heartbeat: heartbeatText(Math.max(...own.map(({lastHeartbeat}) => lastHeartbeat))),
    }),
    roles: roles.map(role => enumName('Role', role)),
  };
}

/** Addresses that only some nodes have. */
const ADDRESSES = [
  'property_repair_gossip_grpc_address',
  'property_schema_grpc_address',
  'property_schema_gossip_grpc_address',
] as const;

function withoutZeros(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== '0' && value !== 0));
}

/** Milliseconds as RFC 3339 with the offset in digits. */
export function heartbeatText(milliseconds: number): string {
  return formatTimestamp(toTimestamp(milliseconds), '+00:00');
}
