import {
  type BucketWindow,
  type Call,
  type Column,
  compareNames,
  type Entity,
  type MetricReader,
} from '../../../core/api/plugin.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {Selector} from '../language/ast.js';
import {type Label, LabelSet} from '../model/label-set.js';
import {SERIES_LABELS} from '../model/metric-labels.js';
import type {QueryBudget} from './query-budget.js';
import type {RankingPlan, RecordsPlan, SelectorPlan, ValuesPlan} from './selector-plan.js';
import type {Vector, VectorSeries} from './vector.js';
import {bucketStart} from './window.js';

/** How many label sets a plan keeps; a labeled metric has a handful. */
const MAX_LABEL_SETS = 256;

/** What is to be read for one selector of a query. */
export interface SelectorRead {
  readonly selector: Selector;
  readonly plan: SelectorPlan;
  readonly window: BucketWindow;
  /** Whether the newest sample of each series is wanted, as an instant vector, and not the window. */
  readonly isInstant: boolean;
}

/** Reads what one selector selects. */
export async function readSelector(
  {plan, window, isInstant}: SelectorRead,
  reader: MetricReader,
  budget: QueryBudget,
  call: Call,
): Promise<Vector> {
  const {identity} = plan;
  if (plan.reads === 'values') {
    const {metric, entity, filters} = plan;
    const columns = await reader.values({metric, entity, valueFilters: filters, window}, call);
    budget.add(columns.length, window.count);
    const ordered = columns.length > 1 ? sorted(columns, metric.valueLabels) : columns;
    return {window: isInstant ? undefined : window, series: columnSeries(plan, ordered, window, isInstant), identity};
  }
  const entities = await (plan.reads === 'ranking'
    ? ranked(plan, window, reader, budget, call)
    : records(plan, window, reader, budget, call));
  const last = bucketStart(window, window.count - 1);
  const [count, time] = isInstant ? [1, last] : [window.count, 0];
  const series: VectorSeries[] = [];
  const add = ({labels, value}: Labelled): void => {
    series.push(constantSeries(labels, value, count, time));
  };
  await forEachYielding(entities, add, call);
  return {window: isInstant ? undefined : window, series, identity};
}

/** By the text of the value labels, so that the order is the same on every storage. */
function sorted(columns: readonly Column[], valueLabels: readonly string[]): readonly Column[] {
  return columns.toSorted((a, b) => {
    for (const label of valueLabels) {
      const order = compareNames(a.labels[label] ?? '', b.labels[label] ?? '');
      if (order !== 0) return order;
    }
    return 0;
  });
}

function columnSeries(
  plan: ValuesPlan,
  columns: readonly Column[],
  window: BucketWindow,
  isInstant: boolean,
): VectorSeries[] {
  const series: VectorSeries[] = [];
  for (const column of columns) {
    const {values, present} = column;
    if (!isInstant) {
      series.push({labels: labelsOf(plan, column), values, present, time: 0});
      continue;
    }
    let slot = window.count - 1;
    while (slot >= 0 && present[slot] === 0) slot--;
    if (slot < 0) continue;
    values[0] = values[slot] as number;
    present[0] = 1;
    series.push({labels: labelsOf(plan, column), values, present, time: bucketStart(window, slot)});
  }
  return series;
}

function labelsOf(plan: ValuesPlan, {labels}: Column): LabelSet {
  const {metric, entity, labelSets} = plan;
  let key = '';
  for (const label of metric.valueLabels) key += `${labels[label]?.length} ${labels[label]}`;
  let set = labelSets.get(key);
  if (set === undefined) {
    set = LabelSet.sorted(metric.name, [
      ...entityPairs(plan, entity),
      ...metric.valueLabels.map(label => [label, labels[label] ?? ''] as const),
    ]);
    if (labelSets.size < MAX_LABEL_SETS) labelSets.set(key, set);
  }
  return set;
}

/** Sorted by name. */
function entityPairs({metric: {scope}}: SelectorPlan, entity: Entity): Label[] {
  return SERIES_LABELS[scope].map(([label, key]) => [label, key === 'scope' ? scope : (entity[key] ?? '')] as const);
}

interface Labelled {
  readonly labels: LabelSet;
  readonly value: number;
}

async function ranked(
  plan: RankingPlan,
  window: BucketWindow,
  reader: MetricReader,
  budget: QueryBudget,
  call: Call,
): Promise<Iterable<Labelled>> {
  const {metric, layer, parentService, order, limit} = plan;
  const request = {metric, layer, order, limit, window, ...(parentService === undefined ? {} : {parentService})};
  const entities = await reader.ranking(request, call);
  budget.add(entities.length, window.count);
  return labelled(entities, ({entity}) => new LabelSet(metric.name, entityPairs(plan, entity)));
}

async function records(
  plan: RecordsPlan,
  window: BucketWindow,
  reader: MetricReader,
  budget: QueryBudget,
  call: Call,
): Promise<Iterable<Labelled>> {
  const {metric, layer, parentService, order, limit} = plan;
  const rows = await reader.sampledRecords({metric, layer, parentService, order, limit, window}, call);
  budget.add(rows.length, window.count);
  return labelled(rows, ({entity, content}) =>
    LabelSet.sorted(metric.name, [...entityPairs(plan, entity), ['record', content]]),
  );
}

/** One after the other, as they are asked for: there may be many. */
function* labelled<Row extends {readonly value: number}>(
  rows: readonly Row[],
  labelsOf: (row: Row) => LabelSet,
): Generator<Labelled> {
  for (const row of rows) yield {labels: labelsOf(row), value: row.value};
}

/** Rankings and records have one value for the whole window, which stands in every bucket of it. */
function constantSeries(labels: LabelSet, value: number, count: number, time: number): VectorSeries {
  return {labels, values: new Float64Array(count).fill(value), present: new Uint8Array(count).fill(1), time};
}
