import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type OtlpSearchRequest,
  type TagKeysRequest,
  type TraceReader,
} from '../../../core/api/adapter.js';
import type {ModelBounds} from '../../../core/toolkit/traces/model.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {JoinedBodies} from '../threads/bodies.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import type {EncodedTrace, IndexListingRequest} from '../threads/reader-protocol.js';
import type {EmbeddedTraceModel} from './fragments/model.js';
import {attributeName, TAG_KEYS} from './index/attributes.js';

let lastSearch = 0;

/** Asks the reading threads, and decodes what they hand over: what is the same for all kinds of traces. */
export class EmbeddedTraces<Fragment, Trace, Time> {
  readonly #model: EmbeddedTraceModel<Fragment, Trace, Time>;
  readonly #readers: ReaderPool;

  constructor(model: EmbeddedTraceModel<Fragment, Trace, Time>, readers: ReaderPool) {
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

  async traceInOrder(id: string, call: Call): Promise<AsyncIterable<Trace> | undefined> {
    const canonical = this.#model.canonicalId(id);
    if (canonical === undefined) return undefined;
    const stored = await this.#readers.call('traceInOrder', {model: this.#model.name, id: canonical}, call.signal);
    if (stored === null) return undefined;
    return stored.isInOrder ? this.#inParts(canonical, [...stored.parts]) : one(await this.#decode(stored, call));
  }

  /** The state of a search lives in one reading thread, which is therefore asked for all its pages. */
  async *search(search: OtlpSearchRequest, call: Call): AsyncGenerator<Trace> {
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

  /** Of the names of an attribute in the index, by the start of the earliest span, then by the value. */
  async values(request: IndexListingRequest, {signal}: Call): Promise<readonly string[]> {
    return this.#readers.pick().callLong('attributeValues', {model: this.#model.name, ...request}, signal);
  }

  /** Lets go of each part with the next. */
  async *#inParts(id: string, parts: JoinedBodies[]): AsyncGenerator<Trace> {
    parts.reverse();
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      yield this.#model.trace(id, [...this.#model.split(id, part)]);
    }
  }

  async #decode({id, parts, summary}: EncodedTrace, call: Call): Promise<Trace> {
    const fragments: Fragment[] = [];
    for (const part of parts) {
      call.signal.throwIfAborted();
      await pause(call);
      for (const fragment of this.#model.split(id, part)) fragments.push(fragment);
    }
    if (summary === undefined) return this.#model.trace(id, fragments);
    const root = this.#model.decode(id, summary.root);
    return this.#model.trace(id, fragments, {...(summary as ModelBounds<Time>), root});
  }
}

async function* one<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

/** Compat and native traces. */
export class EmbeddedTraceReader<Fragment, Trace>
  extends EmbeddedTraces<Fragment, Trace, number>
  implements TraceReader<Trace>
{
  async tagKeys({filter, from, to}: TagKeysRequest, call: Call): Promise<readonly string[]> {
    const request = {attribute: TAG_KEYS, filter, from, to, limit: Number.POSITIVE_INFINITY};
    return [...(await this.values(request, call))].sort(compareNames);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.values({...request, attribute: attributeName(request.attribute)}, call);
  }
}
