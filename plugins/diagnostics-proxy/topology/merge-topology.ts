import {compareNames} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {Call, Node, Topology} from '../../diagnostics/proto/contract.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {mergeCalls} from './merge-calls.js';

/** The nodes and calls that all agents know, each once and in order. */
export interface ClusterTopology {
  readonly nodes: readonly Node[];
  readonly calls: readonly Call[];
}

/** Merges records of one node field by field: what its own agent said first, then as the agents come. */
export async function mergeTopology(
  all: readonly (readonly [Pick<RegisteredAgent, 'podName'>, Topology])[],
): Promise<ClusterTopology> {
  const own = new Map<string, Node>();
  const others = new Map<string, Node>();
  for (const [{podName}, {nodes}] of all) {
    await pause();
    for (const node of nodes) {
      const name = nameOf(node);
      if (name === '') continue;
      // The agent beside the node puts its pod there.
      const records = node.labels.pod_name === podName ? own : others;
      const known = records.get(name);
      records.set(name, known === undefined ? node : filledFrom(known, node));
    }
  }
  const nodes = new Map(own);
  for (const [name, node] of others) {
    const known = nodes.get(name);
    nodes.set(name, known === undefined ? node : filledFrom(known, node));
  }
  return {
    nodes: sorted(nodes),
    calls: sorted(
      await mergeCalls(
        all.map(([, topology]) => topology),
        nodes,
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
function filledFrom(first: Node, second: Node): Node {
  const fills = Object.entries(second).filter(([key, value]) => isOpen(first[key as keyof Node]) && !isOpen(value));
  const labels = Object.entries(second.labels).some(([key]) => first.labels[key] === undefined)
    ? {labels: {...second.labels, ...first.labels}}
    : {};
  return fills.length === 0 && !('labels' in labels) ? first : {...first, ...Object.fromEntries(fills), ...labels};
}
