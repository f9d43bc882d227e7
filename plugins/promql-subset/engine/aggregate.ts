import type {Steps} from '../../../core/toolkit/yielder.js';
import type {Aggregation, AggregationOperator, Grouping} from '../language/ast.js';
import {LabelSet} from '../model/label-set.js';
import {slots, type Vector, type VectorSeries} from './vector.js';

interface Group {
  readonly labels: LabelSet;
  readonly values: Float64Array;
  readonly present: Uint8Array;
  readonly counts: Uint32Array;
  time: number;
}

/** How many series are added between two pauses. */
const SERIES_A_STEP = 64;

/** Groups come in the order of their first series. A slot aggregates the series that have a sample there. */
export function* aggregate({operator, grouping}: Aggregation, vector: Vector): Steps<Vector> {
  const count = slots(vector);
  const groups = new Map<string, Group>();
  for (const [i, series] of vector.series.entries()) {
    if (i % SERIES_A_STEP === SERIES_A_STEP - 1) yield;
    const labels = groupLabels(series.labels, grouping);
    const key = keyOf(labels);
    let group = groups.get(key);
    if (group === undefined) {
      group = {
        labels,
        values: new Float64Array(count),
        present: new Uint8Array(count),
        counts: new Uint32Array(count),
        time: Number.NEGATIVE_INFINITY,
      };
      groups.set(key, group);
    }
    addTo(group, series, operator, count);
  }
  const series = [...groups.values()];
  if (operator === 'avg') {
    for (const {values, counts} of series) {
      for (let i = 0; i < count; i++) values[i] = (values[i] as number) / (counts[i] as number);
    }
  }
  return {window: vector.window, series, identity: undefined};
}

/** An aggregate has no name, unless it is asked to group by it. */
function groupLabels(labels: LabelSet, grouping: Grouping | undefined): LabelSet {
  if (grouping === undefined) return LabelSet.EMPTY;
  const {by, labels: listed} = grouping;
  const kept = labels.filter(label => listed.includes(label) === by);
  return by && listed.includes('__name__') ? new LabelSet(labels.name, kept.labels) : kept;
}

/** Cheaper than the JSON key, which would be made for every series and not only for every group. */
function keyOf({name = '', labels}: LabelSet): string {
  let key = name;
  for (const [label, value] of labels) key += ` ${label} ${value.length} ${value}`;
  return key;
}

function addTo(group: Group, series: VectorSeries, operator: AggregationOperator, count: number): void {
  const {values, present, counts} = group;
  const fold = FOLD[operator];
  for (let i = 0; i < count; i++) {
    if (series.present[i] === 0) continue;
    const value = series.values[i] as number;
    values[i] = present[i] === 0 ? value : fold(values[i] as number, value);
    present[i] = 1;
    counts[i] = (counts[i] as number) + 1;
    group.time = Math.max(group.time, series.time);
  }
}

const add = (a: number, b: number): number => a + b;

/** The least and the greatest pass over NaN while there is any other value. */
const FOLD: Readonly<Record<AggregationOperator, (a: number, b: number) => number>> = {
  sum: add,
  avg: add,
  min: (a, b) => (b < a || Number.isNaN(a) ? b : a),
  max: (a, b) => (b > a || Number.isNaN(a) ? b : a),
};
