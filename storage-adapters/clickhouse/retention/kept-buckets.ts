import {meanOf} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import type {ClickHouseClient} from '../client/client.js';
import {RowWriter} from '../client/row-writer.js';
import {type Sql, sql} from '../client/sql.js';
import {type BucketRange, buckets, type CutOffs, type SeriesSelection} from '../metrics/buckets.js';
import type {CatalogEntry} from '../metrics/catalog.js';

const KEYS: readonly Sql[] = [sql`service`, sql`entity`, sql`labels`];

/**
 * Stores the hours or days of a metric in the table that takes their place, a bucket at a time: the minutes of it stand in
 * memory at the server meanwhile, and the rows here. They come here because the server cannot round a sum rightly.
 */
export async function keepBuckets(
  client: ClickHouseClient,
  {definition, rollups}: CatalogEntry,
  cutOffs: CutOffs,
  step: 'hour' | 'day',
  {first, end}: BucketRange,
  signal: AbortSignal,
): Promise<void> {
  const into = step === 'hour' ? sql`hours` : sql`days`;
  const bucket = step === 'hour' ? sql`hour` : sql`day`;
  const selection: SeriesSelection = {metric: definition, rollups, where: [], keys: KEYS, cutOffs, read: 'latest'};
  const sum = new ExactSum();
  const set = (terms: readonly number[]): ExactSum => {
    sum.reset();
    for (const term of terms) sum.add(term);
    return sum;
  };
  for (let one = first; one < end; one++) {
    const rows = new RowWriter();
    const summed = buckets(selection, step, {first: one, end: one + 1}, {minutes: true});
    await client.rows(
      sql`SELECT toUInt8(1), service, entity, labels, ${summed.terms}, ${summed.divisor}, ${summed.parts}, ${summed.number} FROM (${summed.from})`,
      row => {
        // A row is decoded again when its end had not come, so nothing is written before.
        const [service, entity, labels] = [row.bytes(16), row.bytes(16), row.strings()];
        const [terms, divisor, parts, number] = [row.float64s(), row.float64(), row.float64s(), row.float64()];
        rows.string(definition.name);
        rows.raw(service);
        rows.raw(entity);
        rows.strings(labels);
        rows.int32(one);
        rows.float64(meanOf(set(terms), divisor));
        rows.float64(set(parts).rounded());
        rows.uint64(BigInt(number));
      },
      signal,
    );
    if (rows.length === 0) continue;
    await client.insert(
      sql`${into} (metric, service, entity, labels, ${bucket}, value, total, minutes)`,
      rows.finish(),
    );
  }
}
