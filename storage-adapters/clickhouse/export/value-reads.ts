import {joined, type Sql, sql} from '../client/sql.js';

/** The tables of values; `minutes` is keyed by the hour, as `hours` is. */
export type ValueTable = 'minutes' | 'hours' | 'days';

/** What a table has of a metric in an hour or a day. */
export interface Part {
  /** The number of the hour or day. */
  readonly bucket: number;
  readonly name: string;
  readonly rows: number;
}

/** Where an export of values goes on: behind an entity of a part. */
export interface PartPlace {
  readonly number: number;
  readonly name: string;
  readonly key: string;
}

/** Behind every key of sixteen bytes in hexadecimal digits: where a part ends. */
export const PART_END = 'G';

/** A statement has a limited length. */
const PARTS_PER_READ = 200;

/**
 * Parts that one statement reads together, in their order: many small ones, or one that is read entity by entity, because it is
 * large or because the export goes on within it. A statement for each metric and hour would make a copy of a year endless.
 */
export function* runsOf(
  parts: readonly Part[],
  begun: PartPlace | undefined,
  rows: number,
): Generator<readonly Part[]> {
  let run: Part[] = [];
  let count = 0;
  for (const part of parts) {
    const isFull = count + part.rows > rows || run.length === PARTS_PER_READ;
    if (run.length > 0 && (isFull || isAt(run[0], begun))) {
      yield run;
      run = [];
      count = 0;
    }
    run.push(part);
    count += part.rows;
  }
  if (run.length > 0) yield run;
}

export function isAt(part: Part | undefined, place: PartPlace | undefined): boolean {
  return part !== undefined && part.bucket === place?.number && part.name === place.name;
}

/** The rows of some parts. The bounds beside the pairs let the server leave out partitions. */
export function among(run: readonly Part[], bucket: Sql): Sql {
  const buckets = run.map(part => part.bucket);
  const pairs = joined(
    run.map(part => sql`(${part.name}, ${part.bucket})`),
    ', ',
  );
  return sql`${bucket} >= ${Math.min(...buckets)} AND ${bucket} <= ${Math.max(...buckets)} AND (metric, ${bucket}) IN (${pairs})`;
}
