import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';
import {numbers} from '../client/sql.js';
import type {TraceTables} from './tables.js';

/**
 * Spans are listed by periods of five minutes. What a period's lists say holds until a span of it goes, which makes them
 * void; the starts of spans that come later are noted beside them, so that readers look at these too. `pending`: there is
 * something to list.
 */
export const PERIODS_PER_HOUR = 12;
export const MICROS_PER_PERIOD = MICROS_PER_HOUR / PERIODS_PER_HOUR;
/** With more late spans than this, reading the period itself is as cheap. */
const MOST_LATE = 2500;

export function periodOf(microseconds: number): number {
  return Math.floor(microseconds / MICROS_PER_PERIOD);
}

/** Notes which spans have come and gone, by their starts, in the transaction that has written them. */
export async function noteSpans(
  transaction: Transaction,
  {periods: table}: TraceTables,
  added: readonly number[],
  removed: readonly number[],
): Promise<void> {
  const periods = [...new Set(added.map(periodOf))];
  const known = await transaction.query<[number, boolean]>(
    `SELECT period, pending AND NOT listed FROM ${table} WHERE period = ANY($1::int[])`,
    [numbers(periods)],
  );
  if (known.length < periods.length) {
    const found = new Set(known.map(([period]) => period));
    const unknown = periods.filter(period => !found.has(period));
    await transaction.query(`INSERT INTO ${table} (period) SELECT unnest($1::int[])`, [numbers(unknown)]);
  }
  const settled = new Set(known.flatMap(([period, isOpen]) => (isOpen ? [] : [period])));
  if (settled.size > 0)
    await noteLate(
      transaction,
      table,
      added.filter(start => settled.has(periodOf(start))),
    );
  if (removed.length > 0) {
    await transaction.query(
      `UPDATE ${table} SET pending = true, listed = false, late = '{}'
       WHERE period = ANY($1::int[]) AND (listed OR NOT pending)`,
      [numbers([...new Set(removed.map(periodOf))])],
    );
  }
}

async function noteLate(transaction: Transaction, table: string, starts: readonly number[]): Promise<void> {
  const fits = `p.listed AND cardinality(p.late) + cardinality(a.late) <= ${MOST_LATE}`;
  await transaction.query(
    `UPDATE ${table} p
     SET pending = true, listed = ${fits}, late = CASE WHEN ${fits} THEN p.late || a.late ELSE '{}' END
     FROM (
       SELECT period, array_agg(start) AS late FROM unnest($1::int[], $2::bigint[]) AS s (period, start) GROUP BY period
     ) a
     WHERE p.period = a.period`,
    [numbers(starts.map(periodOf)), numbers(starts)],
  );
}
