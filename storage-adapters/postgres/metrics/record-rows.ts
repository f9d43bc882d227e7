import type {RecordInput} from '../../../core/api/adapter.js';
import type {Transaction} from '../client/database.js';
import {encodeText} from '../client/text.js';
import {digestOf} from '../schema/keys.js';
import {createPartition, partitionName, partitionOf, RECORDS} from '../schema/partitions.js';
import type {PostgresEntityRecord} from './entity-record.js';
import type {KnownPartitions} from './sample-rows.js';

const ROWS_PER_STATEMENT = 1000;

/** A record with what it refers to. */
export interface ResolvedRecord {
  readonly input: RecordInput;
  readonly metric: number;
  readonly entity: PostgresEntityRecord;
  readonly entityId: number;
}

/** Writes sampled records. The digest of all that is not in the key already makes a row that is the same in every field one row. */
export async function writeRecords(
  transaction: Transaction,
  records: readonly ResolvedRecord[],
  known: KnownPartitions,
): Promise<void> {
  const partitions = new Set(records.map(({input}) => partitionOf(RECORDS, input.time)));
  for (const first of partitions) {
    const name = partitionName(RECORDS, first);
    if (known.has(name)) continue;
    await createPartition(transaction, RECORDS, first);
    known.add(name);
  }
  for (let from = 0; from < records.length; from += ROWS_PER_STATEMENT) {
    const rows = records.slice(from, from + ROWS_PER_STATEMENT).map(({input, metric, entity, entityId}) => {
      const {content, time, value, traceId = null} = input;
      return {
        metric,
        service: entity.service,
        bucket: time,
        digest: digestOf(entity.key, value + 0, content, traceId),
        entity: entityId,
        value,
        content: encodeText(content),
        trace: traceId === null ? null : encodeText(traceId),
      };
    });
    await transaction.query(
      `INSERT INTO records
       SELECT * FROM json_to_recordset($1) AS row(metric int, service uuid, bucket bigint, digest uuid, entity int,
         value float8, content text, trace text)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }
}
