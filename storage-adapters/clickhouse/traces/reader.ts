import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type TagKeysRequest,
  type TraceReader,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import type {ClickHouseClient} from '../client/client.js';
import {ValueListing} from './listing.js';
import {TraceLoader} from './loader.js';
import type {TraceKind} from './model.js';
import {TraceSearch} from './search.js';

const MICROSECONDS = 1000;

/** Reads traces of one kind. */
export class ClickHouseTraceReader<Unit, Trace> implements TraceReader<Trace> {
  readonly #client: ClickHouseClient;
  readonly #kind: TraceKind<Unit, Trace>;
  readonly #loader: TraceLoader<Unit>;
  readonly #listing: ValueListing;
  readonly #now: () => number;

  /** `now` in milliseconds since the epoch. */
  constructor(client: ClickHouseClient, kind: TraceKind<Unit, Trace>, now: () => number) {
    this.#client = client;
    this.#kind = kind;
    this.#loader = new TraceLoader(client, kind);
    this.#listing = new ValueListing(client, kind);
    this.#now = now;
  }

  async trace(id: string, {signal}: Call): Promise<Trace | undefined> {
    const canonical = this.#kind.canonicalId(id);
    if (canonical === undefined) return undefined;
    const found = (await this.#loader.load([canonical], signal)).get(canonical);
    return found && this.#kind.trace(found.id, found.units());
  }

  async *search(request: TraceSearchRequest, {signal}: Call): AsyncGenerator<Trace> {
    const search = new TraceSearch(this.#client, this.#loader, this.#kind, request, signal);
    for await (const {id, units, summary} of search.traces(this.#now() * MICROSECONDS))
      yield this.#kind.trace(id, units, summary);
  }

  async tagKeys({filter, from, to}: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    const request = {listed: {of: 'tag keys'}, filter, from, to, limit: undefined} as const;
    return [...(await this.#listing.values(request, signal))].sort(compareNames);
  }

  async attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    const {attribute, ...rest} = request;
    return this.#listing.values({...rest, listed: attribute}, signal);
  }
}
