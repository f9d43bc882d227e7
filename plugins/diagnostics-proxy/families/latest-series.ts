import type {MetricType} from '../../diagnostics/exposition/model.js';
import {scan} from '../../diagnostics/exposition/scan.js';
import {formatValue, parseValue} from '../../diagnostics/exposition/value.js';
import {metricName, writeSeries} from '../../diagnostics/exposition/write.js';
import {labelValue} from '../series/node-labels.js';
import type {Filterable} from '../series/series-block.js';
import type {DropReason} from '../telemetry/dropped-samples.js';
import type {WireMetric} from '../wire/metrics-message-reader.js';

/** A series of the latest values, ready to be written. */
export interface Series extends Filterable {
  /** Of a histogram or summary, with the suffix. */
  readonly name: string;
  readonly type: MetricType | undefined;
  readonly help: string;
  /** The series as it is written, without its value. */
  readonly text: string;
  readonly value: number;
  /** What puts the parts of one histogram or summary together and in order: the other labels, then the bound. */
  readonly group: string;
  readonly bound: number;
}

type Told = Pick<WireMetric, 'name' | 'value' | 'description' | 'type'>;

const BOUNDS = ['le', 'quantile'];

export function toSeries({name: raw, value, description: help, type}: Told, labels: readonly string[]): Series {
  const name = metricName(raw);
  const text = writeSeries(name, labels);
  const role = labelValue(labels, 'node_role');
  const pod = labelValue(labels, 'pod_name');
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

/** The series of lines that were written before. */
export function readSeries(lines: string, help: string): readonly Series[] {
  const series: Series[] = [];
  const ignore = (): void => undefined;
  scan(lines, {
    type: ignore,
    help: ignore,
    skip: ignore,
    sample: (name, labels, value) => {
      series.push(toSeries({name, value, description: help, type: undefined}, labels));
    },
  });
  return series;
}

/** The order within the series that one source has of a family. */
export function compareSeries(a: Series, b: Series): number {
  return (
    order(a.group, b.group) || order(rank(a.name), rank(b.name)) || order(place(a), place(b)) || order(a.text, b.text)
  );
}

/**
 * Why a family of the type can have no such sample: of a histogram a bucket without a bound, or any with one that is no
 * number; of a summary one with a quantile that is no number.
 */
export function misfitOf({name, text, bound}: Series, type: MetricType | undefined): DropReason | undefined {
  if (type === 'summary') return hasBadQuantile(text) ? 'quantile' : undefined;
  if (type !== 'histogram') return undefined;
  return (hasLe(text) ? Number.isNaN(bound) : name.endsWith('_bucket')) ? 'bucket_bound' : undefined;
}

// A quotation mark within a value has a backslash before it: what looks like a label of the text is one.
export const hasLe = (text: string): boolean => /[{,]le="/.test(text);

function hasBadQuantile(text: string): boolean {
  const [, quantile] = /[{,]quantile="([^"]*)"/.exec(text) ?? [];
  return quantile !== undefined && Number.isNaN(parseValue(quantile) ?? Number.NaN);
}

export function lineOf({text, value}: Series): string {
  return `${text} ${formatValue(value)}\n`;
}

/** A bound that is no number has a place too: otherwise there is no order. */
const place = ({bound}: Series): number => (Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound);

function order<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(name: string): number {
  if (name.endsWith('_sum')) return 1;
  return name.endsWith('_count') ? 2 : 0;
}
