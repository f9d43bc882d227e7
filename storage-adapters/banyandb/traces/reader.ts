import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type TagKeysRequest,
  type TraceReader,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import {BanyanDBTraceListing} from './listing.js';
import {BanyanDBTraceSearch, type TraceReadOptions} from './search.js';

/** Traces of one kind. */
export class BanyanDBTraceReader<Trace> implements TraceReader<Trace> {
  readonly #search: BanyanDBTraceSearch<Trace>;
  readonly #listing: BanyanDBTraceListing<Trace>;

  constructor(options: TraceReadOptions<Trace>) {
    this.#search = new BanyanDBTraceSearch(options);
    this.#listing = new BanyanDBTraceListing(options, this.#search);
  }

  async trace(id: string, {signal}: Call): Promise<Trace | undefined> {
    const [found] = await this.#search.load([id], signal);
    return found?.trace;
  }

  /** The hint on the duration of traces is of no use: the server knows that of their parts. */
  search({filter, from, to}: TraceSearchRequest, {signal}: Call): AsyncIterable<Trace> {
    return this.#search.search(filter, {from, to}, signal);
  }

  async tagKeys({filter, from, to}: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    const keys = await this.#listing.values({of: 'tag keys'}, filter, {from, to}, Number.POSITIVE_INFINITY, signal);
    return [...keys].sort(compareNames);
  }

  attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    const {attribute, filter, from, to, limit} = request;
    return this.#listing.values(attribute, filter, {from, to}, limit, signal);
  }
}
