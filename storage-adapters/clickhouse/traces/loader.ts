import type {ClickHouseClient} from '../client/client.js';
import {Sql, sql} from '../client/sql.js';
import type {TraceKind} from './model.js';

/** The earliest start and the latest end of the spans of a trace, in microseconds. */
export interface TraceBounds {
  readonly start: number;
  readonly finish: number;
}

export interface LoadedTrace<Unit> {
  readonly id: string;
  /** Decoded when it is asked for: a search loads more traces than it hands out. */
  units(): readonly Unit[];
  /** Undefined when none of its spans has a time. */
  readonly bounds: TraceBounds | undefined;
}

/** Loads whole traces: of each unit the version that was stored last. */
export class TraceLoader<Unit> {
  readonly #client: ClickHouseClient;
  readonly #kind: TraceKind<Unit, unknown>;
  readonly #table: Sql;

  constructor(client: ClickHouseClient, kind: TraceKind<Unit, unknown>) {
    this.#client = client;
    this.#kind = kind;
    this.#table = new Sql(`${kind.name}_units`);
  }

  async load(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, LoadedTrace<Unit>>> {
    const found = new Map<string, Stored<Unit>>();
    if (ids.length === 0) return found;
    const statement = sql`SELECT toUInt8(1), trace_id, argMax(timed, version), argMax(start, version), argMax(finish, version), argMax(body, version)
      FROM ${this.#table} WHERE trace_id IN ${ids} GROUP BY trace_id, identity`;
    await this.#client.rows(
      statement,
      row => {
        const id = row.string();
        const isTimed = row.uint8() === 1;
        const bounds = {start: row.int64(), finish: row.int64()};
        const body = row.string();
        let trace = found.get(id);
        if (trace === undefined) {
          trace = new Stored(id, this.#kind);
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

class Stored<Unit> implements LoadedTrace<Unit> {
  readonly id: string;
  readonly bodies: string[] = [];
  bounds: LoadedTrace<Unit>['bounds'];
  readonly #kind: TraceKind<Unit, unknown>;

  constructor(id: string, kind: TraceKind<Unit, unknown>) {
    this.id = id;
    this.#kind = kind;
  }

  units(): readonly Unit[] {
    return this.bodies.map(body => this.#kind.decode(body));
  }
}

function wider(a: TraceBounds | undefined, b: TraceBounds): TraceBounds {
  return a === undefined ? b : {start: Math.min(a.start, b.start), finish: Math.max(a.finish, b.finish)};
}
