import type {
  AttributeValuesRequest,
  Call,
  CompatTrace,
  CompatTraceReader,
  TagKeysRequest,
  TraceSearchRequest,
} from '../../../core/api/adapter.js';
import type {Database} from '../client/database.js';
import {canonicalTraceId} from './trace-id.js';
import {TraceLoader} from './trace-loader.js';
import {TraceSearch} from './trace-search.js';
import {ValueListing} from './value-listing.js';

export class PostgresTraceReader implements CompatTraceReader {
  readonly #database: Database;
  readonly #loader: TraceLoader;
  readonly #listing: ValueListing;

  constructor(database: Database) {
    this.#database = database;
    this.#loader = new TraceLoader(database);
    this.#listing = new ValueListing(database);
  }

  async trace(id: string, {signal}: Call): Promise<CompatTrace | undefined> {
    const canonical = canonicalTraceId(id);
    return canonical === undefined ? undefined : this.#loader.byId(canonical, signal);
  }

  search(request: TraceSearchRequest, {signal}: Call): AsyncIterable<CompatTrace> {
    return new TraceSearch(this.#database, this.#loader, request, signal).run();
  }

  tagKeys(request: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#listing.tagKeys(request, signal);
  }

  attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#listing.attributeValues(request, signal);
  }
}
