import type {SpanFilter, TimeWindow, TraceSummary} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import type {RowColumns} from '../client/row-reader.js';
import {joined, Sql, sql} from '../client/sql.js';
import type {StoredTraceBounds} from './loader.js';
import type {ClickHouseTraceModel} from './model.js';
import {inWindow, spanConditions} from './span-conditions.js';

/** Traces of no more fragments are read whole: many of them take one statement. */
const SMALL = 128;
/** Fragments that are named one by one in a statement; of more the server makes the list itself. */
const MOST_NAMED = 256;
const DIGEST_BYTES = 16;
/** The spans of all traces are looked at as long as a trace lasts: one that lasts longer is read whole. */
const MOST_TIME = 24 * MICROS_PER_HOUR;

interface FoundFragments<Fragment> {
  readonly fragments: readonly Fragment[];
  readonly summary: TraceSummary<Fragment>;
}

/** The digests of the fragments with a matching span, or of the first ones of many, as a search comes upon them. */
export type MatchingDigests = readonly Uint8Array[];

/** A trace of which only what matches is worth reading. */
export interface LargeTrace {
  readonly bounds: StoredTraceBounds;
  /** Undefined while not all of them are known. */
  readonly matching: MatchingDigests | undefined;
}

/** Reads of large traces what a search shows: the fragments with a matching span, the root and the extent. */
export class MatchingFragmentReader<Fragment> {
  readonly #client: ClickHouseClient;
  readonly #model: ClickHouseTraceModel<Fragment, unknown>;
  readonly #conditions: readonly Sql[];
  readonly #fragments: Sql;
  readonly #spans: Sql;

  constructor(client: ClickHouseClient, model: ClickHouseTraceModel<Fragment, unknown>, filter: SpanFilter) {
    this.#client = client;
    this.#model = model;
    this.#conditions = spanConditions(filter, model.hasEmptyService);
    this.#fragments = new Sql(`${model.name}_units`);
    this.#spans = new Sql(`${model.name}_spans`);
  }

  /** Of the spans of a trace, which are matching ones: the column, and how it is read. */
  readonly column = sql`groupArray(${MOST_NAMED + 1})(digest)`;

  matching(row: RowColumns): MatchingDigests {
    return row.list(() => row.bytes(DIGEST_BYTES));
  }

  /**
   * The large ones of the traces that have a time, and no fragment in two versions: those have nothing in the tables that
   * does not count. The server removes the earlier version of a fragment after a while. `found`: all matching fragments in `window`.
   */
  async large(
    found: ReadonlyMap<string, MatchingDigests>,
    window: TimeWindow,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, LargeTrace>> {
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), trace_id, minIf(start, timed = 1), maxIf(finish, timed = 1) FROM ${this.#fragments}
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
  async load(
    id: string,
    {bounds, matching}: LargeTrace,
    signal: AbortSignal,
  ): Promise<FoundFragments<Fragment> | undefined> {
    const {start, finish} = bounds;
    if (finish - start > MOST_TIME) return undefined;
    const isMatching =
      matching === undefined ? sql`digest GLOBAL IN (${this.#search(id, bounds)})` : sql`digest IN ${matching}`;
    // Fragments without a time are not among the spans. The root is nearly always one of those that start first.
    const found = await this.#client.rows(
      sql`SELECT toUInt8(1), timed = 1 AND start = ${start}, body FROM ${this.#fragments}
        WHERE trace_id = ${id} AND (timed = 0 OR start = ${start} OR ${isMatching})`,
      row => ({isFirst: row.uint8() === 1, fragment: this.#model.decode(row.string())}),
      signal,
    );
    const root = this.#model.rootOf(found.filter(({isFirst}) => isFirst).map(({fragment}) => fragment));
    const fragments = found.map(({fragment}) => fragment);
    const isAlone = new Set(fragments.map(fragment => this.#model.identity(fragment))).size === fragments.length;
    return root && isAlone ? {fragments, summary: {start, end: finish, root}} : undefined;
  }

  #search(id: string, {start, finish}: StoredTraceBounds): Sql {
    const where = [inWindow({from: start, to: finish + 1}), sql`trace_id = ${id}`, ...this.#conditions];
    return sql`SELECT digest FROM ${this.#spans} WHERE ${joined(where, ' AND ')}`;
  }
}
