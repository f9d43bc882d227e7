import {pause} from '../../../core/toolkit/yielder.js';
import type {Call, Node, Topology} from '../../diagnostics/proto/contract.js';

/**
 * The calls of all agents by id, one for each pair of nodes. Agents that know different things of a node name it
 * differently: each end becomes the node's gRPC address, or its name where nobody knows one. `nodes` are the merged
 * records by name. An end that is no known node stays as it was sent.
 */
export async function mergeCalls(
  topologies: readonly Topology[],
  nodes: ReadonlyMap<string, Node>,
): Promise<ReadonlyMap<string, Call>> {
  const ends = new Map<string, string>();
  for (const [name, {grpc_address}] of nodes) ends.set(name, grpc_address || name);
  // An address that one record has and another one overrules leads to the node all the same, unless it is another's.
  const current = new Set([...nodes.values()].map(({grpc_address}) => grpc_address));
  for (const node of topologies.flatMap(topology => topology.nodes)) {
    const {grpc_address: address} = node;
    const end = ends.get(node.metadata?.name ?? '');
    if (end !== undefined && !current.has(address) && !ends.has(address)) ends.set(address, end);
  }
  const calls = new Map<string, Call>();
  for (const topology of topologies) {
    await pause();
    for (const call of topology.calls) {
      const resolved = resolve(call, ends);
      // What turns out to be a node's call to itself is none.
      const isNone = call.id === '' || (resolved !== call && resolved.source === resolved.target);
      if (!isNone && !calls.has(resolved.id)) calls.set(resolved.id, resolved);
    }
  }
  return calls;
}

function resolve(call: Call, ends: ReadonlyMap<string, string>): Call {
  const source = ends.get(call.source) ?? call.source;
  const target = ends.get(call.target) ?? call.target;
  if (source === call.source && target === call.target) return call;
  return {id: `${source}-${target}`, source, target};
}
