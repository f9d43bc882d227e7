import type {BucketWindow, MetricDefinition, Rollup, RollupHistory} from '../../../core/api/adapter.js';
import {STEP_SECONDS} from '../../../core/api/adapter.js';
import {MOST_VALUES} from '../../../core/toolkit/sum-pieces.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {addedUp, cut, cutAlone, partsOf, pieces} from './exact-sums.js';
import {byRollup} from './rollup.js';

/** Which of the longer buckets are no longer made from shorter ones, because those have been removed. */
export interface CutOffs {
  /** Hours before this one stand in the table `hours`. */
  readonly hours: number;
  /** Days before this one stand in the table `days`. */
  readonly days: number;
}

export const NO_CUT_OFFS: CutOffs = {hours: Number.MIN_SAFE_INTEGER, days: Number.MIN_SAFE_INTEGER};

/** What is read of a metric. */
export interface SeriesSelection {
  readonly metric: MetricDefinition;
  readonly rollups: RollupHistory;
  /** On the columns `service`, `entity` and `labels`. */
  readonly where: readonly Sql[];
  /** Those of the columns `service`, `entity` and `labels` by which series are told apart. */
  readonly keys: readonly Sql[];
  readonly cutOffs: CutOffs;
  /**
   * How minutes are read. A minute that was written again is in the table twice until the server has merged the two.
   * `once` reads the rows as they are, and tells of each bucket whether it has met a minute twice; `latest` looks at
   * both and takes the later, which takes the server several times as long.
   */
  readonly read: 'once' | 'latest';
}

/** From `first`, included, to `end`, excluded. */
export interface BucketRange {
  readonly first: number;
  readonly end: number;
}

/** The range of a window, counted in its steps since the epoch. */
export function rangeOf({step, first, count}: BucketWindow): BucketRange {
  const start = first / STEP_SECONDS[step];
  return {first: start, end: start + count};
}

/** The rows of minutes as they are: the columns that are asked for. */
export function minutes({metric, where}: SeriesSelection, {first, end}: BucketRange, columns: Sql): Sql {
  return sql`SELECT ${columns} FROM minutes WHERE ${joined([sql`metric = ${metric.name}`, inMinutes({first, end}), ...where], ' AND ')}`;
}

/**
 * Hours or days: the keys, `bucket`, and `suspect` where it has met a minute twice. Its value is the sum of the list
 * `terms`, divided by `divisor`. Of its minutes, whatever the rollup: `number`, and `parts`, a list with their sum.
 */
export function buckets(selection: SeriesSelection, step: 'hour' | 'day', range: BucketRange): Sql {
  const {keys, rollups} = selection;
  const [source, suspect, cell, number, parts] =
    step === 'hour'
      ? [hours(selection, range), sql`doubled`, sql`cell`, sql`counts`, partsOf('p')]
      : [days(selection, range), sql`unsure`, sql`outcome`, sql`numbers`, partsOf('q')];
  const terms = byRollup(rollups, step, rollup => (isSum(rollup) ? sql`parts` : sql`[${cell}]`));
  const divisor = byRollup(rollups, step, rollup => (rollup === 'avg' ? sql`number` : sql`toFloat64(1)`));
  const bucket = step === 'hour' ? sql`hour` : sql`day`;
  return sql`SELECT ${joined([...keys, bucket], ', ')}, ${bucket} AS bucket, ${suspect} AS suspect, toFloat64(${number}) AS number, ${parts} AS parts, ${terms} AS terms, ${divisor} AS divisor FROM (${source})`;
}

/** The mean over the minutes of a range, for each key: the keys, and `suspect`, `terms` and `divisor` as of a bucket. */
export function meanOfMinutes(selection: SeriesSelection, range: BucketRange): Sql {
  const keys = joined(selection.keys, ', ');
  const made = madeHours(selection, range);
  if (range.end - range.first <= MOST_VALUES) {
    const summed = sql`SELECT ${keys}, sum(counts) AS numbers, max(doubled) AS unsure, ${addedUp('p', 'q')} FROM (${made}) GROUP BY ${keys}`;
    return sql`SELECT ${keys}, unsure AS suspect, ${partsOf('q')} AS terms, toFloat64(numbers) AS divisor FROM (${summed})`;
  }
  const apart = sql`SELECT ${keys}, counts, doubled, ${partsOf('p')} AS parts FROM (${made})`;
  return sql`SELECT ${keys}, max(doubled) AS suspect, groupArrayArray(parts) AS terms, toFloat64(sum(counts)) AS divisor FROM (${apart}) GROUP BY ${keys}`;
}

/**
 * The keys and `hour`; `cell`, the value that the rollup gives where it is no sum; of the minutes `counts`, `doubled`, and
 * their exact sum in pieces.
 */
