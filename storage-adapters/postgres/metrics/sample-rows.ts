import {HOURS_PER_DAY, MINUTES_PER_DAY} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';
import {numbers} from '../client/sql.js';
import {createPartition, DAYS, HOURS, MINUTES, partitionName, partitionOf} from '../schema/partitions.js';
import type {DaySamples} from './day-samples.js';
import {ADDED_UP, AS_SUM, CUT, SUM_COLUMNS} from './exact-sums.js';

const TOTAL_COLUMNS = `count, ${SUM_COLUMNS}, min, max, latest_minute, latest`;
const COLUMNS = `series, bucket, ${TOTAL_COLUMNS}`;

/** Of rows that were cut, what a longer bucket holds of them. */
const TOTALS = `count(*)::int AS count, ${ADDED_UP}, min(value) AS min, max(value) AS max, max(bucket) AS latest_minute,
  (array_agg(value ORDER BY bucket DESC))[1] AS latest`;

/** The same of one row alone. Aggregates would cost as much as the rows themselves where a minute has a value of each series. */
const ONE = `1 AS count, ${AS_SUM}, value AS min, value AS max, bucket AS latest_minute, value AS latest`;

/** What is there, and what is added, as one. */
const MERGE = `ON CONFLICT (series, bucket) DO UPDATE SET
  count = b.count + excluded.count, c0 = b.c0 + excluded.c0, c1 = b.c1 + excluded.c1, c2 = b.c2 + excluded.c2,
  c3 = b.c3 + excluded.c3, unfit = b.unfit || excluded.unfit,
  min = least(b.min, excluded.min), max = greatest(b.max, excluded.max),
  latest_minute = greatest(b.latest_minute, excluded.latest_minute),
  latest = CASE WHEN excluded.latest_minute >= b.latest_minute THEN excluded.latest ELSE b.latest END`;

const REPLACE = `ON CONFLICT (series, bucket) DO UPDATE SET
  count = excluded.count, rounded_sum = excluded.rounded_sum, c0 = excluded.c0, c1 = excluded.c1, c2 = excluded.c2, c3 = excluded.c3,
  unfit = excluded.unfit, min = excluded.min, max = excluded.max,
  latest_minute = excluded.latest_minute, latest = excluded.latest`;

const HOUR = 'floor(bucket / 60::float8)::int';

/**
 * Writes minutes, and adds those that are new to their hours and days. A row that has replaced another (its `xmax` is
 * set, which can be seen in a partition only, not in the table as a whole) makes its hour one to be made anew. `isSingle`:
 * each series has one row.
 */
const insertInto = (partition: string, isSingle: boolean): string => `
WITH written AS (
  INSERT INTO "${partition}" (series, bucket, value)
  SELECT * FROM unnest($1::int[], $2::int[], $3::float8[])
  ON CONFLICT (series, bucket) DO UPDATE SET value = excluded.value
  RETURNING series, bucket, value, xmax <> 0 AS replaced
), cut AS MATERIALIZED (
  SELECT series, bucket, value, ${HOUR} AS hour, replaced, ${CUT} FROM written
), hourly AS (
  ${isSingle ? `SELECT series, hour, replaced, ${ONE} FROM cut` : `SELECT series, hour, bool_or(replaced) AS replaced, ${TOTALS} FROM cut GROUP BY 1, 2`}
), hours_written AS (
  INSERT INTO hours AS b (${COLUMNS})
  SELECT series, hour, ${TOTAL_COLUMNS} FROM hourly WHERE NOT replaced
  ${MERGE}
), days_written AS (
  INSERT INTO days AS b (${COLUMNS})
  ${isSingle ? `SELECT series, $4::int, ${TOTAL_COLUMNS} FROM hourly WHERE NOT replaced` : `SELECT series, $4::int, ${TOTALS} FROM cut GROUP BY series HAVING NOT bool_or(replaced)`}
  ${MERGE}
)
SELECT series, hour FROM hourly WHERE replaced`;

const remakeHours = (partition: string): string => `
WITH cut AS MATERIALIZED (
  SELECT m.series, d.hour, m.bucket, m.value, ${CUT}
  FROM unnest($1::int[], $2::int[]) AS d (series, hour)
  JOIN "${partition}" m ON m.series = d.series AND m.bucket >= d.hour * 60 AND m.bucket < d.hour * 60 + 60
)
INSERT INTO hours AS b (${COLUMNS})
SELECT series, hour, ${TOTALS} FROM cut GROUP BY 1, 2 ${REPLACE}`;

const REMAKE_DAYS = `
INSERT INTO days AS b (${COLUMNS}, rounded_sum)
SELECT h.series, $2::int, sum(count)::int, sum(c0), sum(c1), sum(c2), sum(c3),
  CASE WHEN bool_or(unfit IS NOT NULL) THEN (
    SELECT array_agg(one) FROM hours o CROSS JOIN LATERAL unnest(o.unfit) one
    WHERE o.series = h.series AND o.bucket >= $3 AND o.bucket < $4) END,
  min(min), max(max), max(latest_minute), (array_agg(latest ORDER BY latest_minute DESC))[1], sum(rounded_sum)
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
  const isSingle = series.every((one, i) => one !== series[i - 1]);
  const replaced = await transaction.query<[number, number]>(insertInto(partition, isSingle), [
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
