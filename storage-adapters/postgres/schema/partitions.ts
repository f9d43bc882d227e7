import {
  HOURS_PER_DAY,
  MINUTES_PER_DAY,
  MS_PER_SECOND,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  SECONDS_PER_MINUTE,
} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';

/** A partitioned table: how many seconds its unit of time has, and how many units lie in one partition. */
export interface PartitionedTable {
  readonly name: 'minutes' | 'hours' | 'days' | 'records' | 'spans' | 'span_lists' | 'otlp_spans' | 'otlp_span_lists';
  readonly unit: number;
  readonly width: number;
  /** Leaves room for rows to be changed in place. */
  readonly fillfactor?: number;
}

export const MINUTES: PartitionedTable = {name: 'minutes', unit: SECONDS_PER_MINUTE, width: MINUTES_PER_DAY};
export const HOURS: PartitionedTable = {
  name: 'hours',
  unit: SECONDS_PER_HOUR,
  width: 8 * HOURS_PER_DAY,
  fillfactor: 60,
};
export const DAYS: PartitionedTable = {name: 'days', unit: SECONDS_PER_DAY, width: 128, fillfactor: 60};
export const RECORDS: PartitionedTable = {name: 'records', unit: 1, width: SECONDS_PER_DAY};
export const SPANS: PartitionedTable = {name: 'spans', unit: SECONDS_PER_DAY, width: 1};
export const SPAN_LISTS: PartitionedTable = {name: 'span_lists', unit: 300, width: 288};
export const OTLP_SPANS: PartitionedTable = {...SPANS, name: 'otlp_spans'};
export const OTLP_SPAN_LISTS: PartitionedTable = {...SPAN_LISTS, name: 'otlp_span_lists'};

/** The first bucket of the partition that a bucket lies in. */
export function partitionOf({width}: PartitionedTable, bucket: number): number {
  return Math.floor(bucket / width) * width;
}

/** Named after the UTC day on which it begins. */
export function partitionName({name, unit}: PartitionedTable, first: number): string {
  const date = new Date(first * unit * MS_PER_SECOND).toISOString().slice(0, -'T00:00:00.000Z'.length);
  return `${name}_${date.replace(/^-/, 'bc').replace(/[^0-9bc]/g, '_')}`;
}

/**
 * Makes a partition within a transaction that holds the lock of its table's writer. A table that is made first and
 * attached then keeps no reader waiting, as one that is made in its place would.
 */
export async function createPartition(transaction: Transaction, table: PartitionedTable, first: number): Promise<void> {
  const name = partitionName(table, first);
  const [[found] = []] = await transaction.query<[string | null]>('SELECT to_regclass($1)::text', [name]);
  if (typeof found === 'string') return;
  const options = table.fillfactor === undefined ? '' : ` WITH (fillfactor = ${table.fillfactor})`;
  await transaction.query(`CREATE TABLE "${name}" (LIKE ${table.name} INCLUDING DEFAULTS INCLUDING INDEXES)${options}`);
  await transaction.query(
    `ALTER TABLE ${table.name} ATTACH PARTITION "${name}" FOR VALUES FROM (${first}) TO (${first + table.width})`,
  );
}
