import type {Rollup} from '../../../core/api/adapter.js';
import {joined, type Sql, sql} from '../sql/sql.js';

/**
 * Which rollup counts from which hour (since the epoch) on, in that order; each begins with a day. The first counts for
 * all hours before too.
 */
export type RollupHistory = readonly {readonly from: number; readonly rollup: Rollup}[];

const HOURS_PER_DAY = 24;

/** The history after a redeclaration; `newest` is the newest hour that has values. It counts for the days after that. */
export function withRollup(history: RollupHistory, rollup: Rollup, newest: number | undefined): RollupHistory {
  if (newest === undefined) return [{from: 0, rollup}];
  const from = (Math.floor(newest / HOURS_PER_DAY) + 1) * HOURS_PER_DAY;
  const kept = history.filter((entry, i) => i === 0 || entry.from < from);
  return kept.at(-1)?.rollup === rollup ? kept : [...kept, {from, rollup}];
}

/** What `choose` says of the rollup that counts for each row: of the hour in the column `hour`, or of the day in `day`. */
export function byRollup(history: RollupHistory, column: 'hour' | 'day', choose: (rollup: Rollup) => Sql): Sql {
  const [first, ...later] = history;
  if (first === undefined) throw new RangeError('BUG: a metric has no rollup.');
  if (later.length === 0) return choose(first.rollup);
  const pieces: Sql[] = [];
  for (const [i, {from}] of later.entries()) {
    const before = column === 'hour' ? sql`hour < ${from}` : sql`day < ${from / HOURS_PER_DAY}`;
    pieces.push(before, choose((history[i] ?? first).rollup));
  }
  pieces.push(choose((history.at(-1) ?? first).rollup));
  return sql`multiIf(${joined(pieces, ', ')})`;
}
