import {SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import type {CutOffs} from '../metrics/buckets.js';

/** The tables of values; `minutes` is keyed by the hour, as `hours` is. */
export type ValueTable = 'minutes' | 'hours' | 'days';

/** What a table has of a metric in an hour or a day, by its number. */
export interface ValuePart {
  readonly bucket: number;
  readonly name: string;
  readonly rows: number;
}

export interface ValueRow {
  readonly name: string;
  /** Of the entity. */
  readonly id: string;
  readonly labels: readonly string[];
  /** Seconds. */
  readonly time: number;
  /** The value that the rollup gives; of a minute the value itself. */
  readonly value: number;
  readonly total: number;
  readonly minutes: number;
}

export const SECONDS_PER_BUCKET: Readonly<Record<ValueTable, number>> = {
  minutes: SECONDS_PER_HOUR,
  hours: SECONDS_PER_HOUR,
  days: SECONDS_PER_DAY,
};

/** Behind every key of sixteen bytes in hexadecimal digits: where a part ends. */
const PART_END = 'G';

/** With an hour of each, some tens of thousands of values. */
const ENTITIES = 500;
/** A statement has a limited length. */
const PARTS_PER_READ = 200;

/** Where a reading of values goes on: behind an entity of a part. */
export interface ValuePlace {
  /** The part's bucket. */
  readonly number: number;
  readonly name: string;
  readonly key: string;
}

/**
 * The rows of parts in their order, with the place behind them: many small parts with one statement (one for each metric and
 * hour would make a copy of a year endless), and entity by entity a part of more than `most` rows or one that `begun` is in.
 */
export async function* readValues(
  client: ClickHouseClient,
  table: ValueTable,
  parts: readonly ValuePart[],
  {most, begun}: {readonly most: number; readonly begun: ValuePlace | undefined},
  signal: AbortSignal,
): AsyncGenerator<{readonly rows: readonly ValueRow[]; readonly place: ValuePlace}> {
  const isBegun = ({bucket, name}: ValuePart): boolean => bucket === begun?.number && name === begun.name;
  const alone = (part: ValuePart): boolean => part.rows > most || isBegun(part);
  for (const run of runsOf(parts, most, alone)) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (!alone(first)) {
      const rows = await readRun(client, table, run, signal);
      yield {rows, place: {number: last.bucket, name: last.name, key: PART_END}};
      continue;
    }
    for (let key = begun !== undefined && isBegun(first) ? begun.key : ''; key !== PART_END; ) {
      const read = await readSome(client, table, first, key, signal);
      key = read.key;
      yield {rows: read.rows, place: {number: first.bucket, name: first.name, key}};
    }
  }
}

/** Neighbours that have at most so many rows together. */
function* runsOf(
  parts: readonly ValuePart[],
  most: number,
  alone: (part: ValuePart) => boolean,
): Generator<readonly ValuePart[]> {
  let run: ValuePart[] = [];
  let count = 0;
  for (const part of parts) {
    const isFull = count + part.rows > most || run.length === PARTS_PER_READ || alone(part);
    if (run.length > 0 && isFull) {
      yield run;
      run = [];
      count = 0;
    }
    run.push(part);
    count += alone(part) ? Number.POSITIVE_INFINITY : part.rows;
  }
  if (run.length > 0) yield run;
}

/** The latest hour or day first, and in it metric by metric. Hours and days only as far as they are kept, not made. */
export function readParts(
  client: ClickHouseClient,
  table: ValueTable,
  cutOffs: CutOffs,
  signal: AbortSignal,
): Promise<readonly ValuePart[]> {
  const before = table === 'minutes' ? Number.MAX_SAFE_INTEGER : cutOffs[table];
  return client.rows(
    sql`SELECT toUInt8(1), ${column(table)} AS bucket, metric, count() FROM ${from(table)} WHERE bucket < ${before} GROUP BY bucket, metric ORDER BY bucket DESC, metric`,
    row => ({bucket: row.int32(), name: row.string(), rows: Number(row.uint64())}),
    signal,
  );
}

/** Of the entities of one part that come behind a key, in the order of theirs. `key` is the part's end with the last of them. */
async function readSome(
  client: ClickHouseClient,
  table: ValueTable,
  part: ValuePart,
  behind: string,
  signal: AbortSignal,
): Promise<{readonly rows: readonly ValueRow[]; readonly key: string}> {
  const where = sql`metric = ${part.name} AND ${column(table)} = ${part.bucket}`;
  const ids = await client.rows(
    sql`SELECT toUInt8(1), hex(entity) AS id FROM ${from(table)} WHERE ${where} AND hex(entity) > ${behind} GROUP BY id ORDER BY id LIMIT ${ENTITIES}`,
    row => row.string(),
    signal,
  );
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return {rows: [], key: PART_END};
  const bounds = sql`hex(entity) >= ${first} AND hex(entity) <= ${last}`;
  const rows = await readRows(client, table, sql`${where} AND ${bounds}`, signal);
  return {rows, key: ids.length < ENTITIES ? PART_END : last};
}

/** The bounds beside the pairs let the server leave out partitions. */
function readRun(
  client: ClickHouseClient,
  table: ValueTable,
  run: readonly ValuePart[],
  signal: AbortSignal,
): Promise<readonly ValueRow[]> {
  const buckets = run.map(({bucket}) => bucket);
  const pairs = joined(
    run.map(({name, bucket}) => sql`(${name}, ${bucket})`),
    ', ',
  );
  const [first, last] = [Math.min(...buckets), Math.max(...buckets)];
  const where = sql`${column(table)} >= ${first} AND ${column(table)} <= ${last} AND (metric, ${column(table)}) IN (${pairs})`;
  return readRows(client, table, where, signal);
}

function readRows(client: ClickHouseClient, table: ValueTable, where: Sql, signal: AbortSignal) {
  const isMinutes = table === 'minutes';
  const [time, values] = isMinutes
    ? [sql`minute`, sql`argMax(value, version), toFloat64(0), toUInt64(1)`]
    : [column(table), sql`argMax(value, minutes), argMax(total, minutes), max(minutes)`];
  const seconds = isMinutes ? SECONDS_PER_MINUTE : SECONDS_PER_BUCKET[table];
  return client.rows<ValueRow>(
    sql`SELECT toUInt8(1), metric, hex(entity), labels, ${time} AS time, ${values} FROM ${from(table)} WHERE ${where} GROUP BY metric, entity, labels, time`,
    row => ({
      name: row.string(),
      id: row.string(),
      labels: row.strings(),
      time: row.int32() * seconds,
      value: row.float64() + 0,
      total: row.float64() + 0,
      minutes: Number(row.uint64()),
    }),
    signal,
  );
}

function from(table: ValueTable): Sql {
  return {minutes: sql`minutes`, hours: sql`hours`, days: sql`days`}[table];
}

function column(table: ValueTable): Sql {
  return table === 'days' ? sql`day` : sql`hour`;
}
