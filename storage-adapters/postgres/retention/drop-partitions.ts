import type {Transaction} from '../client/database.js';
import {type PartitionedTable, partitionName, partitionOf} from '../schema/partitions.js';

/**
 * Dropping a partition waits for the queries that read the table, and keeps others waiting meanwhile: not for longer than
 * this; it is tried again later.
 */
const LOCK_TIMEOUT = '500ms';

export interface DroppedPartition {
  readonly name: string;
  /** Its size with its indexes. */
  readonly bytes: number;
}

/** Drops the partitions that end at or before `cutoff`, a bucket, and tells which. */
export async function dropExpiredPartitions(
  transaction: Transaction,
  table: PartitionedTable,
  cutoff: number,
): Promise<readonly DroppedPartition[]> {
  const rows = await transaction.query<[string, number, number]>(
    `SELECT c.relname::text, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''?(-?[0-9]+)')::float8,
            pg_total_relation_size(c.oid)::float8
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
    [table.name],
  );
  const expired = rows.filter(
    ([name, first]) => first + table.width <= cutoff && name === partitionName(table, partitionOf(table, first)),
  );
  if (expired.length === 0) return [];
  await transaction.query("SELECT set_config('lock_timeout', $1, true)", [LOCK_TIMEOUT]);
  for (const [name] of expired) await transaction.query(`DROP TABLE "${name}"`);
  await transaction.query('UPDATE store SET layout_version = layout_version + 1');
  return expired.map(([name, , bytes]) => ({name, bytes}));
}
