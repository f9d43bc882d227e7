import {MS_PER_HOUR, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {MAINTENANCE, type PostgresDatabase, type Transaction} from '../client/database.js';
import type {Retention} from '../config.js';
import {lock} from '../schema/locks.js';
import {DAYS, HOURS, MINUTES, type PartitionedTable, partitionOf, RECORDS} from '../schema/partitions.js';
import {type DroppedPartition, dropExpiredPartitions} from './drop-partitions.js';

const FOREVER = Number.POSITIVE_INFINITY;

/**
 * Moves the cut-off before which no samples are taken any more, and drops what lies before it. Hours are remade from
 * minutes when a minute is written again, so each kind is kept at least as long as the one before. The cut-off is stored:
 * it stands when the retention is lengthened later.
 */
export async function expireMetrics(
  database: PostgresDatabase,
  schema: string,
  retention: Retention,
  now: number,
): Promise<readonly DroppedPartition[]> {
  const minute = retention.minute ?? FOREVER;
  const hour = Math.max(minute, retention.hour ?? FOREVER);
  const day = Math.max(hour, retention.day ?? FOREVER);
  if (minute === FOREVER) return [];
  return database.transaction(async transaction => {
    await lock(transaction, schema, 'metrics');
    await moveCutoff(transaction, minute, now);
    const dropped: DroppedPartition[] = [];
    for (const [table, keep] of [
      [MINUTES, minute],
      [HOURS, hour],
      [DAYS, day],
    ] as const) {
      if (keep < FOREVER)
        dropped.push(...(await dropExpiredPartitions(transaction, table, cutoffOf(table, keep, now))));
    }
    return dropped;
  }, MAINTENANCE);
}

/** Moves the cut-off alone, so that the first samples of a gateway meet it too. */
export async function refuseExpired(
  database: PostgresDatabase,
  schema: string,
  {minute = FOREVER}: Retention,
  now: number,
): Promise<void> {
  if (minute === FOREVER) return;
  await database.transaction(async transaction => {
    await lock(transaction, schema, 'metrics');
    await moveCutoff(transaction, minute, now);
  });
}

/**
 * A cut-off in the future was set by a clock that was wrong, and every sample would be refused until then. What it stands for
 * are hours that have values, so it comes back to the end of those.
 */
export async function bringCutoffBack(database: PostgresDatabase, schema: string, now: number): Promise<boolean> {
  const present = Math.floor(now / MS_PER_HOUR) + 1;
  return database.transaction(async transaction => {
    await lock(transaction, schema, 'metrics');
    const moved = await transaction.query(
      `UPDATE store SET minute_border = (SELECT 60 * (max(bucket) + 1) FROM hours WHERE bucket < $1::int)
       WHERE minute_border > 60 * $1::int RETURNING 1`,
      [present],
    );
    return moved.length > 0;
  });
}

async function moveCutoff(transaction: Transaction, minute: number, now: number): Promise<void> {
  await transaction.query(
    'UPDATE store SET minute_border = $1::int WHERE minute_border IS NULL OR minute_border < $1::int',
    [cutoffOf(MINUTES, minute, now)],
  );
}

export async function expireRecords(
  database: PostgresDatabase,
  schema: string,
  keep: number | undefined,
  now: number,
): Promise<readonly DroppedPartition[]> {
  if (keep === undefined) return [];
  return database.transaction(async transaction => {
    await lock(transaction, schema, 'metrics');
    return dropExpiredPartitions(transaction, RECORDS, cutoffOf(RECORDS, keep, now));
  }, MAINTENANCE);
}

/** The start of the oldest partition that has not expired as a whole. */
function cutoffOf(table: PartitionedTable, keep: number, now: number): number {
  return partitionOf(table, Math.floor((now - keep) / MS_PER_SECOND / table.unit));
}
