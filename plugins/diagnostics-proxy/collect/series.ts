import type {FamilyHead, MetricType} from '../exposition/model.js';
import {formatValue, parseValue} from '../exposition/value.js';
import {metricName, writeSeries} from '../exposition/write.js';
import {labelValue} from './labels.js';
import type {WireMetric} from './metrics-message.js';

/** A series of the latest values, ready to be written. */
export interface Series extends Pick<FamilyHead, 'help'> {
  /** Of a histogram or summary, with the suffix. */
  readonly name: string;
  readonly type: MetricType | undefined;
  /** The series as it is written, without its value. */
  readonly text: string;
  readonly value: number;
  readonly role: string | undefined;
  readonly pod: string | undefined;
  /** What puts the parts of one histogram or summary together and in order: the other labels, then the bound. */
  readonly group: string;
  readonly bound: number;
}

const BOUNDS = ['le', 'quantile'];

/** `shared` gives one copy of texts that repeat. */
export function toSeries(
  {name: raw, value, description, type}: WireMetric,
  labels: readonly string[],
  shared: (text: string) => string = text => text,
): Series {
  const name = shared(metricName(raw));
  const help = shared(description);
  const text = writeSeries(name, labels);
  const role = sharedLabel(labels, 'node_role', shared);
  const pod = sharedLabel(labels, 'pod_name', shared);
  const at = labels.findIndex((label, index) => index % 2 === 0 && BOUNDS.includes(label));
  if (at < 0) {
    // The sum and the count of a group come after its buckets.
    const group = text.slice(name.length);
    return {name, type, help, text, value, role, pod, group, bound: Number.POSITIVE_INFINITY};
  }
  const group = writeSeries('', labels.toSpliced(at, 2));
  const bound = parseValue(labels[at + 1] as string) ?? Number.NaN;
  return {name, type, help, text, value, role, pod, group, bound};
}

function sharedLabel(labels: readonly string[], name: string, shared: (text: string) => string): string | undefined {
  const value = labelValue(labels, name);
  return value === undefined ? undefined : shared(value);
}

/** The order within the series that one agent has of a family. */
export function compareSeries(a: Series, b: Series): number {
  return order(a.group, b.group) || order(rank(a.name), rank(b.name)) || a.bound - b.bound || order(a.text, b.text);
}

export function lineOf({text, value}: Series): string {
  return `${text} ${formatValue(value)}\n`;
}

function order<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(name: string): number {
  if (name.endsWith('_sum')) return 1;
  return name.endsWith('_count') ? 2 : 0;
}
