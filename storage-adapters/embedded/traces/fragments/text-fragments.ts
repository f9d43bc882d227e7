import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {TextPart} from '../../threads/writer-protocol.js';
import type {IndexEntry} from '../blocks/block-builder.js';
import {IndexTerms, NO_TERMS} from '../index/terms.js';
import type {IncomingFragment, IncomingFragments} from './incoming.js';
import {embeddedTraceModel} from './model.js';

/** Compat spans and segments, whose bodies are what the model has encoded. */
export class TextFragments implements IncomingFragments {
  readonly #model;
  readonly #terms = new IndexTerms();

  constructor(name: TraceModelName) {
    this.#model = embeddedTraceModel(name);
  }

  *read({traceIds, bodies}: TextPart): Iterable<IncomingFragment> {
    for (const [at, body] of bodies.entries()) {
      const traceId = traceIds[at] ?? '';
      const fragment = this.#model.decode(traceId, body);
      const all = this.#model.spans(fragment);
      const spans: IndexEntry[] = [];
      for (const span of all) {
        const {start, end = start, duration} = span;
        if (start === undefined || end === undefined) continue;
        const lists = {terms: this.#terms.ofSpan(span), keys: NO_TERMS, resource: NO_TERMS};
        spans.push({start, end: Math.max(start, end), duration, ...lists});
      }
      yield {traceId, body, identity: this.#model.identity(fragment), count: all.length, spans};
    }
  }
}
