import type {BucketWindow, MetricDefinition, Rollup, RollupHistory} from '../../../core/api/adapter.js';
import {STEP_SECONDS} from '../../../core/api/adapter.js';
import {byRollup} from '../catalog/rollups.js';
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
  /** Those of the columns `service`, `entity` and `labels` by which series are told apart. */
  readonly keys: readonly Sql[];
  readonly borders: Borders;
  /**
   * How minutes are read. A minute that was written again is in the table twice until the server has merged the two.
   * `once` reads the rows as they are, and tells of each bucket whether it has met a minute twice; `latest` looks at
   * both and takes the later, which takes the server several times as long.
   */
  readonly read: 'once' | 'latest';
}

/** From `first`, included, to `end`, excluded. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** The range of a window, counted in its steps since the epoch. */
export function rangeOf({step, first, count}: BucketWindow): Range {
  const start = first / STEP_SECONDS[step];
  return {first: start, end: start + count};
}

/** The rows of minutes as they are: the columns that are asked for. */
export function minutes({metric, where}: Selection, {first, end}: Range, columns: Sql): Sql {
  return sql`SELECT ${columns} FROM minutes WHERE ${joined([sql`metric = ${metric.name}`, inMinutes({first, end}), ...where], ' AND ')}`;
}

/** The mean over the minutes of a range, for each key: the keys, `mean` and `doubled`. */
export function meanOfMinutes(selection: Selection, range: Range): Sql {
  const keys = joined(selection.keys, ', ');
  return sql`SELECT ${keys}, sum(sums) / sum(counts) AS mean, max(doubled) AS suspect FROM (${madeHours(selection, range)}) GROUP BY ${keys}`;
}

/** The keys and `hour`; `cell`, the value that the rollup gives; `sums` and `counts` of the minutes; `doubled`. */
export function hours(selection: Selection, {first, end}: Range): Sql {
  const border = Math.min(Math.max(first, selection.borders.hours), end);
  const sources: Sql[] = [];
  if (border > first) sources.push(storedHours(selection, {first, end: border}));
  if (border < end) {
    sources.push(madeHours(selection, {first: border * MINUTES_PER_HOUR, end: end * MINUTES_PER_HOUR}));
  }
  return joined(sources, ' UNION ALL ');
}

/** The keys and `day`; `outcome`, the value that the rollup gives; `totals` and `numbers` of the minutes; `unsure` as `doubled`. */
export function days(selection: Selection, {first, end}: Range): Sql {
  const {keys, rollups, borders} = selection;
  const border = Math.min(Math.max(first, borders.days), end);
  const sources: Sql[] = [];
  if (border > first) sources.push(storedDays(selection, {first, end: border}));
  if (border < end) {
    const made = hours(selection, {first: border * HOURS_PER_DAY, end: end * HOURS_PER_DAY});
    const day = sql`toInt32(floor(hour / ${HOURS_PER_DAY})) AS day`;
    sources.push(
      sql`SELECT ${joined([...keys, day], ', ')}, ${byRollup(rollups, 'day', ofHours)} AS outcome, sum(sums) AS totals, sum(counts) AS numbers, max(doubled) AS unsure FROM (${made}) GROUP BY ${joined([...keys, sql`day`], ', ')}`,
    );
  }
  return joined(sources, ' UNION ALL ');
}

/** A minute of an hour is a bit, so an hour in which each minute stands once has as many rows as bits. */
const DOUBLED = sql`toUInt8(length(bitmaskToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(minute - hour * 60))))) != count())`;

function madeHours({metric, rollups, where, keys, read}: Selection, range: Range): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = joined([sql`metric = ${metric.name}`, inMinutes(range), ...where], ' AND ');
  const [from, doubled] = read === 'latest' ? [sql`minutes FINAL`, sql`toUInt8(0)`] : [sql`minutes`, DOUBLED];
  return sql`SELECT ${group}, ${byRollup(rollups, 'hour', ofMinutes)} AS cell, sum(value) AS sums, count() AS counts, ${doubled} AS doubled FROM ${from} WHERE ${conditions} GROUP BY ${group}`;
}

/** The hour is repeated because it is what the table is ordered by. */
function inMinutes({first, end}: Range): Sql {
  const [from, to] = [Math.floor(first / MINUTES_PER_HOUR), Math.floor((end - 1) / MINUTES_PER_HOUR)];
  return sql`hour >= ${from} AND hour <= ${to} AND minute >= ${first} AND minute < ${end}`;
}

/** Hours that were made before their minutes were removed; the one made from the most minutes counts. */
function storedHours({metric, where, keys}: Selection, {first, end}: Range): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = [sql`metric = ${metric.name} AND hour >= ${first} AND hour < ${end}`, ...where];
  return sql`SELECT ${group}, argMax(value, minutes) AS cell, argMax(total, minutes) AS sums, max(minutes) AS counts, toUInt8(0) AS doubled FROM hours WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
}

function storedDays({metric, where, keys}: Selection, {first, end}: Range): Sql {
  const group = joined([...keys, sql`day`], ', ');
  const conditions = [sql`metric = ${metric.name} AND day >= ${first} AND day < ${end}`, ...where];
  return sql`SELECT ${group}, argMax(value, minutes) AS outcome, argMax(total, minutes) AS totals, max(minutes) AS numbers, toUInt8(0) AS unsure FROM days WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
}

function ofMinutes(rollup: Rollup): Sql {
  switch (rollup) {
    case 'avg':
      return sql`sum(value) / count()`;
    case 'latest':
      return sql`argMax(value, minute)`;
    case 'sum':
      return sql`sum(value)`;
    case 'min':
      return sql`min(value)`;
    case 'max':
      return sql`max(value)`;
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
