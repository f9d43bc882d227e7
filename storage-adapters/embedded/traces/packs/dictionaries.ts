import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {DamagedValues} from '../../disk/storage-error.js';
import type {Body} from '../../threads/bodies.js';
import {type ChunkStore, chunkStore} from '../chunks/chunk-store.js';

/** How far back the format looks for what repeats. */
const DICTIONARY_BYTES = 16_384;
/** Of one body there is no more in it than this. */
const SAMPLE_BYTES = 2048;
/** A dictionary is made from samples of so many fragments, and none is made from fewer. */
export const SAMPLED_FRAGMENTS = 4096;
/** After so many traces another one is made, because services and their tags change. */
const TRACES_PER_DICTIONARY = 100_000;
/** Where there were too few fragments, it is tried again so many traces later. */
const TRACES_BETWEEN_TRIES = 1000;

/**
 * What the packs of traces are compressed with: text that spans of these services have. A trace has the last one that
 * begins at its number or before.
 */
export class Dictionaries {
  readonly #id;
  readonly #data;
  /** By id, which is never given again. */
  readonly #known = new Map<number, Buffer>();

  constructor(database: Database, model: TraceModelName) {
    this.#id = database
      .prepare<[number], number>(`SELECT id FROM ${model}_dictionaries WHERE first <= ? ORDER BY first DESC LIMIT 1`)
      .pluck();
    this.#data = database.prepare<[number], Buffer>(`SELECT data FROM ${model}_dictionaries WHERE id = ?`).pluck();
  }

  of(trace: number): Buffer {
    const id = this.#id.get(trace);
    const data = id === undefined ? undefined : (this.#known.get(id) ?? this.#data.get(id));
    if (id === undefined || data === undefined) throw new DamagedValues(`trace ${trace} has no dictionary`);
    if (!this.#known.has(id)) this.#known.clear();
    this.#known.set(id, data);
    return data;
  }
}

/** Makes dictionaries, and removes those that no trace has any more; inside a transaction of the caller. */
export class DictionaryWriter {
  readonly #least: number;
  readonly #newest;
  readonly #lastPacked;
  readonly #samples;
  readonly #chunks: ChunkStore | undefined;
  readonly #put;
  readonly #removeUnused;
  #tryAgain = 0;

  /** `least` is how many fragments a dictionary is made from. */
  constructor(database: Database, model: TraceModelName, least = SAMPLED_FRAGMENTS) {
    this.#least = least;
    this.#newest = database.prepare<[], number | null>(`SELECT max(first) FROM ${model}_dictionaries`).pluck();
    this.#lastPacked = database.prepare<[], number | null>(`SELECT max(trace) FROM ${model}_packs`).pluck();
    this.#samples = database
      .prepare<[number], Body>(`SELECT body FROM ${model}_units WHERE trace >= ? LIMIT ${SAMPLED_FRAGMENTS}`)
      .pluck();
    this.#chunks = chunkStore(database, model);
    this.#put = database.prepare<[number, Uint8Array]>(`INSERT INTO ${model}_dictionaries (first, data) VALUES (?, ?)`);
    // Without any trace numbers begin again at the next start, so a dictionary for higher ones alone must not be left.
    this.#removeUnused = database.prepare(
      `DELETE FROM ${model}_dictionaries WHERE first < (SELECT max(first) FROM ${model}_dictionaries
       WHERE first <= (SELECT min(number) FROM ${model}_traces)) OR NOT EXISTS (SELECT 1 FROM ${model}_traces)`,
    );
  }

  /** Sees to it that a trace which is to be packed has a dictionary; false while there is too little to make one from. */
  provide(trace: number): boolean {
    const newest = this.#newest.get() ?? undefined;
    if (newest !== undefined && trace < newest + TRACES_PER_DICTIONARY) return true;
    // Those that are packed keep the one they have.
    if (trace <= (this.#lastPacked.get() ?? -1) || trace < this.#tryAgain) return newest !== undefined;
    const samples = this.#samples.all(trace);
    const more = this.#chunks?.sample(trace, SAMPLED_FRAGMENTS - samples.length) ?? [];
    samples.push(...more.map(({body}) => body));
    if (samples.length < this.#least) {
      this.#tryAgain = newest === undefined ? 0 : trace + TRACES_BETWEEN_TRIES;
      return newest !== undefined;
    }
    this.#put.run(newest === undefined ? 0 : trace, dictionaryOf(samples));
    return true;
  }

  removeUnused(): void {
    this.#removeUnused.run();
  }
}

/** Bodies from all over the samples, as many as there is room for. */
function dictionaryOf(samples: readonly Body[]): Buffer {
  const bodies = samples.map(body => Buffer.from(body as string).subarray(0, SAMPLE_BYTES));
  const bytes = bodies.reduce((sum, {length}) => sum + length, 0);
  const stride = Math.max(1, Math.floor(bytes / DICTIONARY_BYTES));
  return Buffer.concat(bodies.filter((_, i) => i % stride === 0)).subarray(-DICTIONARY_BYTES);
}
