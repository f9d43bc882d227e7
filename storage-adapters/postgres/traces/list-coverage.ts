import type {TimeWindow} from '../../../core/api/adapter.js';
import type {Transaction} from '../client/database.js';
import {MICROS_PER_PERIOD, PERIODS_PER_HOUR, periodOf} from './periods.js';
import {type ListScope, type ListSubject, listId, MARKER} from './span-lists.js';
import type {TraceTables} from './tables.js';

/** More than this are run together, at the shortest gaps. */
const MOST_RANGES = 24;

/** What tells the values of a window: lists for the one part, spans for the other. */
export interface ListCoverage {
  /** Periods whose list tells all, but for spans that came late. */
  readonly listed: readonly number[];
  /** The starts of spans of these periods that came late. */
  readonly late: readonly number[];
  /** Where spans have to be read, in the order of time. */
  readonly ranges: readonly TimeWindow[];
  /** The hours in which the spans to be read start. */
  readonly hours: readonly number[];
}

type PeriodRow = [period: number, isListed: boolean, late: number[]];

/**
 * Finds out how the values of a window are told. A list says when each value came first, so it tells the values of a
 * period that the window ends in; of one that it begins in, the spans have to be read.
 */
export async function coverageOf(
  transaction: Transaction,
  {periods, lists}: TraceTables,
  {from, to}: TimeWindow,
  scope: ListScope | undefined,
  listed: ListSubject,
): Promise<ListCoverage> {
  const ids = scope === undefined ? [null, null] : [listId(scope, MARKER), listId(scope, listed)];
  const rows = await transaction.query<PeriodRow>(
    `SELECT p.period, p.listed AND m.period IS NOT NULL AND (l.period IS NULL OR l.entries IS NOT NULL), p.late::float8[]
     FROM ${periods} p
       LEFT JOIN ${lists.name} m ON m.period = p.period AND m.list = $3::uuid AND m.period BETWEEN $1 AND $2
       LEFT JOIN ${lists.name} l ON l.period = p.period AND l.list = $4::uuid AND l.period BETWEEN $1 AND $2
     WHERE p.period BETWEEN $1 AND $2 ORDER BY p.period`,
    [...bounds(from, to), ...ids],
  );
  const isCut = ([period]: PeriodRow): boolean => period * MICROS_PER_PERIOD < from;
  const told = rows.filter(row => row[1] && !isCut(row));
  const read = rows.filter(row => !row[1] || isCut(row));
  const late = told.flatMap(([, , starts]) => starts).filter(start => start < to);
  const toRead = [...read.map(([period]) => period), ...late.map(periodOf)];
  return {
    listed: told.map(([period]) => period),
    late,
    ranges: runTogether(read.map(([period]) => part(period, from, to))),
    hours: [...new Set(toRead.map(period => Math.floor(period / PERIODS_PER_HOUR)))].sort((a, b) => a - b),
  };
}

/** The first and the last period of a window, as the database can hold them. */
function bounds(from: number, to: number): readonly number[] {
  const most = 2 ** 31 - 1;
  return [from, to - 1].map(time => Math.max(-most, Math.min(most, periodOf(time))));
}

function part(period: number, from: number, to: number): TimeWindow {
  const begin = period * MICROS_PER_PERIOD;
  return {from: Math.max(from, begin), to: Math.min(to, begin + MICROS_PER_PERIOD)};
}

function runTogether(parts: readonly TimeWindow[]): readonly TimeWindow[] {
  const gaps = parts.slice(1).map(({from}, i) => from - (parts[i]?.to ?? from));
  const [least = 0] = gaps.toSorted((a, b) => b - a).slice(MOST_RANGES - 1);
  const ranges: {from: number; to: number}[] = [];
  for (const [i, {from, to}] of parts.entries()) {
    const last = ranges.at(-1);
    if (last !== undefined && (gaps[i - 1] ?? 0) <= least) last.to = to;
    else ranges.push({from, to});
  }
  return ranges;
}
