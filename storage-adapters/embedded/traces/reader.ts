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
import type {ServingReads} from './serving-reads.js';

let lastSearch = 0;

/** Does what is small itself, asks the reading threads for all else, and decodes both: what is the same for all kinds of traces. */
export class EmbeddedTraces<Fragment, Trace, Time> {
  readonly #model: EmbeddedTraceModel<Fragment, Trace, Time>;
  readonly #readers: ReaderPool;
  readonly #serving: ServingReads;

  constructor(model: EmbeddedTraceModel<Fragment, Trace, Time>, readers: ReaderPool, serving: ServingReads) {
    this.#model = model;
    this.#readers = readers;
    this.#serving = serving;
  }

  async trace(id: string, call: Call): Promise<Trace | undefined> {
    const canonical = this.#model.canonicalId(id);
    if (canonical === undefined) return undefined;
    const small = await this.#small(canonical, call);
    if (small !== undefined) return small ?? undefined;
    const request = {model: this.#model.name, id: canonical};
    const stored = await this.#readers.call('trace', request, call.signal);
    return stored === null ? undefined : this.#decode(stored, call);
  }

  async traceInOrder(id: string, call: Call): Promise<AsyncIterable<Trace> | undefined> {
    const canonical = this.#model.canonicalId(id);
    if (canonical === undefined) return undefined;
    const small = await this.#small(canonical, call);
    if (small !== undefined) return small === null ? undefined : one(small);
    const stored = await this.#readers.call('traceInOrder', {model: this.#model.name, id: canonical}, call.signal);
    if (stored === null) return undefined;
    return stored.isInOrder ? this.#inParts(canonical, [...stored.parts]) : one(await this.#decode(stored, call));
  }

  /** A trace that is small; null when there is none, undefined when a reading thread has to be asked. */
  async #small(id: string, call: Call): Promise<Trace | null | undefined> {
    call.signal.throwIfAborted();
    await pause(call);
    const model = this.#model;
    const bodies = this.#serving.trace(model.name, id);
    return (
      bodies &&
      model.trace(
        id,
        bodies.map(body => model.decode(id, body)),
      )
    );
  }

  /** The state of a search lives in one reading thread, which is therefore asked for all its pages. */
  async *search(search: OtlpSearchRequest, call: Call): AsyncGenerator<Trace> {
    const {signal} = call;
    signal.throwIfAborted();
    await pause(call);
    const small = this.#serving.search(this.#model.name, search);
    if (small !== undefined) {
      for (const trace of small) yield await this.#decode(trace, call);
      return;
    }
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
