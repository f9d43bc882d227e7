import type {Transaction} from '../client/database.js';
import {numbers} from '../client/sql.js';
import {createPartition, DAYS, HOURS, MINUTES, partitionName, partitionOf} from '../schema/partitions.js';
import {type DaySamples, MINUTES_PER_DAY} from './sample-chunk.js';

const HOURS_PER_DAY = 24;
const COLUMNS = 'series, bucket, count, sum, min, max, latest_minute, latest';

/** What is there, and what is added, as one. */
const MERGE = `ON CONFLICT (series, bucket) DO UPDATE SET
  count = b.count + excluded.count, sum = b.sum + excluded.sum,
  min = least(b.min, excluded.min), max = greatest(b.max, excluded.max),
  latest_minute = greatest(b.latest_minute, excluded.latest_minute),
  latest = CASE WHEN excluded.latest_minute >= b.latest_minute THEN excluded.latest ELSE b.latest END`;

const REPLACE = `ON CONFLICT (series, bucket) DO UPDATE SET
  count = excluded.count, sum = excluded.sum, min = excluded.min, max = excluded.max,
  latest_minute = excluded.latest_minute, latest = excluded.latest`;

const HOUR = 'floor(bucket / 60::float8)::int';

/**
 * Writes minutes, and adds those that are new to their hours and days. A row that has replaced another (its `xmax` is
 * set, which can be seen in a partition only, not in the table as a whole) makes its hour one to be made anew.
 */
const insertInto = (partition: string): string => `
WITH written AS (
  INSERT INTO "${partition}" (series, bucket, value)
  SELECT * FROM unnest($1::int[], $2::int[], $3::float8[])
  ON CONFLICT (series, bucket) DO UPDATE SET value = excluded.value
  RETURNING series, bucket, value, xmax <> 0 AS replaced
), hourly AS (
  SELECT series, ${HOUR} AS hour, bool_or(replaced) AS replaced, count(*)::int AS count, sum(value), min(value), max(value),
    max(bucket) AS latest_minute, (array_agg(value ORDER BY bucket DESC))[1] AS latest
  FROM written GROUP BY 1, 2
), hours_written AS (
  INSERT INTO hours AS b (${COLUMNS})
  SELECT series, hour, count, sum, min, max, latest_minute, latest FROM hourly WHERE NOT replaced
  ${MERGE}
), days_written AS (
  INSERT INTO days AS b (${COLUMNS})
  SELECT series, $4::int, sum(count)::int, sum(sum), min(min), max(max), max(latest_minute),
    (array_agg(latest ORDER BY latest_minute DESC))[1]
  FROM hourly GROUP BY series HAVING NOT bool_or(replaced)
  ${MERGE}
)
SELECT series, hour FROM hourly WHERE replaced`;

const remakeHours = (partition: string): string => `
INSERT INTO hours AS b (${COLUMNS})
SELECT m.series, d.hour, count(*)::int, sum(value), min(value), max(value), max(bucket),
  (array_agg(value ORDER BY bucket DESC))[1]
FROM unnest($1::int[], $2::int[]) AS d (series, hour)
JOIN "${partition}" m ON m.series = d.series AND m.bucket >= d.hour * 60 AND m.bucket < d.hour * 60 + 60
GROUP BY 1, 2 ${REPLACE}`;

const REMAKE_DAYS = `
INSERT INTO days AS b (${COLUMNS})
SELECT h.series, $2::int, sum(count)::int, sum(sum), min(min), max(max), max(latest_minute),
  (array_agg(latest ORDER BY latest_minute DESC))[1]
FROM unnest($1::int[]) AS d (series)
JOIN hours h ON h.series = d.series AND h.bucket >= $3 AND h.bucket < $4
GROUP BY 1 ${REPLACE}`;

/** The partitions that are known to be there. */
export type KnownPartitions = Set<string>;

/** Writes the samples of a day with the hours and the day that follow from them. */
export async function writeDay(
  transaction: Transaction,
  {day, series, minute, value}: DaySamples,
  known: KnownPartitions,
): Promise<void> {
  const partition = partitionName(MINUTES, day * MINUTES_PER_DAY);
  if (!known.has(partition)) {
    await createPartition(transaction, MINUTES, day * MINUTES_PER_DAY);
    await createPartition(transaction, HOURS, partitionOf(HOURS, day * HOURS_PER_DAY));
    await createPartition(transaction, DAYS, partitionOf(DAYS, day));
    known.add(partition);
  }
  const replaced = await transaction.query<[number, number]>(insertInto(partition), [
    numbers(series),
    numbers(minute),
    numbers(value),
    day,
  ]);
  if (replaced.length === 0) return;
  const hours = replaced.map(([, hour]) => hour);
  const owners = replaced.map(([one]) => one);
  await transaction.query(remakeHours(partition), [numbers(owners), numbers(hours)]);
  const first = day * HOURS_PER_DAY;
  await transaction.query(REMAKE_DAYS, [numbers([...new Set(owners)]), day, first, first + HOURS_PER_DAY]);
}
