import {
  type CompatSpan,
  type CompatTrace,
  canonicalTraceId,
  compareCompatRoots,
  compatSpanView,
} from '../../api/adapter.js';
import type {TraceModel} from './model.js';

/** Spans of the Zipkin API, each a fragment of its own. */
export const compatModel: TraceModel<CompatSpan, CompatTrace> = {
  name: 'compat',
  fragments: 'spans',
  hasEmptyService: false,
  hasFineBounds: false,
  canonicalId: canonicalTraceId,
  traceId: span => span.traceId,

  identity: ({id, kind = '', shared}) => `${id}${shared === true ? '+' : '-'}${kind}`.toWellFormed(),

  spans(span) {
    const {service, name, kind, status, duration} = compatSpanView(span);
    const start = span.timestamp;
    const end = start && start + duration;
    return [{start, duration, end, service, name, kind, status, tags: span.tags}];
  },

  trace: (traceId, spans, summary) => (summary === undefined ? {traceId, spans} : {traceId, spans, summary}),
  bounds: (_, bounds) => bounds,
  parts: span => [span],
  hasParent: ({parentId}) => parentId !== undefined,
  compareRoots: compareCompatRoots,
};
