import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {EncodedTrace} from '../../threads/reader-protocol.js';

/** After so many fragments others have a turn. */
const FRAGMENTS_PER_TURN = 256;
/** Characters in one text, about: the serving thread decodes a large trace piece by piece, in a millisecond or two each. */
const PART_LENGTH = 2 ** 17;

export interface StoredBounds {
  readonly id: string;
  /** Null when no fragment has a time. */
  readonly start: number | null;
  readonly end: number | null;
}

export class EmbeddedTraceLoader {
  readonly #number;
  readonly #bounds;
  readonly #bodies;

  constructor(database: Database, model: TraceModelName) {
    this.#number = database.prepare<[string], number>(`SELECT number FROM ${model}_traces WHERE id = ?`).pluck();
    this.#bounds = database.prepare<[number], StoredBounds>(
      `SELECT id, start, "end" FROM ${model}_traces WHERE number = ?`,
    );
    this.#bodies = database.prepare<[number], string>(`SELECT body FROM ${model}_units WHERE trace = ?`).pluck();
  }

  byId(id: string, checkpoint: Checkpoint): EncodedTrace | null {
    const number = this.#number.get(id);
    return number === undefined ? null : {id, parts: this.parts(number, checkpoint)};
  }

  bounds(number: number): StoredBounds | undefined {
    return this.#bounds.get(number);
  }

  parts(number: number, checkpoint: Checkpoint): readonly string[] {
    const bodies: string[] = [];
    for (const body of this.#bodies.iterate(number)) {
      if (bodies.push(body) % FRAGMENTS_PER_TURN === 0) checkpoint();
    }
    return joined(bodies);
  }
}

/** The bodies as the parts of a trace. */
export function joined(bodies: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  for (const [at, body] of bodies.entries()) {
    length += body.length;
    if (length < PART_LENGTH && at < bodies.length - 1) continue;
    parts.push(`[${bodies.slice(from, at + 1).join(',')}]`);
    from = at + 1;
    length = 0;
  }
  return parts;
}
