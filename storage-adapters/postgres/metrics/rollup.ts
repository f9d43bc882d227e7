import type {Rollup, RollupHistory} from '../../../core/api/adapter.js';

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
