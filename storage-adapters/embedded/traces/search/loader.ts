import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/serve.js';

/** Fragments in one text, so that the serving thread decodes a large trace piece by piece. */
const FRAGMENTS_PER_PART = 256;

/** A trace: `parts` are JSON arrays of fragment bodies. */
export interface StoredTrace {
  readonly id: string;
  readonly parts: readonly string[];
  /** There where not all of its fragments are; `root` is the body of a fragment with the root alone. */
  readonly summary?: {readonly start: number; readonly end: number; readonly root: string};
}

export interface TraceBounds {
  readonly id: string;
  /** Null when no fragment has a time. */
  readonly start: number | null;
  readonly end: number | null;
}

export class TraceLoader {
  readonly #number;
  readonly #bounds;
  readonly #bodies;

  constructor(database: Database, model: TraceModelName) {
    this.#number = database.prepare<[string], number>(`SELECT number FROM ${model}_traces WHERE id = ?`).pluck();
    this.#bounds = database.prepare<[number], TraceBounds>(
      `SELECT id, start, "end" FROM ${model}_traces WHERE number = ?`,
    );
    this.#bodies = database.prepare<[number], string>(`SELECT body FROM ${model}_units WHERE trace = ?`).pluck();
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
      if (bodies.push(body) % FRAGMENTS_PER_PART === 0) checkpoint();
    }
    return joined(bodies);
  }
}

/** The bodies as the parts of a trace. */
export function joined(bodies: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < bodies.length; from += FRAGMENTS_PER_PART) {
    parts.push(`[${bodies.slice(from, from + FRAGMENTS_PER_PART).join(',')}]`);
  }
  return parts;
}
