import type {NativeSpan, Segment} from './traces.js';

/**
 * The order in which a whole trace is shown, for both kinds: spans by their service, services as they first occur, and those
 * of one service by `compareSpanPlaces`. It stands here because a reader that gives a trace some spans at a time
 * (`TraceReader.traceInOrder`) has to put them in it.
 */

/** What decides the place of a span. */
export interface SpanPlace {
  /** Never empty: what the service is called in answers. */
  readonly service: string;
  /** In the unit of its kind. Of a span without a start a number beyond every time, so that it comes last. */
  readonly start: number;
  /** Of a native span that of the segment. */
  readonly id: string;
  /** Of a native span its number in the segment; of a shared compat span the client's half comes first. */
  readonly number: number;
  readonly kind: string;
}

/** What decides the place of a compat span, as `CompatSpan` has it. */
export interface PlacedCompatSpan {
  readonly id: string;
  readonly kind?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly localEndpoint?: {readonly serviceName?: string | undefined};
  readonly shared?: boolean;
}

/** The same of a span of a segment, as `LocatedSpan` has it. */
export interface PlacedNativeSpan {
  readonly segment: Pick<Segment, 'service' | 'traceSegmentId'>;
  readonly span: Pick<NativeSpan, 'spanId' | 'startTime'>;
}

export function compatPlace(compat: PlacedCompatSpan): SpanPlace {
  const {id, kind = '', shared = false, timestamp: start = Number.MAX_VALUE, localEndpoint} = compat;
  return {service: localEndpoint?.serviceName || 'unknown-service', start, id, number: Number(shared), kind};
}

export function nativePlace({segment, span}: PlacedNativeSpan): SpanPlace {
  const {service, traceSegmentId: id} = segment;
  return {service: service || 'unknown', start: span.startTime, id, number: span.spanId, kind: ''};
}

/** By start, then by id, number and kind, texts in the order of their code units. */
export function compareSpanPlaces(a: SpanPlace, b: SpanPlace): number {
  return a.start - b.start || compareUnits(a.id, b.id) || a.number - b.number || compareUnits(a.kind, b.kind);
}

/** Spans, or what stands for them, by their service, in the order in which the trace is shown. */
export function inTraceOrder<Span>(
  spans: readonly Span[],
  placeOf: (span: Span) => SpanPlace,
): ReadonlyMap<string, readonly Span[]> {
  const placed = spans.map(span => ({span, place: placeOf(span)}));
  const services = new Map<string, Span[]>();
  for (const {span, place} of placed.sort((a, b) => compareSpanPlaces(a.place, b.place))) {
    const known = services.get(place.service);
    if (known === undefined) services.set(place.service, [span]);
    else known.push(span);
  }
  return services;
}

function compareUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
