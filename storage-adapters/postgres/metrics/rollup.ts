import type {Rollup, RollupHistory} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY} from '../../../core/toolkit/time.js';
import {ROUNDED, SIZE, TERMS} from './exact-sums.js';

/** What the value of a bucket is made of: the sum of `terms` by `divisor`; and that rounded, and a bound of its terms. */
export interface ValueColumns {
  readonly terms: string;
  readonly divisor: string;
  readonly rounded: string;
  readonly size: string;
}

/** Rows of hours and days hold what every rollup needs, so that a declaration never makes one of them wrong. */
const COLUMNS: Readonly<Record<Rollup, ValueColumns>> = {
  avg: {terms: TERMS, divisor: 'count', rounded: `${ROUNDED} / count`, size: SIZE},
  sum: {terms: TERMS, divisor: '1', rounded: ROUNDED, size: SIZE},
  min: ofColumn('min'),
  max: ofColumn('max'),
  latest: ofColumn('latest'),
};

function ofColumn(name: string): ValueColumns {
  return {terms: `ARRAY[${name}]`, divisor: '1', rounded: name, size: `abs(${name})`};
}

/** The columns of a bucket, as SQL over a row of the table of the step. */
export function valueColumns(step: 'hour' | 'day', history: RollupHistory): ValueColumns {
  const hour = step === 'hour' ? 'bucket' : `bucket * ${HOURS_PER_DAY}`;
  const [first, ...later] = history;
  const choose = (column: keyof ValueColumns): string => {
    const initial = COLUMNS[first?.rollup ?? 'avg'][column];
    if (later.length === 0) return initial;
    const cases = later
      .toReversed()
      .map(({from, rollup}) => `WHEN ${hour} >= ${Math.trunc(from)} THEN ${COLUMNS[rollup][column]}`);
    return `CASE ${cases.join(' ')} ELSE ${initial} END`;
  };
  return {terms: choose('terms'), divisor: choose('divisor'), rounded: choose('rounded'), size: choose('size')};
}
