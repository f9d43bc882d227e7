import {pause} from '../../../core/toolkit/yielder.js';
import type {Node} from '../../diagnostics/proto/contract.js';
import {enumName} from '../../diagnostics/proto/message-json.js';
import {formatTimestamp, isTime, toTimestamp} from '../../diagnostics/proto/timestamp.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import type {ClusterTopology} from './merge-topology.js';

/** The topology as JSON in parts. */
export async function* writeTopology(
  {nodes, calls}: ClusterTopology,
  agents: readonly RegisteredAgent[],
): AsyncGenerator<Uint8Array> {
  const pods = new Map<string, RegisteredAgent[]>();
  for (const agent of agents) pods.set(agent.podName, [...(pods.get(agent.podName) ?? []), agent]);
  yield Buffer.from('{"nodes":[');
  yield* writeList(nodes, node => describeNode(node, pods.get(node.labels.pod_name ?? '') ?? []));
  yield Buffer.from('],"calls":[');
  yield* writeList(calls, ({id, source, target}) => ({id, source, target}));
  yield Buffer.from(']}');
}

const STRIDE = 256;

async function* writeList<T>(items: readonly T[], describe: (item: T) => object): AsyncGenerator<Uint8Array> {
  for (let begin = 0; begin < items.length; begin += STRIDE) {
    await pause();
    const texts = items.slice(begin, begin + STRIDE).map(item => JSON.stringify(describe(item)));
    yield Buffer.from((begin === 0 ? '' : ',') + texts.join(','));
  }
}

/** `own`: the agents of its pod. */
function describeNode(node: Node, own: readonly RegisteredAgent[]): object {
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
