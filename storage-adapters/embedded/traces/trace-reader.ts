import {performance} from 'node:perf_hooks';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {
  type AttributeValuesRequest,
  type Call,
  compareNames,
  type TagKeysRequest,
  type TraceReader,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import type {ReaderPool} from '../read/reader-pool.js';
import {attributeName, TAG_KEYS} from './attributes.js';
import type {TraceKind} from './kind.js';
import type {StoredTrace} from './trace-loader.js';

/** How long the decoding of a large trace goes on before other events have their turn. */
const SLICE = 5;

let lastSearch = 0;

/** Asks the reading threads, and decodes what they hand over. */
export class EmbeddedTraceReader<Unit, Trace> implements TraceReader<Trace> {
  readonly #kind: TraceKind<Unit, Trace>;
  readonly #readers: ReaderPool;

  constructor(kind: TraceKind<Unit, Trace>, readers: ReaderPool) {
    this.#kind = kind;
    this.#readers = readers;
  }

  async trace(id: string, call: Call): Promise<Trace | undefined> {
    const canonical = this.#kind.canonicalId(id);
    if (canonical === undefined) return undefined;
    const request = {kind: this.#kind.name, id: canonical};
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
      let page = await reader.call('search', {kind: this.#kind.name, number, search}, {signal});
      for (;;) {
        complete = page.complete;
        for (const trace of page.traces) yield await this.#decode(trace, call);
        if (complete) return;
        page = await reader.call('nextPage', {number}, {signal});
      }
    } finally {
      // Whoever stops in between has the work ended; nobody waits for that.
      if (!complete) reader.call('endSearch', {number}).catch(() => undefined);
    }
  }

  async tagKeys({filter, from, to}: TagKeysRequest, call: Call): Promise<readonly string[]> {
    const request = {attribute: TAG_KEYS, filter, from, to, limit: Number.POSITIVE_INFINITY};
    const keys = await this.#readers.call('attributeValues', {kind: this.#kind.name, ...request}, call.signal);
    return [...keys].sort(compareNames);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    const attribute = attributeName(request.attribute);
    return this.#readers.call('attributeValues', {kind: this.#kind.name, ...request, attribute}, call.signal);
  }

  async #decode({id, parts}: StoredTrace, call: Call): Promise<Trace> {
    const units: Unit[] = [];
    let start = performance.now();
    for (const part of parts) {
      for (const body of JSON.parse(part) as unknown[]) units.push(this.#kind.decode(id, body));
      if (performance.now() - start < SLICE) continue;
      await nextTurn();
      call.signal.throwIfAborted();
      start = performance.now();
    }
    return this.#kind.trace(id, units);
  }
}
