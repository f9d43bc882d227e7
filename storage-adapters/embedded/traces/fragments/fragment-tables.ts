import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Body} from '../../threads/bodies.js';
import type {StoredFragment} from '../packs/pack-codec.js';

/** Microseconds; undefined when nothing has a time. */
export interface Bounds {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

interface BoundsRow {
  readonly start: number | null;
  readonly end: number | null;
}

export interface ReplacedFragment {
  readonly row: number;
  /** Whether the stored body is the one that was asked about. */
  readonly same: boolean;
}

/** The statements that write traces and fragments. */
export class FragmentTables {
  readonly #trace;
  readonly #putTrace;
  readonly #fragment;
  readonly #putFragment;
  readonly #bounds;
  /** The highest numbers in use. */
  readonly lastTrace: number;
  readonly lastRow: number;

  constructor(database: Database, model: TraceModelName) {
    this.#trace = database.prepare<[string], BoundsRow & {number: number}>(
      `SELECT number, start, "end" FROM ${model}_traces WHERE id = ?`,
    );
    this.#putTrace = database.prepare(
      `INSERT INTO ${model}_traces (number, id, start, "end", hour) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (number) DO UPDATE SET start = excluded.start, "end" = excluded."end", hour = excluded.hour`,
    );
    this.#fragment = database.prepare<[Body, number, string], {row: number; same: number}>(
      `SELECT row, body = ? AS same FROM ${model}_units WHERE trace = ? AND identity = ?`,
    );
    this.#putFragment = database.prepare(
      `INSERT OR REPLACE INTO ${model}_units (trace, identity, row, start, "end", body) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#bounds = database.prepare<[number], BoundsRow>(
      `SELECT min(start) AS start, max("end") AS "end" FROM ${model}_units WHERE trace = ?`,
    );
    const highest = (sql: string) => database.prepare<[], number | null>(sql).pluck().get() ?? 0;
    this.lastTrace = highest(`SELECT max(number) FROM ${model}_traces`);
    this.lastRow = highest(`SELECT max(last) FROM ${model}_blocks WHERE state = 1`);
  }

  trace(id: string): (Bounds & {readonly number: number}) | undefined {
    const row = this.#trace.get(id);
    return row && {number: row.number, start: row.start ?? undefined, end: row.end ?? undefined};
  }

  putTrace(number: number, id: string, {start, end}: Bounds, hour: number): void {
    this.#putTrace.run(number, id, start ?? null, end ?? null, hour);
  }

  fragment(trace: number, identity: string, body: Body): ReplacedFragment | undefined {
    const found = this.#fragment.get(body, trace, identity);
    return found && {row: found.row, same: found.same === 1};
  }

  putFragment(trace: number, identity: string, {row, start, end, body}: StoredFragment): void {
    this.#putFragment.run(trace, identity, row, start, end, body);
  }

  /** The bounds of the fragments that a trace has now. */
  bounds(trace: number): Bounds {
    const row = this.#bounds.get(trace);
    return {start: row?.start ?? undefined, end: row?.end ?? undefined};
  }
}
