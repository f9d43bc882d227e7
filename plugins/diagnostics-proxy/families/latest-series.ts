import type {FamilyType} from '../../diagnostics/exposition/model.js';
import {parseValue} from '../../diagnostics/exposition/value.js';
import {metricName, writeSeries} from '../../diagnostics/exposition/write.js';
import type {SeriesOwner} from '../series/series-block.js';
import type {DropReason} from '../telemetry/dropped-samples.js';
import type {WireMetric} from '../wire/metrics-message-reader.js';

/** A series of the latest values. */
export interface LatestSeries extends SeriesOwner {
  /** Of a histogram or summary, with the suffix. */
  readonly name: string;
  /** As its sender says; undefined where that says nothing. */
  readonly type: FamilyType | undefined;
  readonly help: string;
  /** The series as it is written, without its value. */
  readonly text: string;
  /** The place of its value among those of its source. */
  readonly place: number;
  /** The labels without the bound, which the parts of one histogram or summary have in common. */
  readonly group: string;
  /** The bounds of a bucket and of a quantile, NaN for what is no number; undefined where there is no such label. */
  readonly le: number | undefined;
  readonly quantile: number | undefined;
}

export function toLatestSeries(
  {
    name: raw,
    place,
    description: help,
    type,
  }: Pick<WireMetric, 'name' | 'description' | 'type'> & Pick<LatestSeries, 'place'>,
  labels: readonly string[],
): LatestSeries {
  const name = metricName(raw);
  const text = writeSeries(name, labels);
  let role: string | undefined;
  let pod: string | undefined;
  let le: number | undefined;
  let quantile: number | undefined;
  let bound = -1;
  for (let index = 0; index < labels.length; index += 2) {
    const label = labels[index];
    const text = labels[index + 1] ?? '';
    if (label === 'node_role') role = text;
    else if (label === 'pod_name') pod = text;
    else if (label === 'le') le = parseValue(text) ?? Number.NaN;
    else if (label === 'quantile') quantile = parseValue(text) ?? Number.NaN;
    else continue;
    if (bound < 0 && (label === 'le' || label === 'quantile')) bound = index;
  }
  const group = bound < 0 ? text.slice(name.length) : writeSeries('', labels.toSpliced(bound, 2));
  return {name, type, help, text, place, role, pod, group, le, quantile};
}

/** The order within the series that one source has of a family. */
export function compareSeries(a: LatestSeries, b: LatestSeries): number {
  return (
    order(a.group, b.group) ||
    order(rank(a.name), rank(b.name)) ||
    order(boundOf(a), boundOf(b)) ||
    order(a.text, b.text)
  );
}

/**
 * Why a family of the type can have no such sample: of a histogram a bucket without a bound, or any with one that is no
 * number; of a summary one with a quantile that is no number.
 */
export function misfitOf({name, le, quantile}: LatestSeries, type: FamilyType | undefined): DropReason | undefined {
  if (type === 'summary') return Number.isNaN(quantile) ? 'quantile' : undefined;
  if (type !== 'histogram') return undefined;
  return (le === undefined ? name.endsWith('_bucket') : Number.isNaN(le)) ? 'bucket_bound' : undefined;
}

/** The sum and the count of a group come after its buckets. A bound that is no number has a place too, or there is no order. */
function boundOf({le, quantile}: LatestSeries): number {
  const bound = le ?? quantile ?? Number.POSITIVE_INFINITY;
  return Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound;
}

function order<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(name: string): number {
  if (name.endsWith('_sum')) return 1;
  return name.endsWith('_count') ? 2 : 0;
}
