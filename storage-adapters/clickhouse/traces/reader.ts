import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type OtlpSearchRequest,
  type TagKeysRequest,
  type TraceReader,
} from '../../../core/api/adapter.js';
import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {ClickHouseTraceListing} from './listing.js';
import {ClickHouseTraceLoader} from './loader.js';
import type {ClickHouseTraceModel} from './model.js';
import {ClickHouseTraceSearch} from './search.js';

/** Reads traces of one kind: what is the same for all of them. */
export class ClickHouseTraces<Fragment, Trace, Time> {
  readonly #client: ClickHouseClient;
  readonly #model: ClickHouseTraceModel<Fragment, Trace, Time>;
  readonly #loader: ClickHouseTraceLoader<Fragment>;
  readonly #now: () => number;
  protected readonly listing: ClickHouseTraceListing;

  /** `now` in milliseconds since the epoch. */
  constructor(client: ClickHouseClient, model: ClickHouseTraceModel<Fragment, Trace, Time>, now: () => number) {
    this.#client = client;
    this.#model = model;
    this.#loader = new ClickHouseTraceLoader(client, model);
    this.#now = now;
    this.listing = new ClickHouseTraceListing(client, model);
  }

  async trace(id: string, {signal}: Call): Promise<Trace | undefined> {
    const canonical = this.#model.canonicalId(id);
    if (canonical === undefined) return undefined;
    const found = (await this.#loader.load([canonical], signal)).get(canonical);
    return found && this.#model.trace(found.id, found.fragments());
  }

  async *search(request: OtlpSearchRequest, {signal}: Call): AsyncGenerator<Trace> {
    const search = new ClickHouseTraceSearch(this.#client, this.#loader, this.#model, request, signal);
    for await (const {id, fragments, summary} of search.traces(this.#now() * MICROS_PER_MS))
      yield this.#model.trace(id, fragments, summary);
  }
}

/** Compat and native traces. */
export class ClickHouseTraceReader<Fragment, Trace>
  extends ClickHouseTraces<Fragment, Trace, number>
  implements TraceReader<Trace>
{
  async tagKeys({filter, from, to}: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    const request = {listed: {of: 'tag keys'}, filter, from, to, limit: undefined} as const;
    return [...(await this.listing.values(request, signal))].sort(compareNames);
  }

  async attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    const {attribute, ...rest} = request;
    return this.listing.values({...rest, listed: attribute}, signal);
  }
}
