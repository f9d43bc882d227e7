import type {CompatSpan, Segment} from '../../core/api/adapter.js';

/** Traces of 10 spans over consecutive services, the same ones in both kinds. */
export interface TraceShape {
  readonly traces: number;
  readonly services: number;
  /** Unix milliseconds. */
  readonly start: number;
  readonly hours: number;
  /** Spans of the one large trace at the end. */
  readonly large: number;
  /** The number of the first trace, when that is not 0. */
  readonly first?: number;
}

export const SPANS_PER_TRACE = 10;
const TAGS_PER_SPAN = 6;
const TAG_KEYS = 40;
const VALUES_PER_KEY = 50;
const HOUR = 3_600_000;
const BATCH = 100;

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function traceService(index: number): string {
  return `service-${index}`;
}

export function tagKey(index: number): string {
  return `tag.key-${index}`;
}

export function tagValue(index: number): string {
  return `value-${index}`;
}

export function compatTraceId(index: number): string {
  return `${'4bf92f3577b34da6'}${index.toString(16).padStart(16, '0')}`;
}

export function nativeTraceId(index: number): string {
  return `a12.38.${1_700_000_000_000 + index}`;
}

/** The id of the large trace, after all others. */
export function largeTrace(shape: TraceShape): number {
  return (shape.first ?? 0) + shape.traces;
}

interface PlainSpan {
  readonly service: string;
  readonly name: string;
  /** Milliseconds. */
  readonly start: number;
  readonly duration: number;
  readonly isError: boolean;
  readonly tags: readonly (readonly [string, string])[];
}

function plainTrace(shape: TraceShape, index: number, spans: number): readonly PlainSpan[] {
  const next = random(index + 1);
  // The large trace lies before the others, so that no search comes upon it.
  const share = index === largeTrace(shape) ? -0.1 : (index - (shape.first ?? 0)) / shape.traces;
  const begin = shape.start + Math.floor(share * shape.hours * HOUR);
  const first = Math.floor(next() * shape.services);
  return Array.from({length: spans}, (_, i) => {
    const service = (first + i) % shape.services;
    const tags = new Map<string, string>();
    while (tags.size < TAGS_PER_SPAN) {
      tags.set(tagKey(Math.floor(next() * TAG_KEYS)), tagValue(Math.floor(next() * VALUES_PER_KEY)));
    }
    return {
      service: traceService(service),
      name: `get:/resource-${service}/${Math.floor(next() * 20)}`,
      start: begin + (i % 1000),
      duration: 1 + Math.floor(next() * next() * 1000),
      isError: next() < 0.02,
      tags: [...tags],
    };
  });
}

function compatTrace(shape: TraceShape, index: number, spans: number): readonly CompatSpan[] {
  return plainTrace(shape, index, spans).map(({service, name, start, duration, isError, tags}, i) => ({
    traceId: compatTraceId(index),
    id: (i + 1).toString(16).padStart(16, '0'),
    ...(i === 0 ? {} : {parentId: i.toString(16).padStart(16, '0')}),
    kind: i % 2 === 0 ? 'SERVER' : 'CLIENT',
    name,
    timestamp: start * 1000,
    duration: duration * 1000,
    localEndpoint: {serviceName: service, ipv4: '10.0.0.1'},
    annotations: [],
    tags: new Map(isError ? [...tags, ['error', 'true']] : tags),
  }));
}

function nativeTrace(shape: TraceShape, index: number, spans: number): readonly Segment[] {
  return plainTrace(shape, index, spans).map(({service, name, start, duration, isError, tags}, i) => ({
    traceId: nativeTraceId(index),
    traceSegmentId: `${nativeTraceId(index)}.${i}`,
    layer: 'GENERAL',
    service,
    serviceInstance: `${service}-1`,
    spans: [
      {
        spanId: 0,
        parentSpanId: -1,
        startTime: start,
        endTime: start + duration,
        operationName: name,
        peer: '',
        spanType: i % 2 === 0 ? 'Entry' : 'Exit',
        spanLayer: 'Http',
        componentId: 1,
        isError,
        skipAnalysis: false,
        tags: tags.map(([key, value]) => ({key, value})),
        logs: [],
        refs: [],
        attachedEvents: [],
      },
    ],
  }));
}

/** Batches of 1,000 spans in the order of time, then the large trace. */
function* batches<Unit>(
  shape: TraceShape,
  trace: (shape: TraceShape, index: number, spans: number) => readonly Unit[],
): Generator<readonly Unit[]> {
  for (let from = 0; from < shape.traces; from += BATCH) {
    const count = Math.min(BATCH, shape.traces - from);
    const first = (shape.first ?? 0) + from;
    yield Array.from({length: count}, (_, i) => trace(shape, first + i, SPANS_PER_TRACE)).flat();
  }
  yield trace(shape, largeTrace(shape), shape.large);
}

export const compatBatches = (shape: TraceShape) => batches(shape, compatTrace);
export const nativeBatches = (shape: TraceShape) => batches(shape, nativeTrace);
