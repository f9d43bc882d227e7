import {type BucketWindow, STEP_SECONDS} from '../../../core/api/adapter.js';
import {meanOf} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import type {PostgresDatabase} from '../client/database.js';
import {type PostgresParameters, parseNumbers} from '../client/sql.js';
import type {KnownMetric} from './catalog.js';
import {valueColumns} from './rollup.js';

/** 32-bit integers are what buckets are stored as. */
const LAST_BUCKET = 2_147_483_647;
const TABLES = {minute: 'minutes', hour: 'hours', day: 'days'} as const;

export interface BucketColumn {
  /** JSON. */
  readonly labels: string;
  readonly values: Float64Array;
  readonly present: Uint8Array;
}

/** The series that the conditions let pass, on the entities `e` and series `s`, over a window. */
export async function readBuckets(
  database: PostgresDatabase,
  metric: KnownMetric,
  window: BucketWindow,
  conditions: readonly string[],
  parameters: PostgresParameters,
  signal: AbortSignal,
): Promise<readonly BucketColumn[]> {
  const values =
    window.step === 'minute' ? "'', array_agg(b.value)::text" : 'json_agg(b.terms)::text, array_agg(b.divisor)::text';
  const rows = await database.query<[labels: string, buckets: string, terms: string, numbers: string]>(
    `SELECT to_json(s.labels)::text, array_agg(b.bucket)::text, ${values}
     FROM entities e JOIN series s ON s.entity = e.id CROSS JOIN LATERAL ${bucketSource(metric, window, parameters)} b
     WHERE ${conditions.join(' AND ')} GROUP BY s.id`,
    parameters.values,
    signal,
  );
  return rows.map(([labels, buckets, terms, numbers]) => ({
    labels,
    ...columnOf(window, parseNumbers(buckets), terms === '' ? parseNumbers(numbers) : quotients(terms, numbers)),
  }));
}

/** The buckets of `s` in a window: `value` of a minute, the columns of its value of an hour or a day. As a subquery of each series it is always read by the index. */
export function bucketSource({rollups}: KnownMetric, window: BucketWindow, parameters: PostgresParameters): string {
  const {step} = window;
  return `(SELECT bucket, ${columnsOf(step, rollups)} FROM ${TABLES[step]} WHERE ${isInWindow(window, parameters)})`;
}

/** Whether a series `s` has a bucket in a window. */
export function hasBuckets(window: BucketWindow, parameters: PostgresParameters): string {
  return `EXISTS (SELECT FROM ${TABLES[window.step]} WHERE ${isInWindow(window, parameters)} OFFSET 0)`;
}

function isInWindow({step, first, count}: BucketWindow, parameters: PostgresParameters): string {
  const begin = Math.floor(first / STEP_SECONDS[step]);
  const from = parameters.add(clamped(begin), 'int');
  const to = parameters.add(clamped(begin + count - 1), 'int');
  return `series = s.id AND bucket BETWEEN ${from} AND ${to}`;
}

function columnsOf(step: BucketWindow['step'], rollups: KnownMetric['rollups']): string {
  if (step === 'minute') return 'value';
  const {terms, divisor, rounded, size} = valueColumns(step, rollups);
  return `${terms} AS terms, ${divisor} AS divisor, ${rounded} AS rounded, (${size}) / (${divisor}) AS size`;
}

export function clamped(bucket: number): number {
  return Math.max(-LAST_BUCKET, Math.min(LAST_BUCKET, bucket));
}

function quotients(terms: string, divisors: string): readonly number[] {
  const lists = JSON.parse(terms) as readonly (readonly number[])[];
  const sum = new ExactSum();
  return parseNumbers(divisors).map((divisor, i) => {
    sum.reset();
    for (const term of lists[i] ?? []) sum.add(term);
    return meanOf(sum, divisor);
  });
}

function columnOf({step, first, count}: BucketWindow, buckets: readonly number[], found: readonly number[]) {
  const values = new Float64Array(count);
  const present = new Uint8Array(count);
  const begin = first / STEP_SECONDS[step];
  buckets.forEach((bucket, i) => {
    values[bucket - begin] = found[i] ?? 0;
    present[bucket - begin] = 1;
  });
  return {values, present};
}
