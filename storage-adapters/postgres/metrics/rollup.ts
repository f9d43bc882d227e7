import type {Rollup} from '../../../core/api/adapter.js';

/**
 * Which rollup a metric had from which hour on, oldest first; each begins with a day. The first counts for everything
 * before it too.
 */
export type RollupHistory = readonly {readonly from: number; readonly rollup: Rollup}[];

const HOURS_PER_DAY = 24;

/** Rows of hours and days hold what every rollup needs, so that a declaration never makes one of them wrong. */
const EXPRESSIONS: Readonly<Record<Rollup, string>> = {
  avg: 'sum / count',
  sum: 'sum',
  min: 'min',
  max: 'max',
  latest: 'latest',
};

/** The value of a bucket, as SQL over a row of the table of the step. */
export function valueExpression(step: 'minute' | 'hour' | 'day', history: RollupHistory): string {
  if (step === 'minute') return 'value';
  const hour = step === 'hour' ? 'bucket' : `bucket * ${HOURS_PER_DAY}`;
  const [first, ...later] = history;
  const initial = EXPRESSIONS[first?.rollup ?? 'avg'];
  if (later.length === 0) return initial;
  const cases = later
    .toReversed()
    .map(({from, rollup}) => `WHEN ${hour} >= ${Math.trunc(from)} THEN ${EXPRESSIONS[rollup]}`);
  return `CASE ${cases.join(' ')} ELSE ${initial} END`;
}

/** The history after a new declaration; `newest` is the newest hour that has values. It counts for the days after that. */
export function redeclared(history: RollupHistory, rollup: Rollup, newest: number | null): RollupHistory {
  const [first, ...later] = history;
  if (newest === null || first === undefined) return [{from: 0, rollup}];
  const from = (Math.floor(newest / HOURS_PER_DAY) + 1) * HOURS_PER_DAY;
  return [first, ...later.filter(entry => entry.from < from), {from, rollup}];
}
