import type {Call, Node, RouteTable, Topology} from '../../plugins/diagnostics/proto/contract.js';

/** What one cluster state port says. */
export interface NodeView {
  readonly node: Node;
  readonly routeTables: Readonly<Record<string, RouteTable>>;
}

/**
 * The nodes that the views know, each once, and the calls from each view's own node to those in its route tables. What a
 * node says of itself stands before what others know of it. `podName` is added to the labels of the own nodes.
 */
export function buildTopology(views: readonly NodeView[], podName: string): Topology {
  const nodes = new Map<string, Node>();
  const calls = new Map<string, Call>();
  const add = (node: Node): void => {
    const name = nameOf(node);
    const known = nodes.get(name);
    if (name !== '') nodes.set(name, known === undefined ? node : merged(known, node));
  };
  for (const {node} of views) add(withPodName(node, podName));
  for (const {node: own, routeTables} of views) {
    for (const other of Object.values(routeTables).flatMap(({registered}) => registered)) {
      add(other);
      if (nameOf(own) === '' || nameOf(other) === '' || nameOf(own) === nameOf(other)) continue;
      const call = callBetween(addressOf(own), addressOf(other));
      calls.set(call.id, call);
    }
  }
  return {nodes: [...nodes.values()], calls: [...calls.values()]};
}

const nameOf = (node: Node): string => node.metadata?.name ?? '';
const addressOf = (node: Node): string => node.grpc_address || nameOf(node);
const callBetween = (source: string, target: string): Call => ({id: `${source}-${target}`, source, target});

function withPodName(node: Node, podName: string): Node {
  return podName === '' ? node : {...node, labels: {...node.labels, pod_name: podName}};
}

/** Field by field; what the first has not comes from the second. */
function merged(first: Node, second: Node): Node {
  return {
    metadata: first.metadata,
    roles: first.roles.length > 0 ? first.roles : second.roles,
    grpc_address: first.grpc_address || second.grpc_address,
    http_address: first.http_address || second.http_address,
    created_at: first.created_at ?? second.created_at,
    labels: {...second.labels, ...first.labels},
    property_repair_gossip_grpc_address:
      first.property_repair_gossip_grpc_address || second.property_repair_gossip_grpc_address,
    property_schema_grpc_address: first.property_schema_grpc_address || second.property_schema_grpc_address,
    property_schema_gossip_grpc_address:
      first.property_schema_gossip_grpc_address || second.property_schema_gossip_grpc_address,
  };
}
