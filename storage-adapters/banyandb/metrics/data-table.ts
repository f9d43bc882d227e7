import type {ValueLabels} from '../../../core/api/adapter.js';

/** The label of values whose key is plain text. */
const PLAIN = '_';

export interface LabeledValue {
  /** As it is stored: the same key has the same labels. */
  readonly key: string;
  readonly value: number;
}

/**
 * Values by labels as the OAP writes them in one text: `{p=50},12|{p=99},40`. Nothing is escaped there, so labels with one
 * of the characters `| , = { }` cannot be told apart again, by the OAP neither. What is no number is left out.
 */
export function parseDataTable(text: string): readonly LabeledValue[] {
  if (text === '') return [];
  return text.split('|').flatMap(row => {
    const comma = row.lastIndexOf(',');
    const digits = row.slice(comma + 1);
    return comma < 0 || !/^-?\d+$/.test(digits) ? [] : [{key: row.slice(0, comma), value: Number(digits)}];
  });
}

export function labelsOf(key: string): ValueLabels {
  if (!key.startsWith('{') || !key.endsWith('}')) return {[PLAIN]: key};
  const labels: Record<string, string> = {};
  for (const pair of key.slice(1, -1).split(',')) {
    const equal = pair.indexOf('=');
    if (equal > 0) labels[pair.slice(0, equal)] = pair.slice(equal + 1);
  }
  return labels;
}
