import {compareNames, type OtlpSearchRequest, type TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ModelSummary} from '../../../core/toolkit/traces/model.js';
import type {ClickHouseClient} from '../client/client.js';
import {Sql, sql} from '../client/sql.js';
import type {ClickHouseTraceLoader, LoadedTrace, StoredTraceBounds} from './loader.js';
import {type LargeTrace, type MatchingDigests, MatchingFragmentReader} from './matching-fragments.js';
import type {ClickHouseTraceModel} from './model.js';
import {spansWhere} from './span-conditions.js';

/** Traces that one statement looks for; more with each, because whoever goes on wants many. */
const FIRST_PAGE = 32;
const LAST_PAGE = 256;
/** How much longer the next slice of time is, when one had few traces and when it had none. */
const GROWTH_FEW = 2;
const GROWTH_NONE = 8;
/** Traces that are kept while they wait for their turn; of further ones only the times are, and they are read again. */
const KEPT = 256;

interface Match {
  readonly id: string;
  /** The start of its latest matching span. */
  readonly latest: number;
  readonly matching: MatchingDigests;
}

interface Waiting<Fragment> {
  readonly id: string;
  readonly start: number;
  readonly trace: LoadedTrace<Fragment> | undefined;
  /** Of a trace of which only what matches is wanted. */
  readonly large: LargeTrace | undefined;
}

/** A trace that comes whole, or with a summary. */
export interface ClickHouseFoundTrace<Fragment, Time> {
  readonly id: string;
  readonly fragments: readonly Fragment[];
  readonly summary?: ModelSummary<Fragment, Time>;
}

/**
 * A search under way, from the latest matching span back, in slices of time. A trace starts no later than any of its
 * spans: so once every matching span that starts at some time or later has been seen, the traces among them that start
 * then or later are complete and in order, and can be handed out.
 */
export class ClickHouseTraceSearch<Fragment, Time> {
  readonly #client: ClickHouseClient;
  readonly #loader: ClickHouseTraceLoader<Fragment>;
  readonly #request: OtlpSearchRequest;
  readonly #table: Sql;
  readonly #model: ClickHouseTraceModel<Fragment, unknown, Time>;
  readonly #signal: AbortSignal;
  /** Where no more is wanted of a trace than what matches, and not everything does. */
  readonly #matches: MatchingFragmentReader<Fragment, Time> | undefined;
  readonly #seen = new Set<string>();
  /** The one to hand out first is the last. */
  readonly #waiting: Waiting<Fragment>[] = [];
  #page = FIRST_PAGE;

  constructor(
    client: ClickHouseClient,
    loader: ClickHouseTraceLoader<Fragment>,
    model: ClickHouseTraceModel<Fragment, unknown, Time>,
    request: OtlpSearchRequest,
    signal: AbortSignal,
  ) {
    this.#client = client;
    this.#loader = loader;
    this.#request = request;
    this.#table = new Sql(`${model.name}_spans`);
    this.#model = model;
    this.#signal = signal;
    const {matching = false, filter} = request;
    this.#matches = matching && filter.length > 0 ? new MatchingFragmentReader(client, model, filter) : undefined;
  }

  /** `now` in microseconds: what is later is looked at together with the first slice. */
  async *traces(now: number): AsyncGenerator<ClickHouseFoundTrace<Fragment, Time>> {
    const {from, to} = this.#request;
    let width = MICROS_PER_HOUR;
    let end = to;
    while (end > from) {
      const begin = Math.max(from, Math.min(end, Math.max(from, now)) - width);
      const window = {from: begin, to: end};
      const found = await this.#matching(window);
      const isFull = found.length === this.#page;
      const oldest = found.at(-1);
      const next = isFull && oldest !== undefined ? oldest.latest + 1 : begin;
      if (isFull)
        this.#page = next === end ? this.#page * 2 : Math.max(this.#page, Math.min(this.#page * 2, LAST_PAGE));
      else width *= found.length === 0 ? GROWTH_NONE : GROWTH_FEW;
      await this.#load(found, window);
      end = next;
      yield* this.#handOut(end);
    }
    yield* this.#handOut(Number.NEGATIVE_INFINITY);
  }

  /** Traces with matching spans in a window, the one with the latest first. */
  #matching(window: TimeWindow): Promise<readonly Match[]> {
    const where = spansWhere(window, this.#request.filter, this.#model);
    const matches = this.#matches;
    const more = matches === undefined ? sql`` : sql`, ${matches.column}`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), trace_id, max(start) AS latest${more} FROM ${this.#table}${where} GROUP BY trace_id ORDER BY latest DESC LIMIT ${this.#page}`,
      row => ({id: row.string(), latest: row.int64(), matching: matches?.matching(row) ?? []}),
      this.#signal,
    );
  }

  async #load(found: readonly Match[], window: TimeWindow): Promise<void> {
    const fresh = found.filter(({id}) => !this.#seen.has(id));
    for (const {id} of fresh) this.#seen.add(id);
    for (let from = 0; from < fresh.length; from += FIRST_PAGE) {
      const page = new Map(fresh.slice(from, from + FIRST_PAGE).map(({id, matching}) => [id, matching]));
      const large = (await this.#matches?.large(page, window, this.#signal)) ?? new Map<string, LargeTrace>();
      for (const [id, trace] of large) this.#add(id, trace.bounds, {trace: undefined, large: trace});
      const ids = [...page.keys()].filter(id => !large.has(id));
      const traces = await this.#loader.load(ids, this.#signal);
      for (const trace of traces.values()) this.#add(trace.id, trace.bounds, {trace, large: undefined});
    }
    this.#waiting.sort((a, b) => a.start - b.start || compareNames(b.id, a.id));
  }

  #add(id: string, bounds: StoredTraceBounds | undefined, found: Pick<Waiting<Fragment>, 'trace' | 'large'>): void {
    if (bounds === undefined) return;
    const {min = 0, max = Number.POSITIVE_INFINITY} = this.#request.traceDuration ?? {};
    const duration = bounds.finish - bounds.start;
    if (duration < min || duration > max) return;
    const isKept = this.#waiting.length < KEPT;
    const {trace, large} = found;
    this.#waiting.push({
      id,
      start: bounds.start,
      trace: isKept ? trace : undefined,
      large: isKept || large === undefined ? large : {bounds, matching: undefined},
    });
  }

  /** The traces that start at `from` or later. */
  async *#handOut(from: number): AsyncGenerator<ClickHouseFoundTrace<Fragment, Time>> {
    for (;;) {
      const next = this.#waiting.at(-1);
      if (next === undefined || next.start < from) return;
      this.#waiting.pop();
      const found = await this.#found(next);
      this.#signal.throwIfAborted();
      if (found !== undefined) yield found;
    }
  }

  async #found({id, trace, large}: Waiting<Fragment>): Promise<ClickHouseFoundTrace<Fragment, Time> | undefined> {
    const part = large && (await this.#matches?.load(id, large, this.#signal));
    if (part !== undefined) return {id, ...part};
    const whole = trace ?? (await this.#loader.load([id], this.#signal)).get(id);
    return whole && {id, fragments: whole.fragments()};
  }
}
