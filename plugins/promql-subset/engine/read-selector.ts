import {
  type BucketWindow,
  type Call,
  type Column,
  compareNames,
  type Entity,
  type MetricReader,
} from '../../../core/api/plugin.js';
import type {Selector} from '../language/ast.js';
import {type Label, LabelSet} from '../model/label-set.js';
import {SERIES_LABELS} from '../model/metric-labels.js';
import type {Work} from './query-budget.js';
import type {RankingSource, RecordsSource, Source, ValuesSource} from './selector-plan.js';
import type {Series, Vector} from './vector.js';
import {bucketStart, instantWindow, rangeWindow} from './window.js';

/** When an expression is evaluated: at one time, or over the buckets of a range query. Whole seconds. */
export type Moment =
  | {readonly kind: 'instant'; readonly time: number}
  | {readonly kind: 'range'; readonly window: BucketWindow};

/** How many label sets a source keeps; a labeled metric has a handful. */
const MAX_LABEL_SETS = 256;

/** Reads what one selector selects. The vector has a window when the moment or the selector is a range. */
export async function select(
  {range}: Selector,
  source: Source,
  moment: Moment,
  reader: MetricReader,
  work: Work,
  call: Call,
): Promise<Vector> {
  const newest = moment.kind === 'instant' && range === undefined;
  const window = windowOf(range, moment);
  const {origin} = source;
  if (source.kind === 'values') {
    const {metric, entity, filters} = source;
    const columns = await reader.values({metric, entity, valueFilters: filters, window}, call);
    work.add(columns.length, window.count);
    const ordered = columns.length > 1 ? sorted(columns, metric.valueLabels) : columns;
    return {window: newest ? undefined : window, series: columnSeries(source, ordered, window, newest), origin};
  }
  const entities = await (source.kind === 'ranking'
    ? ranked(source, window, reader, work, call)
    : records(source, window, reader, work, call));
  const last = bucketStart(window, window.count - 1);
  const series = entities.map(({labels, value}) =>
    constantSeries(labels, value, newest ? 1 : window.count, newest ? last : 0),
  );
  return {window: newest ? undefined : window, series, origin};
}

export function windowOf(range: number | undefined, moment: Moment): BucketWindow {
  if (moment.kind === 'range') return moment.window;
  return range === undefined ? instantWindow(moment.time) : rangeWindow(moment.time, range);
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
  source: ValuesSource,
  columns: readonly Column[],
  window: BucketWindow,
  newest: boolean,
): Series[] {
  const series: Series[] = [];
  for (const column of columns) {
    const {values, present} = column;
    if (!newest) {
      series.push({labels: labelsOf(source, column), values, present, time: 0});
      continue;
    }
    let slot = window.count - 1;
    while (slot >= 0 && present[slot] === 0) slot--;
    if (slot < 0) continue;
    values[0] = values[slot] as number;
    present[0] = 1;
    series.push({labels: labelsOf(source, column), values, present, time: bucketStart(window, slot)});
  }
  return series;
}

function labelsOf(source: ValuesSource, {labels}: Column): LabelSet {
  const {metric, entity, labelSets} = source;
  let key = '';
  for (const label of metric.valueLabels) key += `${labels[label]?.length} ${labels[label]}`;
  let set = labelSets.get(key);
  if (set === undefined) {
    set = LabelSet.sorted(metric.name, [
      ...entityPairs(source, entity),
      ...metric.valueLabels.map(label => [label, labels[label] ?? ''] as const),
    ]);
    if (labelSets.size < MAX_LABEL_SETS) labelSets.set(key, set);
  }
  return set;
}

/** Sorted by name. */
function entityPairs({metric: {scope}}: Source, entity: Entity): Label[] {
  return SERIES_LABELS[scope].map(([label, key]) => [label, key === 'scope' ? scope : (entity[key] ?? '')] as const);
}

interface Labelled {
  readonly labels: LabelSet;
  readonly value: number;
}

async function ranked(
  source: RankingSource,
  window: BucketWindow,
  reader: MetricReader,
  work: Work,
  call: Call,
): Promise<Labelled[]> {
  const {metric, layer, parentService, order, limit} = source;
  const request = {metric, layer, order, limit, window, ...(parentService === undefined ? {} : {parentService})};
  const entities = await reader.ranking(request, call);
  work.add(entities.length, window.count);
  return entities.map(({entity, value}) => ({
    labels: new LabelSet(metric.name, entityPairs(source, entity)),
    value,
  }));
}

async function records(
  source: RecordsSource,
  window: BucketWindow,
  reader: MetricReader,
  work: Work,
  call: Call,
): Promise<Labelled[]> {
  const {metric, layer, parentService, order, limit} = source;
  const rows = await reader.sampledRecords({metric, layer, parentService, order, limit, window}, call);
  work.add(rows.length, window.count);
  return rows.map(({entity, content, value}) => ({
    labels: LabelSet.sorted(metric.name, [...entityPairs(source, entity), ['record', content]]),
    value,
  }));
}

/** Rankings and records have one value for the whole window, which stands in every bucket of it. */
function constantSeries(labels: LabelSet, value: number, count: number, time: number): Series {
  return {labels, values: new Float64Array(count).fill(value), present: new Uint8Array(count).fill(1), time};
}
