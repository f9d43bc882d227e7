import {type CompatSpan, type CompatTrace, compatRoot} from '../../../core/api/adapter.js';
import {compatModel} from '../../../core/toolkit/traces/compat-model.js';
import type {ClickHouseTraceModel} from './model.js';

export const clickHouseCompatModel: ClickHouseTraceModel<CompatSpan, CompatTrace> = {
  ...compatModel,
  encode: span => JSON.stringify({...span, tags: [...span.tags]}),

  decode(body) {
    // Changed in place: a copy of every span would take as long as parsing it.
    const span = JSON.parse(body) as Omit<CompatSpan, 'tags'> & {tags: unknown};
    span.tags = new Map(span.tags as readonly (readonly [string, string])[]);
    return span as CompatSpan;
  },

  rootOf(first) {
    const [span] = first;
    if (span === undefined) return undefined;
    const root = compatRoot({traceId: span.traceId, spans: first});
    return root.parentId === undefined ? root : undefined;
  },
};
