import type {
  AttributeValuesRequest,
  Call,
  OtlpSearchRequest,
  TagKeysRequest,
  TraceReader,
} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresTraceListing} from './listing.js';
import {PostgresTraceLoader} from './loader.js';
import type {PostgresTraceModel} from './model.js';
import {PostgresTraceSearch} from './search.js';

/** What is the same for all kinds of traces. */
export class PostgresTraces<Span, Trace, Time> {
  readonly #model: PostgresTraceModel<Span, Trace, Time>;
  readonly #database: PostgresDatabase;
  readonly #loader: PostgresTraceLoader<Span, Trace, Time>;
  protected readonly listing: PostgresTraceListing;

  constructor(model: PostgresTraceModel<Span, Trace, Time>, database: PostgresDatabase) {
    this.#model = model;
    this.#database = database;
    this.#loader = new PostgresTraceLoader(model, database);
    this.listing = new PostgresTraceListing(database, model.tables, model.storedText);
  }

  async trace(id: string, {signal}: Call): Promise<Trace | undefined> {
    const canonical = this.#model.canonicalId(id);
    return canonical === undefined ? undefined : this.#loader.byId(canonical, signal);
  }

  search(request: OtlpSearchRequest, {signal}: Call): AsyncIterable<Trace> {
    return new PostgresTraceSearch(this.#model, this.#database, this.#loader, request, signal).run();
  }
}

/** Compat traces. */
export class PostgresTraceReader<Span, Trace>
  extends PostgresTraces<Span, Trace, number>
  implements TraceReader<Trace>
{
  tagKeys(request: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    return this.listing.keys({...request, listed: {of: 'tag-keys'}}, signal);
  }

  attributeValues({attribute, limit, ...request}: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    return this.listing.values({...request, listed: attribute}, limit, signal);
  }
}
