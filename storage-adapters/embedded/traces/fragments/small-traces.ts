import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {Body} from '../../threads/bodies.js';
import {type ChunkStore, chunkStore} from '../chunks/chunk-store.js';
import {PackStore} from '../packs/pack-store.js';

/** So many packs have at most 64 fragments, and take well under a millisecond. */
const PACKS = 2;
/** Bytes of one as it is stored. */
const PACK_BYTES = 16_384;
/** Of a trace: a search reads those that have no more whole (see `MatchingFragments`). */
const FRAGMENTS = 128;

/** Reads traces of which is known, before anything long of them is read, that they are small. */
export class SmallTraces {
  readonly #most: number;
  readonly #packs: PackStore;
  readonly #chunks: ChunkStore | undefined;
  readonly #number;
  readonly #bodies;

  /** `most` is how many characters or bytes the fragments of a trace may have together. */
  constructor(database: Database, model: TraceModelName, most: number) {
    this.#most = most;
    this.#packs = new PackStore(database, model);
    this.#chunks = chunkStore(database, model);
    this.#number = database.prepare<[string], number>(`SELECT number FROM ${model}_traces WHERE id = ?`).pluck();
    // The database knows how long a body is without reading it.
    this.#bodies = database
      .prepare<[number, number], Body | null>(
        `SELECT CASE WHEN octet_length(body) <= ? THEN body END FROM ${model}_units WHERE trace = ?`,
      )
      .pluck();
  }

  /** The bodies of the fragments of a trace; null when there is none, undefined when it is too large to be read here. */
  read(id: string): readonly Body[] | null | undefined {
    const number = this.#number.get(id);
    return number === undefined ? null : this.bodies(number);
  }

  /** The same of a trace that is there, by its number. */
  bodies(number: number): readonly Body[] | undefined {
    const packed = this.#packs.few(number, PACKS, PACK_BYTES, this.#most);
    if (packed === undefined) return undefined;
    const bodies: Body[] = [];
    let length = 0;
    const take = (body: Body): void => {
      bodies.push(body);
      length += body.length;
    };
    for (const body of packed) take(body);
    for (const {body} of this.#chunks?.of(number) ?? []) take(body);
    for (const body of this.#bodies.iterate(this.#most, number)) {
      if (body === null || bodies.length === FRAGMENTS) return undefined;
      take(body);
      if (length > this.#most) return undefined;
    }
    return length > this.#most || bodies.length > FRAGMENTS ? undefined : bodies;
  }
}
