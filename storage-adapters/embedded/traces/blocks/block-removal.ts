import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';

const ROWS_PER_STEP = 1024;

/** Removes the blocks that do not count, in small steps. */
export class BlockRemoval {
  readonly #next;
  readonly #bound;
  readonly #removeBefore;
  readonly #removeRest;

  constructor(database: Database, model: TraceModelName) {
    this.#next = database.prepare<[], number>(`SELECT id FROM ${model}_blocks WHERE state = 0 LIMIT 1`).pluck();
    this.#bound = database
      .prepare<[number], [string, string]>(
        `SELECT attribute, value FROM ${model}_postings WHERE block = ? ORDER BY attribute, value LIMIT 1 OFFSET ${ROWS_PER_STEP}`,
      )
      .raw();
    // A range in the order of the table costs a sixth of what the same rows cost with LIMIT, which collects keys first.
    this.#removeBefore = database.prepare<[number, string, string]>(
      `DELETE FROM ${model}_postings WHERE block = ? AND (attribute, value) < (?, ?)`,
    );
    const rest = [
      `DELETE FROM ${model}_postings WHERE block = ?`,
      `DELETE FROM ${model}_columns WHERE block = ?`,
      `DELETE FROM ${model}_blocks WHERE id = ?`,
    ].map(sql => database.prepare<[number]>(sql));
    this.#removeRest = database.transaction((block: number) => {
      for (const removal of rest) removal.run(block);
    });
  }

  /** False when there is none. */
  step(): boolean {
    const block = this.#next.get();
    if (block === undefined) return false;
    const bound = this.#bound.get(block);
    if (bound === undefined) this.#removeRest(block);
    else this.#removeBefore.run(block, ...bound);
    return true;
  }
}
