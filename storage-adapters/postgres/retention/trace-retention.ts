import {HOURS_PER_DAY, MS_PER_HOUR} from '../../../core/toolkit/time.js';
import {MAINTENANCE, type PostgresDatabase, type Transaction} from '../client/database.js';
import {lock} from '../schema/locks.js';
import {dayOf, REST} from '../traces/hours.js';
import {MICROS_PER_PERIOD as PERIOD, PERIODS_PER_HOUR} from '../traces/periods.js';
import type {TraceTables} from '../traces/tables.js';
import {type DroppedPartition, dropExpiredPartitions} from './drop-partitions.js';

const TRACES_PER_STEP = 10_000;

/**
 * Removes the traces whose latest span is older than the retention. A trace goes as a whole: spans of an expired day whose
 * trace has not expired move to the partition of those without a day, and the rest of the day is dropped at once. Between
 * drops, expired traces are no longer found, because their rows are gone.
 */
export async function expireTraces(
  database: PostgresDatabase,
  schema: string,
  tables: TraceTables,
  keep: number | undefined,
  now: number,
): Promise<readonly DroppedPartition[]> {
  if (keep === undefined) return [];
  const hour = Math.floor((now - keep) / MS_PER_HOUR);
  const day = dayOf(hour);
  const inTurn = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.transaction(async transaction => {
      await lock(transaction, schema, tables.lock);
      return work(transaction);
    }, MAINTENANCE);
  const {traces, spans, periods, lists} = tables;
  while (await inTurn(transaction => removeTraces(transaction, tables, hour, day)));
  return inTurn(async transaction => {
    await transaction.query(
      `UPDATE ${traces} t SET days = (SELECT array_agg(DISTINCT CASE WHEN d < $1 THEN ${REST} ELSE d END) FROM unnest(days) d)
       FROM (SELECT DISTINCT trace FROM ${spans.name} WHERE bucket < $1) s WHERE t.number = s.trace`,
      [day],
    );
    await transaction.query(
      `UPDATE ${spans.name} s SET bucket = ${REST} FROM ${traces} t WHERE s.bucket < $1 AND t.number = s.trace`,
      [day],
    );
    const period = day * HOURS_PER_DAY * PERIODS_PER_HOUR;
    const dropped = [
      ...(await dropExpiredPartitions(transaction, lists, period)),
      ...(await dropExpiredPartitions(transaction, spans, day)),
    ];
    await transaction.query(
      `DELETE FROM ${periods} WHERE period < $1 AND NOT EXISTS (
         SELECT FROM ${spans.name} WHERE bucket = ${REST} AND start >= period::bigint * ${PERIOD}
           AND start < (period + 1)::bigint * ${PERIOD})`,
      [period],
    );
    // The few spans that are left there are read themselves.
    await transaction.query(
      `UPDATE ${periods} SET pending = false, listed = false, late = '{}' WHERE period < $1 AND (pending OR listed)`,
      [period],
    );
    return dropped;
  });
}

/** Removes some expired traces, with those of their spans that no drop of a partition will remove; false when none is left. */
async function removeTraces(
  transaction: Transaction,
  {traces, spans, periods}: TraceTables,
  hour: number,
  day: number,
): Promise<boolean> {
  const [[removed = 0] = []] = await transaction.query<[number]>(
    `WITH expired AS (
       DELETE FROM ${traces} WHERE number IN (
         SELECT number FROM ${traces} WHERE latest_hour < $1 ORDER BY latest_hour LIMIT ${TRACES_PER_STEP}
       ) RETURNING number, days
     ), spans_removed AS (
       DELETE FROM ${spans.name} s USING expired e WHERE s.bucket >= $2 AND s.trace = e.number AND s.bucket = ANY(e.days)
       RETURNING s.start
     ), unlisted AS (
       UPDATE ${periods} SET pending = true, listed = false, late = '{}'
       WHERE period IN (SELECT floor(start / ${PERIOD}.0)::int FROM spans_removed WHERE start IS NOT NULL)
     )
     SELECT count(*)::int FROM expired`,
    [hour, day],
  );
  return removed === TRACES_PER_STEP;
}
