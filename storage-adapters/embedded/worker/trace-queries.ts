import type {OtlpSearchRequest} from '../../../core/api/adapter.js';
import {TRACE_MODEL_NAMES, type TraceModelName} from '../../../core/toolkit/traces/model.js';
import {cooperate, pause} from '../../../core/toolkit/yielder.js';
import type {Database} from '../disk/database.js';
import {TracePages} from '../export/trace-pages.js';
import type {Checkpoint} from '../threads/operations.js';
import type {
  EncodedTrace,
  IndexListingRequest,
  OrderedTrace,
  SearchPage,
  TracePage,
  TracePageRequest,
} from '../threads/reader-protocol.js';
import {BlockStore} from '../traces/blocks/block-store.js';
import {ColumnCache} from '../traces/blocks/column-cache.js';
import {FragmentReader} from '../traces/fragments/fragment-reader.js';
import {BlockFilter} from '../traces/search/block-filter.js';
import {DurationIndex} from '../traces/search/duration-candidates.js';
import {EmbeddedTraceListing} from '../traces/search/listing.js';
import {EmbeddedTraceLoader} from '../traces/search/loader.js';
import {MatchingFragments} from '../traces/search/matching-fragments.js';
import {orderedParts} from '../traces/search/ordered-parts.js';
import {EmbeddedTraceSearch} from '../traces/search/search.js';
import type {TraceIndex} from '../traces/search/trace-index.js';

const CACHE_BYTES = 16 * 2 ** 20;

/** Runs a read in one snapshot of the database. */
export type Snapshot = <Result>(read: () => Result) => Result;

/** The reads of traces in a reading thread. Long ones go in slices, between which other calls have their turn. */
export class TraceQueries {
  readonly #snapshot: Snapshot;
  readonly #indexes: ReadonlyMap<TraceModelName, TraceIndex>;
  readonly #pages: ReadonlyMap<TraceModelName, TracePages>;
  readonly #searches = new Map<number, EmbeddedTraceSearch>();

  constructor(database: Database, snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#indexes = new Map(TRACE_MODEL_NAMES.map(model => [model, indexOf(database, model)]));
    this.#pages = new Map(
      TRACE_MODEL_NAMES.map(model => [model, new TracePages(database, model, this.#index(model).loader)]),
    );
  }

  trace(model: TraceModelName, id: string, checkpoint: Checkpoint): EncodedTrace | null {
    return this.#snapshot(() => this.#index(model).loader.byId(id, checkpoint));
  }

  async traceInOrder(model: TraceModelName, id: string, checkpoint: Checkpoint): Promise<OrderedTrace | null> {
    const {loader} = this.#index(model);
    const found = this.#snapshot(() => loader.inOrder(id, checkpoint));
    if (found === null || 'parts' in found) return found;
    return {id, parts: await cooperate(orderedParts(found, checkpoint)), isInOrder: true};
  }

  /** Begins a search, under a number that the caller has chosen, and gives its first page. */
  async search(
    model: TraceModelName,
    number: number,
    request: OtlpSearchRequest,
    checkpoint: Checkpoint,
  ): Promise<SearchPage> {
    this.#searches.set(number, new EmbeddedTraceSearch(this.#index(model), request));
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
    } catch (error) {
      this.#searches.delete(number);
      throw error;
    }
  }

  page({model, ...request}: TracePageRequest, checkpoint: Checkpoint): Promise<TracePage> {
    const pages = this.#pages.get(model) as TracePages;
    return this.#slice(checkpoint, () => pages.read(request, checkpoint));
  }

  endSearch(number: number): void {
    this.#searches.delete(number);
  }

  async values(
    model: TraceModelName,
    request: IndexListingRequest,
    checkpoint: Checkpoint,
  ): Promise<readonly string[]> {
    const listing = new EmbeddedTraceListing(this.#index(model), request);
    for (;;) {
      const values = await this.#slice(checkpoint, () => listing.slice(checkpoint));
      if (values !== undefined) return values;
    }
  }

  /** Each slice in its turn, and with a snapshot of its own. */
  async #slice<Result>(checkpoint: Checkpoint, work: () => Result): Promise<Result> {
    await pause();
    checkpoint();
    return this.#snapshot(work);
  }

  #index(model: TraceModelName): TraceIndex {
    return this.#indexes.get(model) as TraceIndex;
  }
}

function indexOf(database: Database, model: TraceModelName): TraceIndex {
  const store = new BlockStore(database, model);
  const columns = new ColumnCache(store, CACHE_BYTES);
  const filter = new BlockFilter(store, columns);
  const fragments = new FragmentReader(database, model);
  return {
    store,
    columns,
    filter,
    loader: new EmbeddedTraceLoader(database, model, fragments),
    matches: new MatchingFragments(fragments, store, columns, filter),
    durations: new DurationIndex(database, model),
  };
}
