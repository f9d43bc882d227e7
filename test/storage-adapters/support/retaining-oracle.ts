import {isDeepStrictEqual} from 'node:util';
import {
  type CompatSpan,
  type CompatTrace,
  compatSpanView,
  type NativeTrace,
  nativeSpanView,
  type OtlpSpan,
  type OtlpTrace,
  type OtlpTraceReader,
  otlpEnd,
  otlpMicros,
  otlpStart,
  type Segment,
  type TraceReader,
  type TraceSearchRequest,
  type TypedText,
} from '../../../core/api/adapter.js';
import {call} from './calls.js';
import {startOracle} from './oracle.js';
import type {StorageHarness} from './storage-harness.js';

/** Microseconds. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** What is different between the formats of traces, told from the contract alone. */
export interface TraceFormat<Fragment, Trace> {
  readonly name: 'compat' | 'native' | 'otlp';
  reader(harness: StorageHarness): TraceReader<Trace>;
  write(harness: StorageHarness, fragments: readonly Fragment[]): Promise<void>;
  traceId(fragment: Fragment): string;
  identity(fragment: Fragment): string;
  /** Of the spans that have a time. */
  extents(fragment: Fragment): readonly Extent[];
  fragments(trace: Trace): readonly Fragment[];
  idOf(trace: Trace): string;
}

const extent = (start: number, duration = 0): Extent => ({start, end: Math.max(start, start + duration)});

export const compat: TraceFormat<CompatSpan, CompatTrace> = {
  name: 'compat',
  reader: harness => harness.compat,
  write: (harness, spans) => harness.spans.write(spans, call),
  traceId: span => span.traceId,
  identity: ({id, kind, shared}) => JSON.stringify([id, kind ?? null, shared ?? false]),
  extents: span => (span.timestamp === undefined ? [] : [extent(span.timestamp, compatSpanView(span).duration)]),
  fragments: trace => trace.spans,
  idOf: trace => trace.traceId,
};

export const native: TraceFormat<Segment, NativeTrace> = {
  name: 'native',
  reader: harness => harness.native,
  write: (harness, segments) => harness.segments.write(segments, call),
  traceId: segment => segment.traceId,
  identity: segment => segment.traceSegmentId,
  extents: segment => segment.spans.map(span => extent(span.startTime * 1000, nativeSpanView(segment, span).duration)),
  fragments: trace => trace.segments,
  idOf: trace => trace.traceId,
};

export const otlp: TraceFormat<OtlpSpan, OtlpTrace> = {
  name: 'otlp',
  reader: harness => ofAllScopes(harness.get('traces.otlp.v1')),
  write: (harness, spans) => harness.get('ingest.otlp.v1').write(spans, call),
  traceId: span => span.traceId,
  identity: span => span.spanId,
  extents(span) {
    const start = otlpStart(span);
    return start === undefined ? [] : [{start, end: otlpMicros(otlpEnd(span))}];
  },
  fragments: trace => trace.spans,
  idOf: trace => trace.traceId,
};

/** A tag of the others is asked for as an attribute of the span, and of the resource. */
function ofAllScopes(reader: OtlpTraceReader): TraceReader<OtlpTrace> {
  const text = (typed: TypedText) => `${typed.type} ${typed.text}`;
  return {
    trace: (id, by) => reader.trace(id, by),
    search: (request, by) => reader.search(request, by),
    tagKeys: async (request, by) => [
      ...(await reader.tagKeys({...request, scope: 'span'}, by)).map(key => `span ${key}`),
      ...(await reader.tagKeys({...request, scope: 'resource'}, by)).map(key => `resource ${key}`),
    ],
    async attributeValues({attribute, ...request}, by) {
      const values = (await reader.attributeValues({...request, attribute}, by)).map(text);
      if (attribute.of !== 'tag') return values;
      const ofResource = {of: 'resource', key: attribute.key} as const;
      const more = await reader.attributeValues({...request, attribute: ofResource}, by);
      return [...values, ...more.map(value => `resource ${text(value)}`)];
    },
  };
}

/** What the oracle of the kit does not know: retention, by which traces go, and searches that find by duration exactly. */
export class RetainingOracle<Fragment, Trace> {
  readonly #format: TraceFormat<Fragment, Trace>;
  readonly #traces = new Map<string, Map<string, Fragment>>();
  /** When a trace last got something new, for those without times. Microseconds, as all times here. */
  readonly #received = new Map<string, number>();
  #oracle: Promise<StorageHarness> = startOracle();

  constructor(format: TraceFormat<Fragment, Trace>) {
    this.#format = format;
  }

  async write(fragments: readonly Fragment[], now: number): Promise<void> {
    for (const fragment of fragments) {
      const id = this.#format.traceId(fragment);
      const trace = this.#traces.get(id) ?? new Map<string, Fragment>();
      this.#traces.set(id, trace);
      const identity = this.#format.identity(fragment);
      if (!isDeepStrictEqual(trace.get(identity), fragment)) this.#received.set(id, now);
      trace.set(identity, fragment);
    }
    await this.#format.write(await this.#oracle, fragments);
  }

  /** Removes the traces whose latest span ended before `time`, and those without times that came before it. */
  async expire(time: number): Promise<void> {
    for (const [id, fragments] of this.#traces) {
      const ends = this.#extents([...fragments.values()]).map(({end}) => end);
      const last = ends.length === 0 ? this.#received.get(id) : Math.max(...ends);
      if (last === undefined || last < time) this.#traces.delete(id);
    }
    this.#oracle = startOracle();
    const kept = [...this.#traces.values()].flatMap(trace => [...trace.values()]);
    await this.#format.write(await this.#oracle, kept);
  }

  get ids(): readonly string[] {
    return [...this.#traces.keys()];
  }

  /** Keys and values are asked of it. */
  async reader(): Promise<TraceReader<Trace>> {
    return this.#format.reader(await this.#oracle);
  }

  async trace(id: string): Promise<readonly Fragment[] | undefined> {
    const trace = await (await this.reader()).trace(id, call);
    return trace && this.sorted(this.#format.fragments(trace));
  }

  sorted(fragments: readonly Fragment[]): readonly Fragment[] {
    return [...fragments].sort((a, b) => (this.#format.identity(a) < this.#format.identity(b) ? -1 : 1));
  }

  /** The ids of the traces that match, in order. */
  async search(request: TraceSearchRequest): Promise<readonly string[]> {
    const {min = 0, max = Number.POSITIVE_INFINITY} = request.traceDuration ?? {};
    const found: string[] = [];
    for await (const trace of (await this.reader()).search(request, call)) {
      const extents = this.#extents(this.#format.fragments(trace));
      const duration = Math.max(...extents.map(({end}) => end)) - Math.min(...extents.map(({start}) => start));
      if (duration >= min && duration <= max) found.push(this.#format.idOf(trace));
    }
    return found;
  }

  #extents(fragments: readonly Fragment[]): readonly Extent[] {
    return fragments.flatMap(fragment => this.#format.extents(fragment));
  }
}
