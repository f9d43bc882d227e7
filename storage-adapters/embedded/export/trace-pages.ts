import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import type {Checkpoint} from '../threads/operations.js';
import type {EncodedTrace, TracePage, TracePageRequest} from '../threads/reader-protocol.js';
import type {EmbeddedTraceLoader} from '../traces/search/loader.js';

/** A page ends when it has as much of any of these. */
const TRACES = 1000;
const FRAGMENTS = 2000;
const CHARACTERS = 4 * 2 ** 20;

/** Reads traces in the order in which they came, the last first: their numbers never change, so that none is missed. */
export class TracePages {
  readonly #traces;
  readonly #loader: EmbeddedTraceLoader;

  constructor(database: Database, model: TraceModelName, loader: EmbeddedTraceLoader) {
    this.#loader = loader;
    this.#traces = database.prepare<[number], {number: number; id: string; start: number | null}>(
      `SELECT number, id, start FROM ${model}_traces WHERE number < ? ORDER BY number DESC LIMIT ${TRACES}`,
    );
  }

  read({before, from, to}: Omit<TracePageRequest, 'model'>, checkpoint: Checkpoint): TracePage {
    const isBounded = from !== undefined || to !== undefined;
    const isWanted = (start: number | null): boolean =>
      start === null ? !isBounded : start >= (from ?? start) && start < (to ?? Number.POSITIVE_INFINITY);
    const found: EncodedTrace[] = [];
    let [fragments, characters] = [0, 0];
    let last = before;
    for (const {number, id, start} of this.#traces.all(before)) {
      last = number;
      if (!isWanted(start)) continue;
      const {parts, count, length} = this.#loader.counted(number, checkpoint);
      found.push({id, parts});
      fragments += count;
      characters += length;
      if (fragments >= FRAGMENTS || characters >= CHARACTERS) break;
    }
    return {traces: found, last, isEnd: last === before};
  }
}
