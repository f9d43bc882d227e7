import {
  canonicalOtlpTraceId,
  compareOtlpRoots,
  type OtlpAttribute,
  type OtlpResource,
  type OtlpSpan,
  type OtlpTrace,
  otlpDuration,
  otlpEnd,
  otlpKind,
  otlpMicros,
  otlpParent,
  otlpServiceName,
  otlpStart,
  otlpStatus,
} from '../../api/adapter.js';
import type {TraceModel} from './model.js';
import {typedTerm} from './typed-term.js';

interface IndexedResource {
  readonly service: string | undefined;
  readonly terms: ReadonlyMap<string, string>;
}

/** By the object, which spans of one resource share. */
const RESOURCES = new WeakMap<OtlpResource, IndexedResource>();

/** Spans of OTLP, each a fragment of its own, whatever its resource. */
export const otlpModel: TraceModel<OtlpSpan, OtlpTrace, bigint> = {
  name: 'otlp',
  fragments: 'spans',
  hasEmptyService: false,
  hasFineBounds: true,
  canonicalId: canonicalOtlpTraceId,
  traceId: span => span.traceId,
  identity: span => span.spanId,

  spans(span) {
    const start = otlpStart(span);
    const {service, terms} = indexedResource(span.resource);
    return [
      {
        start,
        duration: Number(otlpDuration(span)) / 1000,
        end: start === undefined ? undefined : otlpMicros(otlpEnd(span)),
        service,
        name: span.name,
        kind: otlpKind(span.kind),
        status: otlpStatus(span.status.code),
        tags: termsOf(span.attributes),
        resourceTags: terms,
      },
    ];
  },

  trace: (traceId, spans, summary) => (summary === undefined ? {traceId, spans} : {traceId, spans, summary}),

  bounds(edges) {
    let start: bigint | undefined;
    let end = 0n;
    for (const span of edges) {
      if (span.startTime === 0n) continue;
      if (start === undefined || span.startTime < start) start = span.startTime;
      const last = otlpEnd(span);
      if (last > end) end = last;
    }
    return {start: start ?? 0n, end};
  },

  parts: span => [span],

  hasParent(span, fragment) {
    const parent = otlpParent(span);
    return parent !== undefined && fragment(parent) !== undefined;
  },

  compareRoots: compareOtlpRoots,
};

function indexedResource(resource: OtlpResource): IndexedResource {
  let indexed = RESOURCES.get(resource);
  if (indexed === undefined) {
    indexed = {service: otlpServiceName(resource), terms: termsOf(resource.attributes)};
    RESOURCES.set(resource, indexed);
  }
  return indexed;
}

/** The last value of a key counts. */
function termsOf(attributes: readonly OtlpAttribute[]): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  for (const {key, value} of attributes) terms.set(key, typedTerm(value));
  return terms;
}
