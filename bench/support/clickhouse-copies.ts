import type {ClickHouseServer} from '../../test/support/servers/clickhouse.js';
import type {DatasetShape} from './dataset.js';
import type {TraceKindName} from './trace-cases.js';
import {compatTraceId, largeTrace, nativeTraceId, type TraceShape} from './trace-dataset.js';

/**
 * Large amounts of data in minutes where writing them would take hours: the server itself copies what the gateway has
 * written, row by row into the same tables, so that the copies look as if they had been written too.
 */

const MINUTES_PER_DAY = 1440;
const HOURS_PER_DAY = 24;
const MILLISECONDS_PER_HOUR = 3_600_000;

const database = {database: 'gateway'};

/** The samples of the day `written` for the days before it, back to the start of `shape`; gives their number. */
export async function copyDays(server: ClickHouseServer, shape: DatasetShape, written: DatasetShape): Promise<number> {
  const [first, from] = [shape.start / 60, written.start / 60];
  const count = async (): Promise<number> => Number(await server.query('SELECT count() FROM minutes', database));
  const before = await count();
  for (let day = 1; from - day * MINUTES_PER_DAY > first - MINUTES_PER_DAY; day++) {
    const back = day * MINUTES_PER_DAY;
    await server.query(
      `INSERT INTO minutes (metric, service, entity, labels, hour, minute, value, version)
       SELECT metric, service, entity, labels, hour - ${day * HOURS_PER_DAY}, minute - ${back}, value, version FROM minutes
       WHERE hour >= ${Math.floor(Math.max(first + back, from) / 60)} AND minute >= ${Math.max(first + back, from)}`,
      database,
    );
  }
  return (await count()) - before;
}

/** How a copy differs from what was written, in expressions of the server. Every unit has one span. */
interface Copy {
  /** Matches the ids of what was written. */
  readonly written: string;
  readonly large: string;
  readonly id: (copy: number) => string;
  readonly identity: (id: string) => string;
  readonly body: (id: string, start: string, finish: string) => string;
}

/** Where the text that follows a key begins. The server searches for constants only. */
const after = (key: string): string => `position(body, '"${key}":') + ${key.length + 3}`;
const milliseconds = (time: string): string => `toString(intDiv(${time}, 1000))`;

const COPIES: Readonly<Record<TraceKindName, (shape: TraceShape) => Copy>> = {
  compat: shape => {
    const prefix = compatTraceId(0).slice(0, 16);
    const afterId = `${'{"traceId":"'.length + 1} + length(trace_id)`;
    return {
      written: `${prefix}%`,
      large: compatTraceId(largeTrace(shape)),
      id: copy => `concat('${prefix.slice(0, 12)}${(0xa000 + copy).toString(16)}', substring(trace_id, 17))`,
      identity: () => 'identity',
      body: (id, start) =>
        `concat('{"traceId":"', ${id}, substring(body, ${afterId}, ${after('timestamp')} - (${afterId})), toString(${start}),
           substring(body, ${after('timestamp')} + length(toString(start))))`,
    };
  },
  native: shape => {
    const prefix = 'a12.38.';
    return {
      written: `${prefix}%`,
      large: nativeTraceId(largeTrace(shape)),
      id: copy => `concat('a12.${1000 + copy}.', substring(trace_id, ${prefix.length + 1}))`,
      identity: id => `concat(${id}, substring(identity, length(trace_id) + 1))`,
      body: (id, start, finish) => {
        const layer = `position(body, '","layer":')`;
        return `concat('{"traceId":"', ${id}, '","traceSegmentId":"', ${id}, substring(identity, length(trace_id) + 1),
           substring(body, ${layer}, ${after('startTime')} - ${layer}), ${milliseconds(start)}, ',"endTime":',
           ${milliseconds(finish)}, substring(body, ${after('endTime')} + length(${milliseconds('finish')})))`;
      },
    };
  },
};

/**
 * Makes each trace but the large one so many times as often, each copy with an id of its own and at another time of the
 * same day: so far away that what lies beside it is not what it was copied from.
 */
export async function copyTraces(
  server: ClickHouseServer,
  kind: TraceKindName,
  shape: TraceShape,
  copies: number,
): Promise<void> {
  const {written, large, id, identity, body} = COPIES[kind](shape);
  const day = shape.hours * MILLISECONDS_PER_HOUR;
  const each = day / shape.traces;
  const end = shape.start + day;
  const where = `trace_id LIKE '${written}' AND trace_id != '${large}'`;
  for (let copy = 1; copy < copies; copy++) {
    // A whole number of traces away, and between two of them.
    const ahead = Math.floor(Math.floor((shape.traces * copy) / copies) * each) + Math.floor((each * copy) / copies);
    const later = (time: string): string =>
      `(${time} + ${ahead}000 - if(start + ${ahead}000 >= ${end}000, ${day}000, 0))`;
    const digest = `MD5(concat(toString(digest), '${copy}'))`;
    const start = later('start');
    await server.query(
      `INSERT INTO ${kind}_units (trace_id, identity, version, digest, day, timed, start, finish, body)
       SELECT ${id(copy)}, ${identity(id(copy))}, version, ${digest},
         toInt32(intDiv(${start}, 86400000000)), timed, ${start}, ${later('finish')},
         ${body(id(copy), start, later('finish'))}
       FROM ${kind}_units WHERE ${where}`,
      database,
    );
    await server.query(
      `INSERT INTO ${kind}_spans (hour, service, start, digest, place, trace_id, name, kind, status, has_duration, duration, tag_keys, tag_values)
       SELECT toInt32(intDiv(${start}, 3600000000)), service, ${start}, ${digest}, place, ${id(copy)}, name, kind, status,
         has_duration, duration, tag_keys, tag_values
       FROM ${kind}_spans WHERE ${where}`,
      database,
    );
  }
  for (const table of [`${kind}_units`, `${kind}_spans`]) await mergeParts(server, table);
  for (const [attribute, value] of [
    ...['service', 'name', 'kind', 'status'].map(column => [column, column]),
    ['tag keys', 'arrayJoin(tag_keys)'],
  ]) {
    await server.query(
      `INSERT INTO ${kind}_values (attribute, hour, value, start, rank, digest, trace_id)
       SELECT '${attribute}', hour, listed, earliest, toUInt64(4611686018427387904 - earliest), unit.1, unit.2 FROM (
         SELECT hour, ${value} AS listed, min(start) AS earliest, argMin((digest, trace_id), start) AS unit
         FROM ${kind}_spans GROUP BY hour, listed)
       WHERE listed != ''`,
      database,
    );
  }
}

/**
 * Each copy lies in parts of its own that have every hour of the day, and a search of an hour looks into each of them; what
 * comes in the order of time lies in parts of a few hours, of which it looks into one or two.
 */
async function mergeParts(server: ClickHouseServer, table: string): Promise<void> {
  const partitions = await server.query(
    `SELECT DISTINCT partition FROM system.parts WHERE active AND database = 'gateway' AND table = '${table}'`,
  );
  for (const partition of partitions.trim().split('\n')) {
    await server.query(`OPTIMIZE TABLE ${table} PARTITION ${partition} FINAL`, database);
  }
}

/** Waits until the server has merged what it wants to merge, two minutes at most: what is read meanwhile takes longer. */
export async function settled(server: ClickHouseServer): Promise<void> {
  for (let quiet = 0, asked = 0; quiet < 3 && asked < 120; asked++) {
    quiet = Number(await server.query('SELECT count() FROM system.merges')) === 0 ? quiet + 1 : 0;
    await new Promise(done => setTimeout(done, 1000));
  }
}
