import {compareNames} from '../../../core/api/plugin.js';
import {labelName} from '../exposition/write.js';
import type {Agent} from '../registry/agent.js';

/** Labels of a node that its series carry under names of their own. */
const IDENTITY: ReadonlySet<string> = new Set(['pod_name', 'container_name']);

/** What the labels of an agent's node add to each of its series, names and values in turn: `type` as `node_type`. */
export function nodeLabels({labels}: Agent): readonly string[] {
  return Object.entries(labels).flatMap(([name, value]) =>
    IDENTITY.has(name) || value === '' ? [] : [labelName(`node_${name}`), value],
  );
}

/**
 * The labels of a series in the form in which it is shown: names in the characters of the exposition format, sorted, each
 * once, and none without a value. Of names that become the same, the one that was so already wins; the series' own labels
 * win over the node's.
 */
export function completeLabels(own: readonly string[], node: readonly string[]): string[] {
  const labels: string[] = [];
  let hasOthers = false;
  for (let index = 0; index < own.length; index += 2) {
    const name = own[index] as string;
    if (labelName(name) === name) add(labels, name, own[index + 1] as string);
    else hasOthers = true;
  }
  for (let index = 0; hasOthers && index < own.length; index += 2) {
    add(labels, labelName(own[index] as string), own[index + 1] as string);
  }
  for (let index = 0; index < node.length; index += 2) add(labels, node[index] as string, node[index + 1] as string);
  return labels;
}

/** Inserts in order of names: there are few, and they mostly come sorted. */
function add(labels: string[], name: string, value: string): void {
  if (value === '') return;
  let at = labels.length;
  for (; at > 0; at -= 2) {
    const order = compareNames(labels[at - 2] as string, name);
    if (order === 0) return;
    if (order < 0) break;
  }
  if (at === labels.length) labels.push(name, value);
  else labels.splice(at, 0, name, value);
}

export function labelValue(labels: readonly string[], name: string): string | undefined {
  for (let index = 0; index < labels.length; index += 2) if (labels[index] === name) return labels[index + 1];
  return undefined;
}
