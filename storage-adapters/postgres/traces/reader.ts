import {
  type AttributeValuesRequest,
  type Call,
  type CompatTrace,
  type CompatTraceReader,
  canonicalTraceId,
  type TagKeysRequest,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresTraceListing} from './listing.js';
import {PostgresTraceLoader} from './loader.js';
import {PostgresTraceSearch} from './search.js';

export class PostgresTraceReader implements CompatTraceReader {
  readonly #database: PostgresDatabase;
  readonly #loader: PostgresTraceLoader;
  readonly #listing: PostgresTraceListing;

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#loader = new PostgresTraceLoader(database);
    this.#listing = new PostgresTraceListing(database);
  }

  async trace(id: string, {signal}: Call): Promise<CompatTrace | undefined> {
    const canonical = canonicalTraceId(id);
    return canonical === undefined ? undefined : this.#loader.byId(canonical, signal);
  }

  search(request: TraceSearchRequest, {signal}: Call): AsyncIterable<CompatTrace> {
    return new PostgresTraceSearch(this.#database, this.#loader, request, signal).run();
  }

  tagKeys(request: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#listing.tagKeys(request, signal);
  }

  attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#listing.attributeValues(request, signal);
  }
}
