import type {OtlpFilter, TimeWindow} from '../../../core/api/adapter.js';
import {MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, Sql, sql} from '../client/sql.js';
import {isSummed, type Listed} from './hour-values.js';
import type {ClickHouseFragmentModel} from './model.js';
import {attributeValue, hasAttribute, spansWhere} from './span-conditions.js';

export interface ClickHouseListingRequest extends TimeWindow {
  readonly listed: Listed;
  readonly filter: OtlpFilter;
  /** Undefined: all. */
  readonly limit: number | undefined;
}

interface Found {
  readonly value: string;
  /** The fragment of the earliest span that has the value. */
  readonly traceId: string;
  readonly digest: string;
}

/** How often a listing is made without what turned out to be replaced, before it looks at every fragment. */
const TRIES = 2;
/** Traces that one statement names at most. */
const TRACES_NAMED = 2000;

/**
 * Lists values over the spans that a filter selects, by the start of the earliest span that has each.
 *
 * Rows of spans whose fragment was replaced are still in the table. They are rare, so they are not sought: a listing also
 * tells the fragment of the earliest span of each value, and when all of those stand, it is exact, because what else may
 * have been replaced could only have made a value earlier. Otherwise it is made again without what was replaced.
 *
 * Without a filter, whole hours are first looked up in the table that has of each value the earliest span of an hour.
 */
export class ClickHouseTraceListing {
  readonly #client: ClickHouseClient;
  readonly #model: ClickHouseFragmentModel<unknown>;
  readonly #spans: Sql;
  readonly #fragments: Sql;
  readonly #values: Sql;

  constructor(client: ClickHouseClient, model: ClickHouseFragmentModel<unknown>) {
    this.#client = client;
    this.#model = model;
    this.#spans = new Sql(`${model.name}_spans`);
    this.#fragments = new Sql(`${model.name}_units`);
    this.#values = new Sql(`${model.name}_values`);
  }

  async values(request: ClickHouseListingRequest, signal: AbortSignal): Promise<readonly string[]> {
    const traces = new Set<string>();
    const standing = new Set<string>();
    const tries = [...(this.#summed(request) ?? []), ...Array<undefined>(TRIES).fill(undefined)];
    for (const source of tries) {
      const scan = () => this.#scan(request, notReplaced([...traces], [...standing]));
      const found = await this.#find(source ?? scan(), request, signal);
      const fresh = [...new Set(found.map(({traceId}) => traceId))].filter(id => !traces.has(id));
      if (traces.size + fresh.length > TRACES_NAMED) break;
      for (const digest of await this.#digests(fresh, signal)) standing.add(digest);
      if (found.every(({digest}) => standing.has(digest))) return found.map(({value}) => value);
      for (const id of fresh) traces.add(id);
    }
    const where = spansWhere(request, request.filter, this.#model);
    const stands = sql`(trace_id, digest) GLOBAL IN (
      SELECT trace_id, argMax(digest, version) AS latest FROM ${this.#fragments}
      WHERE trace_id GLOBAL IN (SELECT trace_id FROM ${this.#spans}${where}) GROUP BY trace_id, identity)`;
    return (await this.#find(this.#scan(request, [stands]), request, signal)).map(({value}) => value);
  }

  /** The first `limit` values of a source that has `listed`, `digest`, `trace_id` and `start`. */
  #find(source: Sql, {limit}: ClickHouseListingRequest, signal: AbortSignal): Promise<readonly Found[]> {
    const cut = limit === undefined ? sql`` : sql` LIMIT ${limit}`;
    // As a pair, so that both parts are of the same fragment.
    const earliest = sql`argMin((digest, trace_id), start)`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), listed, ${earliest} AS unit FROM (${source}) GROUP BY listed ORDER BY min(start), listed${cut}`,
      row => ({value: row.string(), digest: row.bytes(16).toString('latin1'), traceId: row.string()}),
      signal,
    );
  }

  #scan(request: ClickHouseListingRequest, stands: readonly Sql[]): Sql {
    const {value, where} = listedBy(request.listed);
    const spans = spansWhere(request, request.filter, this.#model, [...where, ...stands]);
    return sql`SELECT ${value} AS listed, digest, trace_id, start FROM ${this.#spans}${spans}`;
  }

  /** Whole hours by their summary, the ends of the window by its spans; none where there is no summary to use. */
  #summed(request: ClickHouseListingRequest): readonly Sql[] | undefined {
    const {listed, filter, from, to} = request;
    const first = Math.ceil(from / MICROS_PER_HOUR);
    const end = Math.floor(to / MICROS_PER_HOUR);
    if (filter.length > 0 || !isSummed(listed) || first >= end) return undefined;
    const whole = sql`SELECT value AS listed, digest, trace_id, start FROM ${this.#values}
      WHERE attribute = ${listed.of} AND hour >= ${first} AND hour < ${end}`;
    const ends = [
      {...request, to: first * MICROS_PER_HOUR},
      {...request, from: end * MICROS_PER_HOUR},
    ].filter(each => each.from < each.to);
    return [joined([whole, ...ends.map(each => this.#scan(each, []))], ' UNION ALL ')];
  }

  /** The digests of the fragments that traces have now. */
  #digests(ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.#client.rows(
      sql`SELECT toUInt8(1), argMax(digest, version) FROM ${this.#fragments} PREWHERE trace_id IN ${ids} GROUP BY trace_id, identity`,
      row => row.bytes(16).toString('latin1'),
      signal,
    );
  }
}

/** Of the traces that were looked at, only fragments that stand. */
function notReplaced(traces: readonly string[], standing: readonly string[]): readonly Sql[] {
  if (traces.length === 0) return [];
  const others = sql`trace_id NOT IN ${traces}`;
  if (standing.length === 0) return [others];
  return [sql`(${others} OR digest IN ${standing.map(digest => Buffer.from(digest, 'latin1'))})`];
}

function listedBy(listed: Listed): {readonly value: Sql; readonly where: readonly Sql[]} {
  switch (listed.of) {
    case 'tag keys':
      return {value: sql`arrayJoin(tag_keys)`, where: []};
    case 'resource keys':
      return {value: sql`arrayJoin(resource_keys)`, where: []};
    case 'tag':
    case 'resource':
      return {value: attributeValue(listed.of, listed.key), where: [hasAttribute(listed.of, listed.key)]};
    case 'service':
    case 'name': {
      const column = new Sql(listed.of);
      return {value: column, where: [sql`${column} != ''`]};
    }
    case 'kind':
    case 'status':
      return {value: new Sql(listed.of), where: []};
  }
}
