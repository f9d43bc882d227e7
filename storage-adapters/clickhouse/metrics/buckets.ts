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

/** A selection that has the keys, and what is said of each of its rows in expressions on its columns. */
export interface Summed {
  readonly from: Sql;
  /** Whether it has met a minute twice. */
  readonly suspect: Sql;
  /** The value is the sum of this list, divided by `divisor`. */
  readonly terms: Sql;
  readonly divisor: Sql;
}

export interface SummedBuckets extends Summed {
  /** The hour or day; a column only where it is asked for. */
  readonly bucket: Sql;
  /** Whatever the rollup: a list whose sum is that of the minutes, and their number. Only where `minutes` are asked for. */
  readonly parts: Sql;
  readonly number: Sql;
}

/**
 * The columns that the selection around needs, beside the keys. It is given these alone: a server of 18.16 analyses a
 * selection once more for each level around it that leaves a column unused, and small statements are mostly analysis.
 */
interface Needed {
  readonly bucket: boolean;
  /** What a rollup that is no sum gives. */
  readonly cell: boolean;
  readonly counts: boolean;
  /** The pieces of the sum. */
  readonly pieces: boolean;
}

/** Hours or days, with what is asked for beside the value: which bucket it is, and the minutes themselves. */
export function buckets(
  selection: SeriesSelection,
  step: 'hour' | 'day',
  range: BucketRange,
  asked: {readonly bucket?: boolean; readonly minutes?: boolean},
): SummedBuckets {
  const {rollups} = selection;
  const {bucket = false, minutes: all = false} = asked;
  const used = rollups.map(({rollup}) => rollup);
  const needed = {
    bucket: bucket || rollups.length > 1,
    cell: used.some(rollup => !isSum(rollup)),
    counts: all || used.includes('avg'),
    pieces: all || used.some(isSum),
  };
  const names = step === 'hour' ? HOURS : DAYS;
  const parts = partsOf(names.letter);
  const number = sql`toFloat64(${names.counts})`;
  return {
    from: step === 'hour' ? hours(selection, range, needed) : days(selection, range, needed),
    bucket: names.bucket,
    suspect: names.doubled,
    terms: byRollup(rollups, step, rollup => (isSum(rollup) ? parts : sql`[${names.cell}]`)),
    divisor: byRollup(rollups, step, rollup => (rollup === 'avg' ? number : sql`toFloat64(1)`)),
    parts,
    number,
  };
}

/** The mean over the minutes of a range, for each key. */
export function meanOfMinutes(selection: SeriesSelection, range: BucketRange): Summed {
  const keys = joined(selection.keys, ', ');
  const made = madeHours(selection, range, {bucket: false, cell: false, counts: true, pieces: true});
  const isShort = range.end - range.first <= MOST_VALUES;
  const [hours, sums] = isShort
    ? [made, addedUp('p', 'q')]
    : [
        sql`SELECT ${keys}, counts, doubled, ${partsOf('p')} AS parts FROM (${made})`,
        sql`groupArrayArray(parts) AS lists`,
      ];
  return {
    from: sql`SELECT ${keys}, sum(counts) AS numbers, max(doubled) AS unsure, ${sums} FROM (${hours}) GROUP BY ${keys}`,
    suspect: sql`unsure`,
    terms: isShort ? partsOf('q') : sql`lists`,
    divisor: sql`toFloat64(numbers)`,
  };
}

/** The keys, and those of other columns that are needed, in their order. */
function columns(keys: readonly Sql[], ...others: readonly (readonly [isNeeded: boolean, column: Sql])[]): Sql {
  return joined([...keys, ...others.filter(([isNeeded]) => isNeeded).map(([, column]) => column)], ', ');
}

/** Two levels have no names in common: 18.16 takes a column and a name that is given beside it for the same. */
interface BucketNames {
  readonly table: Sql;
  readonly bucket: Sql;
  /** The value that the rollup gives where it is no sum. */
  readonly cell: Sql;
  /** How many minutes there are. */
  readonly counts: Sql;
  readonly doubled: Sql;
  /** Of the columns of their exact sum. */
  readonly letter: 'p' | 'q';
}

const HOURS: BucketNames = {
  table: sql`hours`,
  bucket: sql`hour`,
  cell: sql`cell`,
  counts: sql`counts`,
  doubled: sql`doubled`,
  letter: 'p',
};

const DAYS: BucketNames = {
  table: sql`days`,
  bucket: sql`day`,
  cell: sql`outcome`,
  counts: sql`numbers`,
  doubled: sql`unsure`,
  letter: 'q',
};

