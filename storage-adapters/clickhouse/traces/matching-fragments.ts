import type {OtlpFilter, TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ModelSummary} from '../../../core/toolkit/traces/model.js';
import type {ClickHouseClient} from '../client/client.js';
import type {RowColumns} from '../client/row-reader.js';
import {Sql, sql} from '../client/sql.js';
import type {StoredTraceBounds} from './loader.js';
import type {ClickHouseTraceModel} from './model.js';
import {spansWhere} from './span-conditions.js';

/** Traces of no more fragments are read whole: many of them take one statement. */
const SMALL = 128;
/** Fragments that are named one by one in a statement; of more the server makes the list itself. */
const MOST_NAMED = 256;
const DIGEST_BYTES = 16;
/** The spans of all traces are looked at as long as a trace lasts: one that lasts longer is read whole. */
const MOST_TIME = 24 * MICROS_PER_HOUR;

interface FoundFragments<Fragment, Time> {
  readonly fragments: readonly Fragment[];
  readonly summary: ModelSummary<Fragment, Time>;
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
export class MatchingFragmentReader<Fragment, Time> {
  readonly #client: ClickHouseClient;
  readonly #model: ClickHouseTraceModel<Fragment, unknown, Time>;
  readonly #filter: OtlpFilter;
  readonly #fragments: Sql;
  readonly #spans: Sql;

  constructor(client: ClickHouseClient, model: ClickHouseTraceModel<Fragment, unknown, Time>, filter: OtlpFilter) {
    this.#client = client;
    this.#model = model;
    this.#filter = filter;
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
        PREWHERE trace_id IN ${[...found.keys()]} GROUP BY trace_id
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
  ): Promise<FoundFragments<Fragment, Time> | undefined> {
    const {start, finish} = bounds;
    // The last time that is exact stands for all later ones.
    if (finish - start > MOST_TIME || finish === Number.MAX_SAFE_INTEGER) return undefined;
    const model = this.#model;
    const isMatching =
      matching === undefined ? sql`digest GLOBAL IN (${this.#search(id, bounds)})` : sql`digest IN ${matching}`;
    const isLast = model.hasFineBounds ? sql` OR finish = ${finish}` : sql``;
    // Fragments without a time are not among the spans. The root is nearly always one of those that start first.
    const fragments = await this.#fragmentsOf(id, sql`timed = 0 OR start = ${start}${isLast} OR ${isMatching}`, signal);
    const known = new Map(fragments.map(fragment => [model.identity(fragment), fragment]));
    if (known.size < fragments.length) return undefined;
    const root = await this.#rootOf(id, start, known, signal);
    if (root === undefined) return undefined;
    return {fragments, summary: {...model.bounds(fragments, {start, end: finish}), root}};
  }

  /** The root, where it is among the spans that start first. `known`: fragments by their identity, with all of those. */
  async #rootOf(
    id: string,
    start: number,
    known: ReadonlyMap<string, Fragment>,
    signal: AbortSignal,
  ): Promise<Fragment | undefined> {
    const model = this.#model;
    const first = [...known.values()]
      .flatMap(fragment => model.parts(fragment))
      .filter(part => model.spans(part)[0]?.start === start);
    const unknown = new Set<string>();
    const rootsBy = (fragment: (identity: string) => Fragment | undefined) =>
      first.filter(part => !model.hasParent(part, fragment));
    let roots = rootsBy(identity => {
      const found = known.get(identity);
      if (found === undefined) unknown.add(identity);
      return found;
    });
    if (unknown.size > MOST_NAMED) return undefined;
    if (unknown.size > 0) {
      const parents = await this.#fragmentsOf(id, sql`identity IN ${[...unknown]}`, signal);
      const all = new Map([...known, ...parents.map(parent => [model.identity(parent), parent] as const)]);
      roots = rootsBy(identity => all.get(identity));
    }
    return roots.sort((a, b) => model.compareRoots(a, b))[0];
  }

  #fragmentsOf(id: string, condition: Sql, signal: AbortSignal): Promise<readonly Fragment[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), body FROM ${this.#fragments} PREWHERE trace_id = ${id} WHERE ${condition}`,
      row => this.#model.decode(row.blob()),
      signal,
    );
  }

  #search(id: string, {start, finish}: StoredTraceBounds): Sql {
    const where = spansWhere({from: start, to: finish + 1}, this.#filter, this.#model, [sql`trace_id = ${id}`]);
    return sql`SELECT digest FROM ${this.#spans}${where}`;
  }
}
