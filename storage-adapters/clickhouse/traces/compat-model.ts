import {type CompatSpan, type CompatTrace, compatRoot, compatSpanView} from '../../../core/api/adapter.js';
import type {TraceKind} from './model.js';

/** The standard forms are 16 and 32 digits; the longer one is for ids that need more than 64 bits. */
const SHORT = 16;
const LONG = 32;

export const compatKind: TraceKind<CompatSpan, CompatTrace> = {
  name: 'compat',
  hasEmptyService: false,

  canonicalId(text) {
    const digits = text.toLowerCase().replace(/^0+/, '');
    if (digits.length > LONG || !/^[0-9a-f]+$/.test(digits)) return undefined;
    return digits.padStart(digits.length > SHORT ? LONG : SHORT, '0');
  },

  traceId: span => span.traceId,
  identity: ({id, kind = '', shared}) => `${id}${shared === true ? '+' : '-'}${kind}`,
  encode: span => JSON.stringify({...span, tags: [...span.tags]}),

  decode(body) {
    // Changed in place: a copy of every span would take as long as parsing it.
    const span = JSON.parse(body) as Omit<CompatSpan, 'tags'> & {tags: unknown};
    span.tags = new Map(span.tags as readonly (readonly [string, string])[]);
    return span as CompatSpan;
  },

  spans(span) {
    const {service, name, kind, status, duration} = compatSpanView(span);
    return [{start: span.timestamp, duration, service, name, kind, status, tags: span.tags}];
  },

  trace: (traceId, spans, summary) => (summary === undefined ? {traceId, spans} : {traceId, spans, summary}),

  rootOf(first) {
    const [span] = first;
    if (span === undefined) return undefined;
    const root = compatRoot({traceId: span.traceId, spans: first});
    return root.parentId === undefined ? root : undefined;
  },
};
