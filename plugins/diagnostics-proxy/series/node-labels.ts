import {labelName} from '../../diagnostics/exposition/write.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';

/** Labels of a node that its series carry under names of their own. */
const IDENTITY: ReadonlySet<string> = new Set(['pod_name', 'container_name']);

/** What the labels of an agent's node add to each of its series, names and values in turn: `type` as `node_type`. */
export function nodeLabels({labels}: RegisteredAgent): readonly string[] {
  return Object.entries(labels).flatMap(([name, value]) =>
    IDENTITY.has(name) || value === '' ? [] : [labelName(`node_${name}`), value],
  );
}

export function labelValue(labels: readonly string[], name: string): string | undefined {
  for (let index = 0; index < labels.length; index += 2) if (labels[index] === name) return labels[index + 1];
  return undefined;
}
