import type {Rollup, RollupHistory} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY} from '../../../core/toolkit/time.js';
import {joined, type Sql, sql} from '../client/sql.js';

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
