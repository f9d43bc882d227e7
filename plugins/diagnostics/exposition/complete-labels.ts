import {compareNames} from '../../../core/api/plugin.js';
import type {Labels} from './model.js';
import {labelName} from './write.js';

/**
 * The labels of a series in the form in which it is shown: names in the characters of the exposition format, sorted, each
 * once, and none without a value. Of names that become the same, the one that was so already wins; the series' `own` labels
 * win over `more`, whose names are allowed ones.
 */
export function completeLabels(own: Labels, more: Labels = []): Labels {
  // As nearly all come: nothing is to be made.
  if (more.length === 0 && isComplete(own)) return own;
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
  for (let index = 0; index < more.length; index += 2) add(labels, more[index] as string, more[index + 1] as string);
  return labels;
}

function isComplete(labels: Labels): boolean {
  for (let index = 0; index < labels.length; index += 2) {
    const name = labels[index] as string;
    const isInOrder = index === 0 || (labels[index - 2] as string) < name;
    if (!isInOrder || labels[index + 1] === '' || labelName(name) !== name) return false;
  }
  return true;
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
