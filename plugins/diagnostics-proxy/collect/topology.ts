import {compareNames} from '../../../core/api/plugin.js';
import type {Call, Node, Topology} from '../proto/contract.js';
import {formatTimestamp, toTimestamp} from '../proto/timestamp.js';
import type {Agent} from '../registry/agent.js';

/** The nodes and calls that all agents know, as JSON. */
export function mergeTopology(topologies: readonly Topology[], agents: readonly Agent[]): object {
  // What a node's own agent said comes first: only that agent puts the pod there.
  const records = topologies.flatMap(({nodes}) => nodes).filter(node => nameOf(node) !== '');
  const ordered = [...records.filter(hasPod), ...records.filter(node => !hasPod(node))];
  const nodes = new Map<string, Node>();
  for (const node of ordered) {
    const name = nameOf(node);
    const known = nodes.get(name);
    nodes.set(name, known === undefined ? node : united(known, node));
  }
  const calls = new Map<string, Call>();
  for (const call of topologies.flatMap(topology => topology.calls)) {
    if (call.id !== '' && !calls.has(call.id)) calls.set(call.id, call);
  }
  const byName = <T>(all: ReadonlyMap<string, T>): readonly T[] =>
    [...all.entries()].sort(([a], [b]) => compareNames(a, b)).map(([, item]) => item);
  return {
    nodes: byName(nodes).map(node => describeNode(node, agents)),
    calls: byName(calls).map(({id, source, target}) => ({id, source, target})),
  };
}

const nameOf = ({metadata}: Node): string => metadata?.name ?? '';
const hasPod = ({labels}: Node): boolean => labels.pod_name !== undefined;

/** The first record, with what it leaves open from the second. */
function united(first: Node, second: Node): Node {
  const fields = Object.entries(first).map(([key, value]) => {
    const other = second[key as keyof Node];
    const isOpen = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    return [key, isOpen ? other : value] as const;
  });
  return {...(Object.fromEntries(fields) as unknown as Node), labels: {...second.labels, ...first.labels}};
}

function describeNode(node: Node, agents: readonly Agent[]): object {
  const {metadata, roles, grpc_address, created_at, labels} = node;
  const own = agents.filter(({podName}) => podName === labels.pod_name);
  const filled = (key: 'http_address' | keyof typeof ADDRESSES) => (node[key] === '' ? {} : {[key]: node[key]});
  return {
    metadata: withoutZeros(metadata ?? {}),
    grpc_address,
    ...filled('http_address'),
    ...(created_at !== null && {created_at: {seconds: Number(created_at.seconds), nanos: created_at.nanos}}),
    labels,
    ...Object.assign({}, ...Object.keys(ADDRESSES).map(key => filled(key as keyof typeof ADDRESSES))),
    ...(own.length > 0 && {
      status: own.some(({status}) => status === 'online') ? 'online' : 'offline',
      last_heartbeat: heartbeatText(Math.max(...own.map(({lastHeartbeat}) => lastHeartbeat))),
    }),
    roles: roles.map(role => (typeof role === 'number' ? `UNKNOWN_ROLE_${role}` : role)),
  };
}

/** Addresses that only some nodes have. */
const ADDRESSES = {
  property_repair_gossip_grpc_address: true,
  property_schema_grpc_address: true,
  property_schema_gossip_grpc_address: true,
} as const;

function withoutZeros(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== '0' && value !== 0));
}

/** Milliseconds as RFC 3339 with the offset in digits. */
export function heartbeatText(milliseconds: number): string {
  return formatTimestamp(toTimestamp(milliseconds), '+00:00');
}
