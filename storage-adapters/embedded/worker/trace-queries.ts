import type {TraceSearchRequest} from '../../../core/api/adapter.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import {TRACE_MODEL_NAMES} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import type {Checkpoint} from '../threads/serve.js';
import {Turns} from '../threads/turns.js';
import {BlockStore} from '../traces/blocks/block-store.js';
import {ColumnCache} from '../traces/blocks/column-cache.js';
import {BlockFilter} from '../traces/search/block-filter.js';
import {DurationIndex} from '../traces/search/duration-candidates.js';
import {ValueListing, type ValuesRequest} from '../traces/search/listing.js';
import {type StoredTrace, TraceLoader} from '../traces/search/loader.js';
import {TraceMatches} from '../traces/search/matching-fragments.js';
import {type SearchPage, type TraceIndex, TraceSearch} from '../traces/search/search.js';

const CACHE_BYTES = 16 * 2 ** 20;
/** Less than a slice: then other calls have their turn. */
const TURN = 4;

/** Runs a read in one snapshot of the database. */
export type Snapshot = <Result>(read: () => Result) => Result;

/** The reads of traces in a reading thread. Long ones go in slices, between which other calls have their turn. */
export class TraceQueries {
  readonly #snapshot: Snapshot;
  readonly #indexes: ReadonlyMap<TraceModelName, TraceIndex>;
  readonly #searches = new Map<number, TraceSearch>();
  readonly #turns = new Turns(TURN);

  constructor(database: Database, snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#indexes = new Map(TRACE_MODEL_NAMES.map(model => [model, indexOf(database, model)]));
  }

  trace(model: TraceModelName, id: string, checkpoint: Checkpoint): StoredTrace | null {
    return this.#snapshot(() => this.#index(model).loader.byId(id, checkpoint));
  }

  /** Begins a search, under a number that the caller has chosen, and gives its first page. */
  async search(
    model: TraceModelName,
    number: number,
    request: TraceSearchRequest,
    checkpoint: Checkpoint,
  ): Promise<SearchPage> {
    this.#searches.set(number, new TraceSearch(this.#index(model), request));
    return this.nextPage(number, checkpoint);
  }

  async nextPage(number: number, checkpoint: Checkpoint): Promise<SearchPage> {
    try {
      for (;;) {
        const page = await this.#slice(checkpoint, () => {
          const search = this.#searches.get(number);
          return search === undefined ? {traces: [], complete: true} : search.slice(checkpoint);
        });
        if (page?.complete) this.#searches.delete(number);
        if (page !== undefined) return page;
      }
    } catch (problem) {
      this.#searches.delete(number);
      throw problem;
    }
  }

  endSearch(number: number): void {
    this.#searches.delete(number);
  }

  async values(model: TraceModelName, request: ValuesRequest, checkpoint: Checkpoint): Promise<readonly string[]> {
    const listing = new ValueListing(this.#index(model), request);
    for (;;) {
      const values = await this.#slice(checkpoint, () => listing.slice(checkpoint));
      if (values !== undefined) return values;
    }
  }

  /** Each slice in its turn, and with a snapshot of its own. */
  #slice<Result>(checkpoint: Checkpoint, work: () => Result): Promise<Result> {
    return this.#turns.run(() => {
      checkpoint();
      return this.#snapshot(work);
    });
  }

  #index(model: TraceModelName): TraceIndex {
    return this.#indexes.get(model) as TraceIndex;
  }
}

function indexOf(database: Database, model: TraceModelName): TraceIndex {
  const store = new BlockStore(database, model);
  const columns = new ColumnCache(store, CACHE_BYTES);
  const filter = new BlockFilter(store, columns);
  return {
    store,
    columns,
    filter,
    loader: new TraceLoader(database, model),
    matches: new TraceMatches(database, model, store, columns, filter),
    durations: new DurationIndex(database, model),
  };
}
