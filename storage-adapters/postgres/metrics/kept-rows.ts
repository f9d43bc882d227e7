import {type KeptBucket, rollupAt} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR, SECONDS_PER_DAY, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';
import {createPartition, DAYS, HOURS, partitionName, partitionOf} from '../schema/partitions.js';
import type {KnownMetric} from './catalog.js';
import type {KnownPartitions} from './sample-rows.js';

const ROWS_PER_STATEMENT = 2000;
const TABLES = {
  hour: {table: HOURS, seconds: SECONDS_PER_HOUR},
  day: {table: DAYS, seconds: SECONDS_PER_DAY},
} as const;

/** An hour or a day with the row of its series. */
export interface ResolvedBucket {
  readonly bucket: KeptBucket;
  readonly series: number;
  readonly metric: KnownMetric;
}

/**
 * Writes hours and days whose minutes are gone. Of the same bucket the one of more minutes stands. A sum stands in `unfit` as it
 * came; of the rollups that do not count for the bucket there is nothing, and none is asked for.
 */
export async function writeKept(
  transaction: Transaction,
  buckets: readonly ResolvedBucket[],
  known: KnownPartitions,
): Promise<void> {
  for (const step of ['hour', 'day'] as const) {
    const {table, seconds} = TABLES[step];
    const some = buckets.filter(({bucket}) => bucket.step === step);
    for (const first of new Set(some.map(({bucket}) => partitionOf(table, bucket.time / seconds)))) {
      const name = partitionName(table, first);
      if (known.has(name)) continue;
      await createPartition(transaction, table, first);
      known.add(name);
    }
    for (let from = 0; from < some.length; from += ROWS_PER_STATEMENT) {
      const rows = some.slice(from, from + ROWS_PER_STATEMENT).map(one => rowOf(one, seconds));
      await transaction.query(
        `INSERT INTO ${table.name} AS b (series, bucket, count, unfit, min, max, latest_minute, latest)
         SELECT series, bucket, count, unfit, value, value, latest_minute, value FROM json_to_recordset($1)
           AS row(series int, bucket int, count int, unfit float8[], value float8, latest_minute int)
         ON CONFLICT (series, bucket) DO UPDATE SET count = excluded.count, rounded_sum = 0, c0 = 0, c1 = 0, c2 = 0, c3 = 0,
           unfit = excluded.unfit, min = excluded.min, max = excluded.max, latest = excluded.latest
         WHERE b.count < excluded.count`,
        [JSON.stringify(rows)],
      );
    }
  }
}

function rowOf({bucket: {time, minutes, terms, step}, series, metric}: ResolvedBucket, seconds: number) {
  const rollup = rollupAt(metric.rollups, Math.floor(time / SECONDS_PER_HOUR));
  const isSum = rollup === 'avg' || rollup === 'sum';
  const bucket = time / seconds;
  const hours = step === 'hour' ? 1 : HOURS_PER_DAY;
  return {
    series,
    bucket,
    count: minutes,
    unfit: isSum ? terms : null,
    value: isSum ? 0 : (terms[0] ?? 0),
    latest_minute: (bucket + 1) * hours * MINUTES_PER_HOUR - 1,
  };
}

/** Minutes from which on samples are still taken: behind the latest hour, and behind a day that has no hours. */
export async function borderOf(transaction: Transaction, buckets: readonly ResolvedBucket[]): Promise<number> {
  let border = Number.NEGATIVE_INFINITY;
  for (const {bucket} of buckets) {
    if (bucket.step === 'hour') border = Math.max(border, (bucket.time / SECONDS_PER_HOUR + 1) * MINUTES_PER_HOUR);
  }
  const days = new Set(buckets.filter(({bucket: {step}}) => step === 'day').map(({bucket}) => bucket.time));
  const newest = Math.max(...days);
  if (!Number.isFinite(newest)) return border;
  const first = newest / SECONDS_PER_HOUR;
  const [[hours = 0] = []] = await transaction.query<[number]>(
    'SELECT count(*)::int FROM (SELECT FROM hours WHERE bucket >= $1 AND bucket < $2 LIMIT 1) one',
    [first, first + HOURS_PER_DAY],
  );
  return hours > 0 ? border : Math.max(border, (first + HOURS_PER_DAY) * MINUTES_PER_HOUR);
}

/** From now on no samples are taken of minutes before. Nothing is removed for that. */
export async function raiseBorder(transaction: Transaction, minute: number): Promise<void> {
  if (!Number.isFinite(minute)) return;
  await transaction.query(
    'UPDATE store SET minute_border = $1::int WHERE minute_border IS NULL OR minute_border < $1::int',
    [minute],
  );
}
