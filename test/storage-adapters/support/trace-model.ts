import {isDeepStrictEqual} from 'node:util';
import {
  type Attribute,
  type CompatSpan,
  type CompatTrace,
  compareNames,
  compatSpanView,
  type MatchedSpan,
  matchesSpan,
  type NativeTrace,
  nativeSpanView,
  type Segment,
  type SpanFilter,
  type TimeWindow,
  type TraceReader,
  type TraceSearchRequest,
} from '../../../core/api/adapter.js';
import {call} from './calls.js';
import type {StorageHarness} from './storage-harness.js';

interface ModelSpan {
  readonly start: number | undefined;
  readonly view: MatchedSpan;
  readonly keys: readonly string[];
}

/** What the model has to know of a kind of traces, told from the contract alone. */
export interface KindUnderTest<Unit, Trace> {
  readonly name: string;
  reader(harness: StorageHarness): TraceReader<Trace>;
  write(harness: StorageHarness, units: readonly Unit[]): Promise<void>;
  traceId(unit: Unit): string;
  identity(unit: Unit): string;
  spans(unit: Unit): readonly ModelSpan[];
  units(trace: Trace): readonly Unit[];
  idOf(trace: Trace): string;
}

export const compat: KindUnderTest<CompatSpan, CompatTrace> = {
  name: 'compat',
  reader: harness => harness.compat,
  write: (harness, spans) => harness.spans.write(spans, call),
  traceId: span => span.traceId,
  identity: ({id, kind, shared}) => JSON.stringify([id, kind ?? null, shared ?? false]),
  spans: span => [{start: span.timestamp, view: compatSpanView(span), keys: [...span.tags.keys()]}],
  units: trace => trace.spans,
  idOf: trace => trace.traceId,
};

export const native: KindUnderTest<Segment, NativeTrace> = {
  name: 'native',
  reader: harness => harness.native,
  write: (harness, segments) => harness.segments.write(segments, call),
  traceId: segment => segment.traceId,
  identity: segment => segment.traceSegmentId,
  spans: segment =>
    segment.spans.map(span => ({
      start: span.startTime * 1000,
      view: nativeSpanView(segment, span),
      keys: span.tags.map(({key}) => key),
    })),
  units: trace => trace.segments,
  idOf: trace => trace.traceId,
};

/** Traces in memory, searched by looking at every span. */
export class Model<Unit, Trace> {
  readonly #kind: KindUnderTest<Unit, Trace>;
  readonly #traces = new Map<string, Map<string, Unit>>();
  readonly #received = new Map<string, number>();

  constructor(kind: KindUnderTest<Unit, Trace>) {
    this.#kind = kind;
  }

  /** `now` is in microseconds, as all times here. */
  write(units: readonly Unit[], now: number): void {
    for (const unit of units) {
      const id = this.#kind.traceId(unit);
      const trace = this.#traces.get(id) ?? new Map<string, Unit>();
      this.#traces.set(id, trace);
      if (!isDeepStrictEqual(trace.get(this.#kind.identity(unit)), unit)) this.#received.set(id, now);
      trace.set(this.#kind.identity(unit), unit);
    }
  }

  /** Removes the traces whose latest span ended before `time`, and those without times that came before it. */
  expire(time: number): void {
    for (const [id, units] of this.#traces) {
      const ends = this.#spans(units).flatMap(({start, view}) =>
        start === undefined ? [] : Math.max(start, start + (view.duration ?? 0)),
      );
      const last = ends.length === 0 ? this.#received.get(id) : Math.max(...ends);
      if (last === undefined || last < time) this.#traces.delete(id);
    }
  }

  get ids(): readonly string[] {
    return [...this.#traces.keys()];
  }

  trace(id: string): readonly Unit[] | undefined {
    const units = this.#traces.get(id);
    return units && this.sorted([...units.values()]);
  }

  sorted(units: readonly Unit[]): readonly Unit[] {
    return [...units].sort((a, b) => (this.#kind.identity(a) < this.#kind.identity(b) ? -1 : 1));
  }

  /** The ids of the traces that match, in order. */
  search({filter, traceDuration: {min = 0, max = Number.POSITIVE_INFINITY} = {}, ...window}: TraceSearchRequest) {
    const found = [...this.#traces].flatMap(([id, units]) => {
      const starts = this.#spans(units).flatMap(({start}) => start ?? []);
      const ends = this.#spans(units).flatMap(({start, view}) =>
        start === undefined ? [] : Math.max(start, start + (view.duration ?? 0)),
      );
      const duration = Math.max(...ends) - Math.min(...starts);
      if (duration < min || duration > max) return [];
      const matches = this.#spans(units).some(span => isIn(window, span) && matchesSpan(filter, span.view));
      return matches ? [{id, start: Math.min(...starts)}] : [];
    });
    found.sort((a, b) => b.start - a.start || compareNames(a.id, b.id));
    return found.map(({id}) => id);
  }

  tagKeys(filter: SpanFilter, window: TimeWindow): readonly string[] {
    const keys = this.#matching(filter, window).flatMap(span => span.keys);
    return [...new Set(keys)].sort(compareNames);
  }

  values(attribute: Attribute, filter: SpanFilter, window: TimeWindow): readonly string[] {
    const earliest = new Map<string, number>();
    for (const span of this.#matching(filter, window)) {
      const value = attribute.of === 'tag' ? span.view.tag(attribute.key) : span.view[attribute.of];
      if (value === undefined || (value === '' && attribute.of !== 'tag')) continue;
      earliest.set(value, Math.min(span.start ?? 0, earliest.get(value) ?? Number.POSITIVE_INFINITY));
    }
    return [...earliest].sort(([a, x], [b, y]) => x - y || compareNames(a, b)).map(([value]) => value);
  }

  #matching(filter: SpanFilter, window: TimeWindow): readonly ModelSpan[] {
    return [...this.#traces.values()]
      .flatMap(units => this.#spans(units))
      .filter(span => isIn(window, span) && matchesSpan(filter, span.view));
  }

  #spans(units: ReadonlyMap<string, Unit>): readonly ModelSpan[] {
    return [...units.values()].flatMap(unit => this.#kind.spans(unit));
  }
}

function isIn({from, to}: TimeWindow, {start}: ModelSpan): boolean {
  return start !== undefined && start >= from && start < to;
}
