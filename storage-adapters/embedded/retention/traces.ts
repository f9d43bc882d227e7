import {MS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import {BlockWriter} from '../traces/blocks/block-writer.js';
import {type ChunkStore, chunkStore} from '../traces/chunks/chunk-store.js';
import {DictionaryWriter} from '../traces/packs/dictionaries.js';
import type {PackStore} from '../traces/packs/pack-store.js';

const FRAGMENTS_PER_STEP = 256;
const TRACES_PER_STEP = 64;

/**
 * Removes traces whose latest span is older than the retention, by whole hours. A trace goes as a whole, so that none is
 * ever shown with its beginning cut off.
 */
export class TraceRetention {
  readonly #database: Database;
  readonly #blocks: BlockWriter;
  readonly #packs: PackStore;
  readonly #chunks: ChunkStore | undefined;
  readonly #dictionaries: DictionaryWriter;
  readonly #keep: number;
  readonly #expired;
  readonly #fragments;
  readonly #removeFragment;
  readonly #removeTrace;
  #removed = 0;

  /** `keep` is in milliseconds. */
  constructor(database: Database, model: TraceModelName, packs: PackStore, keep = Number.POSITIVE_INFINITY) {
    this.#database = database;
    this.#blocks = new BlockWriter(database, model);
    this.#packs = packs;
    this.#chunks = chunkStore(database, model);
    this.#dictionaries = new DictionaryWriter(database, model);
    this.#keep = keep;
    this.#expired = database
      .prepare<[number, number], number>(`SELECT number FROM ${model}_traces WHERE hour < ? LIMIT ?`)
      .pluck();
    this.#fragments = database.prepare<[number, number], {identity: string; row: number}>(
      `SELECT identity, row FROM ${model}_units WHERE trace = ? LIMIT ?`,
    );
    this.#removeFragment = database.prepare(`DELETE FROM ${model}_units WHERE trace = ? AND identity = ?`);
    this.#removeTrace = database.prepare(`DELETE FROM ${model}_traces WHERE number = ?`);
  }

  /** Removes some fragments; false when nothing is due. */
  step(now: number): boolean {
    const hour = Math.floor((now - this.#keep) / MS_PER_HOUR);
    if (!Number.isFinite(hour)) return false;
    const traces = this.#expired.all(hour, TRACES_PER_STEP);
    if (traces.length === 0) return false;
    this.#database.transaction(() => this.#remove(traces))();
    return true;
  }

  /** How many traces were removed since it was last asked. */
  takeRemoved(): number {
    const removed = this.#removed;
    this.#removed = 0;
    return removed;
  }

  #remove(traces: readonly number[]): void {
    const rows: number[] = [];
    let left = FRAGMENTS_PER_STEP;
    for (const trace of traces) {
      const fragments = this.#fragments.all(trace, left);
      for (const {identity, row} of fragments) {
        this.#removeFragment.run(trace, identity);
        if (row > 0) rows.push(row);
      }
      left -= fragments.length;
      for (const head of left > 0 ? this.#packs.heads(trace) : []) {
        if (left <= 0) break;
        this.#packs.remove(trace, head.part);
        for (const row of head.rows) if (row > 0) rows.push(row);
        left -= head.rows.length;
      }
      const chunked = left > 0 ? (this.#chunks?.takeTrace(trace) ?? []) : [];
      for (const {row} of chunked) if (row > 0) rows.push(row);
      left -= chunked.length;
      // A trace with more fragments than fit is taken up again by the next step.
      if (left <= 0) break;
      this.#removeTrace.run(trace);
      this.#removed++;
    }
    this.#blocks.markRemoved(rows);
    this.#dictionaries.removeUnused();
  }
}
