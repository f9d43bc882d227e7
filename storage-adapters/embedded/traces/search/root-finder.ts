import type {KindName} from '../../../../core/toolkit/traces/model.js';
import {kindOf} from '../../../../core/toolkit/traces/models.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/serve.js';

export interface StoredUnit {
  readonly row: number;
  readonly start: number | null;
  readonly body: string;
}

interface Trace {
  readonly id: string;
  readonly number: number;
  readonly start: number;
}

/** Finds the root of a trace from its earliest units on, so that it nearly always has to look at very few. */
export class RootFinder {
  readonly #kind;
  readonly #later;
  readonly #unit;

  constructor(database: Database, name: KindName) {
    this.#kind = kindOf(name);
    this.#later = database.prepare<[number, number], StoredUnit>(
      `SELECT row, start, body FROM ${name}_units WHERE trace = ? AND (start > ? OR start IS NULL)
       ORDER BY start IS NULL, start`,
    );
    this.#unit = database
      .prepare<[number, string], string>(`SELECT body FROM ${name}_units WHERE trace = ? AND identity = ?`)
      .pluck();
  }

  /** The body of a unit with the root alone. `first` are the units that start when the trace does. */
  find({id, number, start}: Trace, first: readonly StoredUnit[], checkpoint: Checkpoint): string | undefined {
    const kind = this.#kind;
    const decoded = (body: string) => kind.decode(id, JSON.parse(body));
    const unit = (identity: string) => {
      const body = this.#unit.get(number, identity);
      return body === undefined ? undefined : decoded(body);
    };
    const earlier = (part: unknown, than: unknown) => than === undefined || kind.compareRoots(part, than) < 0;
    let root: unknown;
    let child: unknown;
    const look = ({body}: StoredUnit) => {
      for (const part of kind.parts(decoded(body))) {
        // What would not be chosen need not be asked for its parent.
        if (root !== undefined && !earlier(part, root)) continue;
        if (!kind.hasParent(part, unit)) root = part;
        else if (earlier(part, child)) child = part;
      }
    };
    const isSettled = (next: number | null) => {
      const [span] = root === undefined ? [] : kind.spans(root);
      return span?.start !== undefined && (next === null || next > span.start);
    };
    first.forEach(look);
    if (!isSettled(start + 1)) {
      let seen = 0;
      for (const later of this.#later.iterate(number, start)) {
        if (isSettled(later.start)) break;
        if (++seen % 256 === 0) checkpoint();
        look(later);
      }
    }
    const found = root ?? child;
    return found === undefined ? undefined : kind.encode(found);
  }
}