function hours(selection: SeriesSelection, {first, end}: BucketRange, needed: Needed): Sql {
  const cutOff = Math.min(Math.max(first, selection.cutOffs.hours), end);
  const sources: Sql[] = [];
  if (cutOff > first) sources.push(stored(selection, {first, end: cutOff}, needed, HOURS));
  if (cutOff < end) {
    const range = {first: cutOff * MINUTES_PER_HOUR, end: end * MINUTES_PER_HOUR};
    sources.push(madeHours(selection, range, needed));
  }
  return joined(sources, ' UNION ALL ');
}

const DAY_OF_HOUR = sql`toInt32(floor(hour / ${HOURS_PER_DAY}))`;

function days(selection: SeriesSelection, {first, end}: BucketRange, needed: Needed): Sql {
  const {keys, rollups, cutOffs} = selection;
  const cutOff = Math.min(Math.max(first, cutOffs.days), end);
  const sources: Sql[] = [];
  if (cutOff > first) sources.push(stored(selection, {first, end: cutOff}, needed, DAYS));
  if (cutOff < end) {
    const range = {first: cutOff * HOURS_PER_DAY, end: end * HOURS_PER_DAY};
    const made = hours(selection, range, {...needed, bucket: true});
    const all = columns(
      keys,
      [needed.bucket, sql`${DAY_OF_HOUR} AS day`],
      [needed.cell, sql`${byRollup(rollups, 'day', ofHours)} AS outcome`],
      [needed.counts, sql`sum(counts) AS numbers`],
      [true, sql`max(doubled) AS unsure`],
      [needed.pieces, addedUp('p', 'q')],
    );
    sources.push(sql`SELECT ${all} FROM (${made}) GROUP BY ${joined([...keys, DAY_OF_HOUR], ', ')}`);
  }
  return joined(sources, ' UNION ALL ');
}

/** A minute of an hour is a bit, so an hour in which each minute stands once has as many rows as bits. */
const DOUBLED = sql`toUInt8(length(bitmaskToArray(groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(minute - hour * 60))))) != count())`;

function madeHours(
  {metric, rollups, where, keys, read}: SeriesSelection,
  range: BucketRange,
  {bucket, cell, counts, pieces: isSummed}: Needed,
): Sql {
  const group = joined([...keys, sql`hour`], ', ');
  const conditions = joined([sql`metric = ${metric.name}`, inMinutes(range), ...where], ' AND ');
  const [table, doubled] = read === 'latest' ? [sql`minutes FINAL`, sql`toUInt8(0)`] : [sql`minutes`, DOUBLED];
  const rows = sql`${table} WHERE ${conditions}`;
  const from = isSummed ? sql`(SELECT ${group}, minute, value, ${cut(sql`value`)} FROM ${rows})` : rows;
  const all = columns(
    keys,
    [bucket, sql`hour`],
    [cell, sql`${byRollup(rollups, 'hour', ofMinutes)} AS cell`],
    [counts, sql`count() AS counts`],
    [true, sql`${doubled} AS doubled`],
    [isSummed, pieces('p', sql`value`)],
  );
  return sql`SELECT ${all} FROM ${from} GROUP BY ${group}`;
}

/** A condition on rows of minutes. The hour is repeated because it is what the table is ordered by. */
export function inMinutes({first, end}: BucketRange): Sql {
  const [from, to] = [Math.floor(first / MINUTES_PER_HOUR), Math.floor((end - 1) / MINUTES_PER_HOUR)];
  return sql`hour >= ${from} AND hour <= ${to} AND minute >= ${first} AND minute < ${end}`;
}

/** Hours or days that were made before their minutes were removed; the one made from the most minutes counts. */
function stored(
  {metric, where, keys}: SeriesSelection,
  {first, end}: BucketRange,
  needed: Needed,
  {table, bucket, cell, counts, doubled, letter}: BucketNames,
): Sql {
  const conditions = [sql`metric = ${metric.name} AND ${bucket} >= ${first} AND ${bucket} < ${end}`, ...where];
  const rows = sql`FROM ${table} WHERE ${joined(conditions, ' AND ')} GROUP BY ${joined([...keys, bucket], ', ')}`;
  const never = [true, sql`toUInt8(0) AS ${doubled}`] as const;
  const standing = [
    [needed.bucket, bucket],
    [needed.cell, sql`argMax(value, minutes) AS ${cell}`],
    [needed.counts, sql`max(minutes) AS ${counts}`],
  ] as const;
  if (!needed.pieces) return sql`SELECT ${columns(keys, ...standing, never)} ${rows}`;
  const latest = sql`SELECT ${columns(keys, ...standing)}, argMax(total, minutes) AS whole ${rows}`;
  const same = [
    [needed.bucket, bucket],
    [needed.cell, cell],
    [needed.counts, counts],
  ] as const;
  const apart = sql`SELECT ${columns(keys, ...same)}, whole, ${cut(sql`whole`)} FROM (${latest})`;
  return sql`SELECT ${columns(keys, ...same, never)}, ${cutAlone(letter, sql`whole`)} FROM (${apart})`;
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
