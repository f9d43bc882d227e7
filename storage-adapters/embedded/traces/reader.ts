import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type TagKeysRequest,
  type TraceReader,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import type {EncodedTrace, IndexListingRequest} from '../threads/reader-protocol.js';
import type {EmbeddedTraceModel} from './fragments/model.js';
import {attributeName, TAG_KEYS} from './index/attributes.js';

let lastSearch = 0;

/** Asks the reading threads, and decodes what they hand over. */
export class EmbeddedTraceReader<Fragment, Trace> implements TraceReader<Trace> {
  readonly #model: EmbeddedTraceModel<Fragment, Trace>;
  readonly #readers: ReaderPool;

  constructor(model: EmbeddedTraceModel<Fragment, Trace>, readers: ReaderPool) {
    this.#model = model;
    this.#readers = readers;
  }

  async trace(id: string, call: Call): Promise<Trace | undefined> {
    const canonical = this.#model.canonicalId(id);
    if (canonical === undefined) return undefined;
    const request = {model: this.#model.name, id: canonical};
    const stored = await this.#readers.call('trace', request, call.signal);
    return stored === null ? undefined : this.#decode(stored, call);
  }

  /** The state of a search lives in one reading thread, which is therefore asked for all its pages. */
  async *search(search: TraceSearchRequest, call: Call): AsyncGenerator<Trace> {
    const {signal} = call;
    const reader = this.#readers.pick();
    const number = ++lastSearch;
    let complete = false;
    try {
      let page = await reader.callLong('search', {model: this.#model.name, number, search}, signal);
      for (;;) {
        complete = page.complete;
        for (const trace of page.traces) yield await this.#decode(trace, call);
        if (complete) return;
        page = await reader.callLong('nextPage', {number}, signal);
      }
    } finally {
      // Whoever stops in between has the work ended; nobody waits for that.
      if (!complete) reader.call('endSearch', {number}).catch(() => undefined);
    }
  }

  async tagKeys({filter, from, to}: TagKeysRequest, call: Call): Promise<readonly string[]> {
    const request = {attribute: TAG_KEYS, filter, from, to, limit: Number.POSITIVE_INFINITY};
    return [...(await this.#values(request, call))].sort(compareNames);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.#values({...request, attribute: attributeName(request.attribute)}, call);
  }

  async #values(request: IndexListingRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#readers.pick().callLong('attributeValues', {model: this.#model.name, ...request}, signal);
  }

  async #decode({id, parts, summary}: EncodedTrace, call: Call): Promise<Trace> {
    const fragments: Fragment[] = [];
    for (const part of parts) {
      call.signal.throwIfAborted();
      await pause(call);
      for (const body of JSON.parse(part) as unknown[]) fragments.push(this.#model.decode(id, body));
    }
    if (summary === undefined) return this.#model.trace(id, fragments);
    const root = this.#model.decode(id, JSON.parse(summary.root));
    return this.#model.trace(id, fragments, {...summary, root});
  }
}
