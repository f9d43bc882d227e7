import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Body} from '../../threads/bodies.js';
import type {IndexEntry} from '../blocks/block-builder.js';
import {IndexTerms} from '../index/terms.js';
import type {FragmentIndexer, IndexedFragment} from './indexed-fragment.js';
import {embeddedTraceModel} from './model.js';
import {OtlpSpanIndexer} from './otlp-indexer.js';

export function fragmentIndexer(name: TraceModelName): FragmentIndexer {
  return name === 'otlp' ? new OtlpSpanIndexer() : new ModelIndexer(name);
}

class ModelIndexer implements FragmentIndexer {
  readonly #model;
  readonly #terms = new IndexTerms();

  constructor(name: TraceModelName) {
    this.#model = embeddedTraceModel(name);
  }

  index(traceId: string, body: Body): IndexedFragment {
    const fragment = this.#model.decode(traceId, body);
    const all = this.#model.spans(fragment);
    const spans: IndexEntry[] = [];
    for (const span of all) {
      const {start, end = start, duration} = span;
      if (start === undefined) continue;
      spans.push({start, end: Math.max(start, end ?? start), duration, terms: this.#terms.ofSpan(span), resource: []});
    }
    return {identity: this.#model.identity(fragment), count: all.length, spans};
  }
}
