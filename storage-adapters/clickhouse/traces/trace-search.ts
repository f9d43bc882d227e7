import {compareNames, type TraceSearchRequest} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../http/client.js';
import {joined, Sql, sql} from '../sql/sql.js';
import type {TraceKind} from './kind.js';
import {inWindow, spanConditions} from './span-conditions.js';
import type {LoadedTrace, TraceLoader} from './trace-loader.js';
import {MICROSECONDS_PER_HOUR} from './unit-rows.js';

/** Traces that one statement looks for; more with each, because whoever goes on wants many. */
const FIRST_PAGE = 32;
const LAST_PAGE = 256;
/** How much longer the next slice of time is, when one had few traces and when it had none. */
const GROWTH_FEW = 2;
const GROWTH_NONE = 8;
/** Traces that are kept while they wait for their turn; of further ones only the times are, and they are loaded again. */
const KEPT = 256;

interface Waiting<Unit> {
  readonly id: string;
  readonly start: number;
  readonly trace: LoadedTrace<Unit> | undefined;
}

/**
 * A search under way, from the latest matching span back, in slices of time. A trace starts no later than any of its
 * spans: so once every matching span that starts at some time or later has been seen, the traces among them that start
 * then or later are complete and in order, and can be handed out.
 */
export class TraceSearch<Unit> {
  readonly #client: ClickHouseClient;
  readonly #loader: TraceLoader<Unit>;
  readonly #request: TraceSearchRequest;
  readonly #table: Sql;
  readonly #where: readonly Sql[];
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();
  /** The one to hand out first is the last. */
  readonly #waiting: Waiting<Unit>[] = [];
  #page = FIRST_PAGE;

  constructor(
    client: ClickHouseClient,
    loader: TraceLoader<Unit>,
    kind: TraceKind<Unit, unknown>,
    request: TraceSearchRequest,
    signal: AbortSignal,
  ) {
    this.#client = client;
    this.#loader = loader;
    this.#request = request;
    this.#table = new Sql(`${kind.name}_spans`);
    this.#where = spanConditions(request.filter, kind.hasEmptyService);
    this.#signal = signal;
  }

  /** `now` in microseconds: what is later is looked at together with the first slice. */
  async *traces(now: number): AsyncGenerator<LoadedTrace<Unit>> {
    const {from, to} = this.#request;
    let width = MICROSECONDS_PER_HOUR;
    let end = to;
    while (end > from) {
      const begin = Math.max(from, Math.min(end, Math.max(from, now)) - width);
      const found = await this.#matching(begin, end);
      const isFull = found.length === this.#page;
      const oldest = found.at(-1);
      const next = isFull && oldest !== undefined ? oldest.latest + 1 : begin;
      if (isFull)
        this.#page = next === end ? this.#page * 2 : Math.max(this.#page, Math.min(this.#page * 2, LAST_PAGE));
      else width *= found.length === 0 ? GROWTH_NONE : GROWTH_FEW;
      await this.#load(found.map(({id}) => id));
      end = next;
      yield* this.#handOut(end);
    }
    yield* this.#handOut(Number.NEGATIVE_INFINITY);
  }

  /** Traces with matching spans in [begin, end), each with the latest of these, latest first. */
  #matching(begin: number, end: number): Promise<readonly {readonly id: string; readonly latest: number}[]> {
    const where = joined([inWindow({from: begin, to: end}), ...this.#where], ' AND ');
    return this.#client.rows(
      sql`SELECT toUInt8(1), trace_id, max(start) AS latest FROM ${this.#table} WHERE ${where} GROUP BY trace_id ORDER BY latest DESC LIMIT ${this.#page}`,
      row => ({id: row.string(), latest: row.int64()}),
      this.#signal,
    );
  }

  async #load(ids: readonly string[]): Promise<void> {
    const fresh = ids.filter(id => !this.#seen.has(id));
    const {min = 0, max = Number.POSITIVE_INFINITY} = this.#request.traceDuration ?? {};
    for (const id of fresh) this.#seen.add(id);
    for (let from = 0; from < fresh.length; from += FIRST_PAGE) {
      const page = fresh.slice(from, from + FIRST_PAGE);
      for (const trace of (await this.#loader.load(page, this.#signal)).values()) {
        const {id, bounds} = trace;
        if (bounds === undefined) continue;
        const duration = bounds.finish - bounds.start;
        if (duration < min || duration > max) continue;
        const isKept = this.#waiting.length < KEPT;
        this.#waiting.push({id, start: bounds.start, trace: isKept ? trace : undefined});
      }
    }
    this.#waiting.sort((a, b) => a.start - b.start || compareNames(b.id, a.id));
  }

  /** The traces that start at `from` or later. */
  async *#handOut(from: number): AsyncGenerator<LoadedTrace<Unit>> {
    for (;;) {
      const next = this.#waiting.at(-1);
      if (next === undefined || next.start < from) return;
      this.#waiting.pop();
      const trace = next.trace ?? (await this.#loader.load([next.id], this.#signal)).get(next.id);
      this.#signal.throwIfAborted();
      if (trace !== undefined) yield trace;
    }
  }
}
