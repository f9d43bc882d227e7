import type {KindName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/serve.js';

/** Units in one text, so that the serving thread decodes a large trace piece by piece. */
const UNITS_PER_PART = 256;

/** A trace: `parts` are JSON arrays of unit bodies. */
export interface StoredTrace {
  readonly id: string;
  readonly parts: readonly string[];
  /** There where not all of its units are; `root` is the body of a unit with the root alone. */
  readonly summary?: {readonly start: number; readonly end: number; readonly root: string};
}

export interface TraceBounds {
  readonly id: string;
  /** Null when no unit has a time. */
  readonly start: number | null;
  readonly end: number | null;
}

export class TraceLoader {
  readonly #number;
  readonly #bounds;
  readonly #bodies;

  constructor(database: Database, kind: KindName) {
    this.#number = database.prepare<[string], number>(`SELECT number FROM ${kind}_traces WHERE id = ?`).pluck();
    this.#bounds = database.prepare<[number], TraceBounds>(
      `SELECT id, start, "end" FROM ${kind}_traces WHERE number = ?`,
    );
    this.#bodies = database.prepare<[number], string>(`SELECT body FROM ${kind}_units WHERE trace = ?`).pluck();
  }

  byId(id: string, checkpoint: Checkpoint): StoredTrace | null {
    const number = this.#number.get(id);
    return number === undefined ? null : {id, parts: this.parts(number, checkpoint)};
  }

  bounds(number: number): TraceBounds | undefined {
    return this.#bounds.get(number);
  }

  parts(number: number, checkpoint: Checkpoint): readonly string[] {
    const bodies: string[] = [];
    for (const body of this.#bodies.iterate(number)) {
      if (bodies.push(body) % UNITS_PER_PART === 0) checkpoint();
    }
    return joined(bodies);
  }
}

/** The bodies as the parts of a trace. */
export function joined(bodies: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < bodies.length; from += UNITS_PER_PART) {
    parts.push(`[${bodies.slice(from, from + UNITS_PER_PART).join(',')}]`);
  }
  return parts;
}
