import type {SpanFilter, TraceSummary} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../http/client.js';
import {joined, Sql, sql} from '../sql/sql.js';
import type {TraceKind} from './kind.js';
import {inWindow, spanConditions} from './span-conditions.js';
import type {TraceBounds} from './trace-loader.js';
import {MICROSECONDS_PER_HOUR} from './unit-rows.js';

/** The spans of all traces are looked at as long as a trace lasts: one that lasts longer is read whole. */
const MOST_TIME = 24 * MICROSECONDS_PER_HOUR;

interface FoundUnits<Unit> {
  readonly units: readonly Unit[];
  readonly summary: TraceSummary<Unit>;
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

  /**
   * Of the traces that have a time, and no unit in two versions: those have nothing in the tables that does not count.
   * The server removes the earlier version of a unit after a while.
   */
  async bounds(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, TraceBounds>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), trace_id, minIf(start, timed = 1), maxIf(finish, timed = 1) FROM ${this.#units}
        WHERE trace_id IN ${ids} GROUP BY trace_id HAVING max(timed) = 1 AND count() = uniqExact(identity)`,
      row => [row.string(), {start: row.int64(), finish: row.int64()}] as const,
      signal,
    );
    return new Map(rows);
  }

  /** Undefined when the trace is better read whole. */
  async load(id: string, {start, finish}: TraceBounds, signal: AbortSignal): Promise<FoundUnits<Unit> | undefined> {
    if (finish - start > MOST_TIME) return undefined;
    const where = [inWindow({from: start, to: finish + 1}), sql`trace_id = ${id}`, ...this.#conditions];
    const matching = sql`SELECT digest FROM ${this.#spans} WHERE ${joined(where, ' AND ')}`;
    // Units without a time are not among the spans. The root is nearly always one of those that start first.
    const found = await this.#client.rows(
      sql`SELECT toUInt8(1), timed = 1 AND start = ${start}, body FROM ${this.#units}
        WHERE trace_id = ${id} AND (timed = 0 OR start = ${start} OR digest GLOBAL IN (${matching}))`,
      row => ({isFirst: row.uint8() === 1, unit: this.#kind.decode(row.string())}),
      signal,
    );
    const root = this.#kind.rootOf(found.filter(({isFirst}) => isFirst).map(({unit}) => unit));
    const units = found.map(({unit}) => unit);
    const isAlone = new Set(units.map(unit => this.#kind.identity(unit))).size === units.length;
    return root && isAlone ? {units, summary: {start, end: finish, root}} : undefined;
  }
}
