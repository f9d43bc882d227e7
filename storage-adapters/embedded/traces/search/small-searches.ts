import type {OtlpSearchRequest} from '../../../../core/api/adapter.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import type {EncodedTrace} from '../../threads/reader-protocol.js';
import {BlockStore} from '../blocks/block-store.js';
import {ColumnCache} from '../blocks/column-cache.js';
import {embeddedTraceModel} from '../fragments/model.js';
import type {SmallTraces} from '../fragments/small-traces.js';
import {BlockFilter} from './block-filter.js';
import {joined, type StoredBounds} from './loader.js';
import {EmbeddedTraceSearch} from './search.js';
import type {SearchedIndex} from './trace-index.js';

/** Each has some ten thousand spans at most, whose postings for a value are looked at in a fraction of a millisecond. */
const BLOCKS = 8;
/** How long a search may go on, in milliseconds, until it is given up. */
const PATIENCE = 1;
const CACHE_BYTES = 4 * 2 ** 20;

/** A search that is more than what is done here. */
class TooMuch extends Error {}

/** Searches in few blocks that are over within a millisecond. */
export class SmallSearches {
  readonly #index: SearchedIndex;
  readonly #now: () => number;

  constructor(database: Database, model: TraceModelName, traces: SmallTraces, now: () => number) {
    this.#now = now;
    const store = new BlockStore(database, model);
    const columns = new ColumnCache(store, CACHE_BYTES);
    const bounds = database.prepare<[number], StoredBounds>(
      `SELECT id, start, "end" FROM ${model}_traces WHERE number = ?`,
    );
    this.#index = {
      store: {model, between: (from, to) => few(store.between(from, to))},
      columns,
      filter: new BlockFilter(store, columns),
      loader: {
        bounds: number => bounds.get(number),
        parts: (number, checkpoint) => {
          checkpoint();
          return joined(embeddedTraceModel(model), traces.bodies(number) ?? giveUp());
        },
      },
      matches: {of: () => undefined},
      durations: {candidates: giveUp},
    };
  }

  /** All that a search finds; undefined when a reading thread has to do it. */
  read(request: OtlpSearchRequest): readonly EncodedTrace[] | undefined {
    // Without a value to look up all spans would be gone through.
    if (request.filter.every(({on}) => on === 'duration')) return undefined;
    const end = this.#now() + PATIENCE;
    const checkpoint = (): void => {
      if (this.#now() > end) giveUp();
    };
    try {
      const page = new EmbeddedTraceSearch(this.#index, request).slice(checkpoint);
      return page?.complete ? page.traces : undefined;
    } catch (error) {
      if (error instanceof TooMuch) return undefined;
      throw error;
    }
  }
}

function few<Block>(blocks: readonly Block[]): readonly Block[] {
  return blocks.length > BLOCKS ? giveUp() : blocks;
}

function giveUp(): never {
  throw new TooMuch();
}
