import {
  type Call,
  type ExportPage,
  type ExportRequest,
  type MetricExport,
  type MetricHistory,
  STEP_SECONDS,
} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {MS_PER_MINUTE, MS_PER_SECOND, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {MillisRange} from '../client/criteria.js';
import type {MeasureRow} from '../client/measures.js';
import {newestRows, valuesIn} from '../metrics/columns.js';
import type {MeasuredSource} from '../metrics/metric-source.js';
import type {MetricReaderOptions} from '../metrics/reader.js';
import {ROWS_AT_ONCE} from '../metrics/row-scan.js';
import type {TimeZone} from '../schema/time-zone.js';
import {type TimeSlice, walkTime} from '../traces/time-walk.js';
import {historyOf} from './histories.js';
import {keptTerms, MINUTES_PER_STEP} from './kept-terms.js';
import {encodePlace, type MetricPlace, slabsFrom} from './place.js';
import {RowSeries} from './row-series.js';

export type MeasureTable = 'minutes' | 'hours' | 'days';

const STEP_OF = {minutes: 'minute', hours: 'hour', days: 'day'} as const;
/** How far from the bucket that it fills a row may lie, by the time zone of the OAP, in seconds. */
const MOST_MOVED = {minutes: 0, hours: STEP_SECONDS.hour, days: 2 * STEP_SECONDS.day} as const;

/** A page ends when it has as many. */
const VALUES = 20_000;
/** A metric may have tens of thousands of rows in each minute: how much time is asked for at first. */
const FIRST = 15 * MS_PER_MINUTE;

/** Slab by slab, and in it metric by metric; of each the latest first. Gives the place behind what was read last. */
export async function* valuePages(
  options: MetricReaderOptions,
  table: MeasureTable,
  begun: MetricPlace,
  {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
  {signal, log}: Call,
): AsyncGenerator<ExportPage<MetricExport>, MetricPlace> {
  const {catalog, traffic, zone} = options;
  const step = STEP_OF[table];
  const unit = STEP_SECONDS[step] * MS_PER_SECOND;
  const moved = MOST_MOVED[table];
  // Of hours and days only those are told whose minutes are gone: those before the first minute that there is.
  const before = table === 'minutes' ? to : Math.min(to, floorTo(begun.oldest, SECONDS_PER_HOUR));
  const sizes = new Map<string, number>();
  let page = new MetricExportPage<string>();
  let place = begun;
  for (const [slab, {begin, end}] of slabsFrom(begun.anchor).entries()) {
    if (slab < begun.slab) continue;
    const first = Math.floor(Math.max(begin / unit, ((from - moved) * MS_PER_SECOND) / unit));
    const last = Math.floor(Math.min(end / unit, ((before + moved) * MS_PER_SECOND - 1) / unit));
    if (last < first) continue;
    const isBegun = slab === begun.slab;
    for (const source of (await catalog.state(signal)).sources.values()) {
      const {name} = source.definition;
      if (source.of !== 'measure' || (isBegun && name < begun.name)) continue;
      const history = historyOf(source.definition);
      const series = new RowSeries(source, await traffic.services(signal), log);
      const rest = {begin: first, end: isBegun && name === begun.name ? Math.min(last, begun.end) : last};
      // What is to come is nothing, as a rule, and says nothing of the rest.
      const isAhead = slab === 0;
      const size = isAhead ? Math.max(1, last - first + 1) : (sizes.get(name) ?? Math.max(1, FIRST / unit));
      for await (const {span, found, next} of walkRows(options, source, table, rest, size, signal)) {
        if (!isAhead) sizes.set(name, next);
        let {oldest} = place;
        const take = (row: MeasureRow): void => {
          const time = bucketTime(row.time, table, zone);
          if (time < from || time >= before) return;
          if (table === 'minutes') oldest = Math.min(oldest, time);
          addRow(page, row, {history, series, time, table});
        };
        await forEachYielding(newestRows(found, rowKey), take, {signal});
        place = {...place, slab, name, end: span.begin - 1, oldest};
        if (page.values < VALUES) continue;
        yield {content: page.content(), resume: encodePlace(place)};
        page = new MetricExportPage<string>();
      }
    }
  }
  if (page.values > 0) yield {content: page.content(), resume: encodePlace(place)};
  return place;
}

/** A metric that has no measure of the table, or has gone, has no rows. Times count in the unit of the table. */
function walkRows(
  {catalog, measures, maxRows}: MetricReaderOptions,
  {definition: {name}}: MeasuredSource,
  table: MeasureTable,
  range: MillisRange,
  first: number,
  signal: AbortSignal,
): AsyncGenerator<TimeSlice<MeasureRow>> {
  const step = STEP_OF[table];
  const unit = STEP_SECONDS[step] * MS_PER_SECOND;
  const ask = ({begin, end}: MillisRange, limit: number): Promise<readonly MeasureRow[]> =>
    catalog.using(signal, async ({sources}) => {
      const source = sources.get(name);
      const schema = source?.of === 'measure' ? source.schemas[step] : undefined;
      if (source?.of !== 'measure' || schema === undefined) return [];
      const span = {begin: begin * unit, end: (end + 1) * unit - 1};
      return measures.rows({schema, span, conditions: [], tags: ['entity_id'], field: source.field, limit}, signal);
    });
  return walkTime(ask, range, {
    direction: 'newest first',
    first,
    limit: Math.min(ROWS_AT_ONCE, maxRows),
    most: maxRows,
    option: 'maxRows',
    what: time => `rows of ${name}_${step} in the ${step} ${new Date(time * unit).toISOString()}`,
  });
}

/** The bucket that a row fills: its minute, the UTC hour in which it lies, or the UTC day of the same date. */
function bucketTime(time: number, table: MeasureTable, zone: TimeZone): number {
  if (table === 'days') return zone.utcDay(time);
  return floorTo(time, table === 'hours' ? SECONDS_PER_HOUR : SECONDS_PER_MINUTE);
}

const rowKey = ({tags, time}: MeasureRow): string => `${tags.get('entity_id')} ${time}`;

interface RowOf {
  readonly history: MetricHistory;
  readonly series: RowSeries;
  readonly time: number;
  readonly table: MeasureTable;
}

function addRow(
  page: MetricExportPage<string>,
  {tags, value}: MeasureRow,
  {history, series, time, table}: RowOf,
): void {
  const id = tags.get('entity_id') ?? '';
  for (const {key, value: number} of valuesIn(value)) {
    for (const [i, one] of series.of(id, key).entries()) {
      page.addMetric(history);
      const place = `${one.metric} ${id} ${i} ${key}`;
      if (table === 'minutes') page.addSample(place, one, time, number);
      else {
        const step = STEP_OF[table];
        page.addKept(place, one, {step, time, minutes: MINUTES_PER_STEP[step], terms: keptTerms(number, step)});
      }
    }
  }
}

function floorTo(time: number, unit: number): number {
  return Math.floor(time / unit) * unit;
}
