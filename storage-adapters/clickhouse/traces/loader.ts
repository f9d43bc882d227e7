import type {ClickHouseClient} from '../client/client.js';
import {Sql, sql} from '../client/sql.js';
import type {ClickHouseFragmentModel} from './model.js';

/** The earliest start and the latest end of the spans of a trace, in microseconds. */
export interface StoredTraceBounds {
  readonly start: number;
  readonly finish: number;
}

export interface LoadedTrace<Fragment> {
  readonly id: string;
  /** Decoded when it is asked for: a search loads more traces than it hands out. */
  fragments(): readonly Fragment[];
  /** Undefined when none of its spans has a time. */
  readonly bounds: StoredTraceBounds | undefined;
}

/** Loads whole traces: of each fragment the version that was stored last. */
export class ClickHouseTraceLoader<Fragment> {
  readonly #client: ClickHouseClient;
  readonly #model: ClickHouseFragmentModel<Fragment>;
  readonly #table: Sql;

  constructor(client: ClickHouseClient, model: ClickHouseFragmentModel<Fragment>) {
    this.#client = client;
    this.#model = model;
    this.#table = new Sql(`${model.name}_units`);
  }

  async load(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, LoadedTrace<Fragment>>> {
    const found = new Map<string, Stored<Fragment>>();
    if (ids.length === 0) return found;
    // The server decides by the first column alone which rows it reads: bodies of neighbours in the same granules would cost most.
    const statement = sql`SELECT toUInt8(1), trace_id, argMax(timed, version), argMax(start, version), argMax(finish, version), argMax(body, version)
      FROM ${this.#table} PREWHERE trace_id IN ${ids} GROUP BY trace_id, identity`;
    await this.#client.rows(
      statement,
      row => {
        const id = row.string();
        const isTimed = row.uint8() === 1;
        const bounds = {start: row.int64(), finish: row.int64()};
        const body = row.blob();
        let trace = found.get(id);
        if (trace === undefined) {
          trace = new Stored(id, this.#model);
          found.set(id, trace);
        }
        trace.bodies.push(body);
        if (isTimed) trace.bounds = wider(trace.bounds, bounds);
      },
      signal,
    );
    return found;
  }
}

class Stored<Fragment> implements LoadedTrace<Fragment> {
  readonly id: string;
  readonly bodies: Buffer[] = [];
  bounds: LoadedTrace<Fragment>['bounds'];
  readonly #model: ClickHouseFragmentModel<Fragment>;

  constructor(id: string, model: ClickHouseFragmentModel<Fragment>) {
    this.id = id;
    this.#model = model;
  }

  fragments(): readonly Fragment[] {
    return this.bodies.map(body => this.#model.decode(body));
  }
}

function wider(a: StoredTraceBounds | undefined, b: StoredTraceBounds): StoredTraceBounds {
  return a === undefined ? b : {start: Math.min(a.start, b.start), finish: Math.max(a.finish, b.finish)};
}
