import type {SpanFilter, TimeWindow, TraceSummary} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import type {Row} from '../client/row-reader.js';
import {joined, Sql, sql} from '../client/sql.js';
import type {TraceBounds} from './loader.js';
import type {TraceKind} from './model.js';
import {MICROSECONDS_PER_HOUR} from './row.js';
import {inWindow, spanConditions} from './span-conditions.js';

/** Traces of no more units are read whole: many of them take one statement. */
const SMALL = 128;
/** Units that are named one by one in a statement; of more the server makes the list itself. */
const MOST_NAMED = 256;
const DIGEST_BYTES = 16;
/** The spans of all traces are looked at as long as a trace lasts: one that lasts longer is read whole. */
const MOST_TIME = 24 * MICROSECONDS_PER_HOUR;

interface FoundUnits<Unit> {
  readonly units: readonly Unit[];
  readonly summary: TraceSummary<Unit>;
}

/** The digests of the units with a matching span, or of the first ones of many, as a search comes upon them. */
export type MatchingUnits = readonly Uint8Array[];

/** A trace of which only what matches is worth reading. */
export interface LargeTrace {
  readonly bounds: TraceBounds;
  /** Undefined while not all of them are known. */
  readonly matching: MatchingUnits | undefined;
}

/** Reads of large traces what a search shows: the units with a matching span, the root and the extent. */
export class TraceMatches<Unit> {
  readonly #client: ClickHouseClient;
  readonly #kind: TraceKind<Unit, unknown>;
  readonly #conditions: readonly Sql[];
  readonly #units: Sql;
  readonly #spans: Sql;

  constructor(client: ClickHouseClient, kind: TraceKind<Unit, unknown>, filter: SpanFilter) {
    this.#client = client;
    this.#kind = kind;
    this.#conditions = spanConditions(filter, kind.hasEmptyService);
    this.#units = new Sql(`${kind.name}_units`);
    this.#spans = new Sql(`${kind.name}_spans`);
  }

  /** Of the spans of a trace, which are matching ones: the column, and how it is read. */
  readonly column = sql`groupArray(${MOST_NAMED + 1})(digest)`;

  matching(row: Row): MatchingUnits {
    return row.list(() => row.bytes(DIGEST_BYTES));
  }

  /**
   * The large ones of the traces that have a time, and no unit in two versions: those have nothing in the tables that
   * does not count. The server removes the earlier version of a unit after a while. `found`: all matching units in `window`.
   */
  async large(
    found: ReadonlyMap<string, MatchingUnits>,
    window: TimeWindow,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, LargeTrace>> {
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), trace_id, minIf(start, timed = 1), maxIf(finish, timed = 1) FROM ${this.#units}
        WHERE trace_id IN ${[...found.keys()]} GROUP BY trace_id
        HAVING count() > ${SMALL} AND max(timed) = 1 AND count() = uniqExact(identity)`,
      row => ({id: row.string(), bounds: {start: row.int64(), finish: row.int64()}}),
      signal,
    );
    const large = rows.map(({id, bounds}): [string, LargeTrace] => {
      const matching = found.get(id) ?? [];
      const isInside = bounds.start >= window.from && bounds.finish < window.to;
      return [id, {bounds, matching: isInside && matching.length <= MOST_NAMED ? matching : undefined}];
    });
    return new Map(large);
  }

  /** Undefined when the trace is better read whole. */
  async load(id: string, {bounds, matching}: LargeTrace, signal: AbortSignal): Promise<FoundUnits<Unit> | undefined> {
    const {start, finish} = bounds;
    if (finish - start > MOST_TIME) return undefined;
    const isMatching =
      matching === undefined ? sql`digest GLOBAL IN (${this.#search(id, bounds)})` : sql`digest IN ${matching}`;
    // Units without a time are not among the spans. The root is nearly always one of those that start first.
    const found = await this.#client.rows(
      sql`SELECT toUInt8(1), timed = 1 AND start = ${start}, body FROM ${this.#units}
        WHERE trace_id = ${id} AND (timed = 0 OR start = ${start} OR ${isMatching})`,
      row => ({isFirst: row.uint8() === 1, unit: this.#kind.decode(row.string())}),
      signal,
    );
    const root = this.#kind.rootOf(found.filter(({isFirst}) => isFirst).map(({unit}) => unit));
    const units = found.map(({unit}) => unit);
    const isAlone = new Set(units.map(unit => this.#kind.identity(unit))).size === units.length;
    return root && isAlone ? {units, summary: {start, end: finish, root}} : undefined;
  }

  #search(id: string, {start, finish}: TraceBounds): Sql {
    const where = [inWindow({from: start, to: finish + 1}), sql`trace_id = ${id}`, ...this.#conditions];
    return sql`SELECT digest FROM ${this.#spans} WHERE ${joined(where, ' AND ')}`;
  }
}
