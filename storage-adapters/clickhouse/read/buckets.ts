import type {BucketWindow, MetricDefinition, Rollup} from '../../../core/api/adapter.js';
import {STEP_SECONDS} from '../../../core/api/adapter.js';
import {byRollup, type RollupHistory} from '../catalog/rollups.js';
import {joined, type Sql, sql} from '../sql/sql.js';

const HOURS_PER_DAY = 24;
const MINUTES_PER_HOUR = 60;

/** Which of the longer buckets are no longer made from shorter ones, because those have been removed. */
export interface Borders {
  /** Hours before this one stand in the table `hours`. */
  readonly hours: number;
  /** Days before this one stand in the table `days`. */
  readonly days: number;
}

export const NO_BORDERS: Borders = {hours: Number.MIN_SAFE_INTEGER, days: Number.MIN_SAFE_INTEGER};

/** What is read of a metric. */
export interface Selection {
  readonly metric: MetricDefinition;
  readonly rollups: RollupHistory;
  /** On the columns `service`, `entity` and `labels`. */
  readonly where: readonly Sql[];
  /** Those of the columns `entity` and `labels` by which series are told apart. */
  readonly keys: readonly Sql[];
}

/** From `first`, included, to `end`, excluded. */
interface Range {
  readonly first: number;
  readonly end: number;
}

/**
 * A subquery with a row for each bucket that has a value: the keys, `bucket` (since the epoch, in steps) and `result`.
 * Every value is made from minutes of which each counts once, in its latest version, as long as minutes are kept.
 */
export function bucketsOf(selection: Selection, window: BucketWindow, borders: Borders): Sql {
  const first = window.first / STEP_SECONDS[window.step];
  const range = {first, end: first + window.count};
  const keys = (column: Sql) => joined([...selection.keys, column], ', ');
  switch (window.step) {
    case 'minute':
      return sql`SELECT ${keys(sql`minute AS bucket`)}, v AS result FROM (${minutes(selection, range)})`;
    case 'hour':
      return sql`SELECT ${keys(sql`hour AS bucket`)}, cell AS result FROM (${hours(selection, range, borders)})`;
    case 'day':
      return sql`SELECT ${keys(sql`day AS bucket`)}, outcome AS result FROM (${days(selection, range, borders)})`;
  }
}

/** The keys, `hour`, `minute` and the value `v` of each minute. */
export function minutes({metric, where, keys}: Selection, {first, end}: Range): Sql {
  const conditions = [
    sql`metric = ${metric.name}`,
    sql`hour >= ${Math.floor(first / MINUTES_PER_HOUR)} AND hour <= ${Math.floor((end - 1) / MINUTES_PER_HOUR)}`,
    sql`minute >= ${first} AND minute < ${end}`,
    ...where,
  ];
  const group = joined([...keys, sql`hour, minute`], ', ');
  return sql`SELECT ${group}, argMax(value, version) AS v FROM minutes WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
}

/** The keys and `hour`; `cell`, the value that the rollup gives; `sums` and `counts` of the minutes. */
function hours(selection: Selection, {first, end}: Range, borders: Borders): Sql {
  const {keys, rollups} = selection;
  const group = joined([...keys, sql`hour`], ', ');
  const border = Math.min(Math.max(first, borders.hours), end);
  const sources: Sql[] = [];
  if (border > first) sources.push(storedHours(selection, {first, end: border}));
  if (border < end) {
    const made = minutes(selection, {first: border * MINUTES_PER_HOUR, end: end * MINUTES_PER_HOUR});
    sources.push(
      sql`SELECT ${group}, ${byRollup(rollups, 'hour', ofMinutes)} AS cell, sum(v) AS sums, count() AS counts FROM (${made}) GROUP BY ${group}`,
    );
  }
  return joined(sources, ' UNION ALL ');
}

/** The keys and `day`; `outcome`, the value that the rollup gives; `totals` and `numbers` of the minutes. */
function days(selection: Selection, {first, end}: Range, borders: Borders): Sql {
  const {keys, rollups} = selection;
  const border = Math.min(Math.max(first, borders.days), end);
  const sources: Sql[] = [];
  if (border > first) sources.push(storedDays(selection, {first, end: border}));
  if (border < end) {
    const made = hours(selection, {first: border * HOURS_PER_DAY, end: end * HOURS_PER_DAY}, borders);
    const day = sql`toInt32(floor(hour / ${HOURS_PER_DAY})) AS day`;
    sources.push(
      sql`SELECT ${joined([...keys, day], ', ')}, ${byRollup(rollups, 'day', ofHours)} AS outcome, sum(sums) AS totals, sum(counts) AS numbers FROM (${made}) GROUP BY ${joined([...keys, sql`day`], ', ')}`,
    );
  }
  return joined(sources, ' UNION ALL ');
}

/** Hours that were made before their minutes were removed; the one made from the most minutes counts. */
function storedHours({metric, where, keys}: Selection, {first, end}: Range): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = [sql`metric = ${metric.name} AND hour >= ${first} AND hour < ${end}`, ...where];
  return sql`SELECT ${group}, argMax(value, minutes) AS cell, argMax(total, minutes) AS sums, max(minutes) AS counts FROM hours WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
}

function storedDays({metric, where, keys}: Selection, {first, end}: Range): Sql {
  const group = joined([...keys, sql`day`], ', ');
  const conditions = [sql`metric = ${metric.name} AND day >= ${first} AND day < ${end}`, ...where];
  return sql`SELECT ${group}, argMax(value, minutes) AS outcome, argMax(total, minutes) AS totals, max(minutes) AS numbers FROM days WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
}

function ofMinutes(rollup: Rollup): Sql {
  switch (rollup) {
    case 'avg':
      return sql`sum(v) / count()`;
    case 'latest':
      return sql`argMax(v, minute)`;
    case 'sum':
      return sql`sum(v)`;
    case 'min':
      return sql`min(v)`;
    case 'max':
      return sql`max(v)`;
  }
}

/** A mean of a day is that of its minutes; the others are made from the values of its hours. */
function ofHours(rollup: Rollup): Sql {
  switch (rollup) {
    case 'avg':
      return sql`sum(sums) / sum(counts)`;
    case 'latest':
      return sql`argMax(cell, hour)`;
    case 'sum':
      return sql`sum(cell)`;
    case 'min':
      return sql`min(cell)`;
    case 'max':
      return sql`max(cell)`;
  }
}

/** The cells of the hours in a range, or of the days, as rows of the tables that keep them. */
export function cellsToKeep(step: 'hour' | 'day', selection: Selection, range: Range, borders: Borders): Sql {
  return step === 'hour' ? hours(selection, range, borders) : days(selection, range, borders);
}