function hours(selection: SeriesSelection, {first, end}: BucketRange): Sql {
  const cutOff = Math.min(Math.max(first, selection.cutOffs.hours), end);
  const sources: Sql[] = [];
  if (cutOff > first) sources.push(storedHours(selection, {first, end: cutOff}));
  if (cutOff < end) {
    sources.push(madeHours(selection, {first: cutOff * MINUTES_PER_HOUR, end: end * MINUTES_PER_HOUR}));
  }
  return joined(sources, ' UNION ALL ');
}

/** The keys and `day`; the same of days, as `outcome`, `numbers`, `unsure` and other names of pieces. */
function days(selection: SeriesSelection, {first, end}: BucketRange): Sql {
  const {keys, rollups, cutOffs} = selection;
  const cutOff = Math.min(Math.max(first, cutOffs.days), end);
  const sources: Sql[] = [];
  if (cutOff > first) sources.push(storedDays(selection, {first, end: cutOff}));
  if (cutOff < end) {
    const made = hours(selection, {first: cutOff * HOURS_PER_DAY, end: end * HOURS_PER_DAY});
    const day = sql`toInt32(floor(hour / ${HOURS_PER_DAY})) AS day`;
    sources.push(
      sql`SELECT ${joined([...keys, day], ', ')}, ${byRollup(rollups, 'day', ofHours)} AS outcome, sum(counts) AS numbers, max(doubled) AS unsure, ${addedUp('p', 'q')} FROM (${made}) GROUP BY ${joined([...keys, sql`day`], ', ')}`,
    );
  }
  return joined(sources, ' UNION ALL ');
}

/** A minute of an hour is a bit, so an hour in which each minute stands once has as many rows as bits. */
const DOUBLED = sql`toUInt8(length(bitmaskToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(minute - hour * 60))))) != count())`;

function madeHours({metric, rollups, where, keys, read}: SeriesSelection, range: BucketRange): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = joined([sql`metric = ${metric.name}`, inMinutes(range), ...where], ' AND ');
  const [from, doubled] = read === 'latest' ? [sql`minutes FINAL`, sql`toUInt8(0)`] : [sql`minutes`, DOUBLED];
  const rows = sql`SELECT ${group}, minute, value, ${cut(sql`value`)} FROM ${from} WHERE ${conditions}`;
  return sql`SELECT ${group}, ${byRollup(rollups, 'hour', ofMinutes)} AS cell, count() AS counts, ${doubled} AS doubled, ${pieces('p', sql`value`)} FROM (${rows}) GROUP BY ${group}`;
}

/** A condition on rows of minutes. The hour is repeated because it is what the table is ordered by. */
export function inMinutes({first, end}: BucketRange): Sql {
  const [from, to] = [Math.floor(first / MINUTES_PER_HOUR), Math.floor((end - 1) / MINUTES_PER_HOUR)];
  return sql`hour >= ${from} AND hour <= ${to} AND minute >= ${first} AND minute < ${end}`;
}

/** Hours that were made before their minutes were removed; the one made from the most minutes counts. */
function storedHours({metric, where, keys}: SeriesSelection, {first, end}: BucketRange): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = [sql`metric = ${metric.name} AND hour >= ${first} AND hour < ${end}`, ...where];
  const rows = sql`SELECT ${group}, argMax(value, minutes) AS cell, argMax(total, minutes) AS whole, max(minutes) AS counts FROM hours WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
  return sql`SELECT ${group}, cell, counts, toUInt8(0) AS doubled, ${cutAlone('p', sql`whole`)} FROM (SELECT ${group}, cell, counts, whole, ${cut(sql`whole`)} FROM (${rows}))`;
}

function storedDays({metric, where, keys}: SeriesSelection, {first, end}: BucketRange): Sql {
  const group = joined([...keys, sql`day`], ', ');
  const conditions = [sql`metric = ${metric.name} AND day >= ${first} AND day < ${end}`, ...where];
  const rows = sql`SELECT ${group}, argMax(value, minutes) AS outcome, argMax(total, minutes) AS whole, max(minutes) AS numbers FROM days WHERE ${joined(conditions, ' AND ')} GROUP BY ${group}`;
  return sql`SELECT ${group}, outcome, numbers, toUInt8(0) AS unsure, ${cutAlone('q', sql`whole`)} FROM (SELECT ${group}, outcome, numbers, whole, ${cut(sql`whole`)} FROM (${rows}))`;
}

function isSum(rollup: Rollup): boolean {
  return rollup === 'avg' || rollup === 'sum';
}

/** Nothing of sums, which are made from the pieces. */
function ofMinutes(rollup: Rollup): Sql {
  if (isSum(rollup)) return sql`toFloat64(0)`;
  return rollup === 'latest' ? sql`argMax(value, minute)` : extreme(rollup, sql`value`);
}

function ofHours(rollup: Rollup): Sql {
  if (isSum(rollup)) return sql`toFloat64(0)`;
  return rollup === 'latest' ? sql`argMax(cell, hour)` : extreme(rollup, sql`cell`);
}

function extreme(rollup: Rollup, column: Sql): Sql {
  return rollup === 'min' ? sql`min(${column})` : sql`max(${column})`;
}
