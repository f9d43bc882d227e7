import {
  type AttributeValuesRequest,
  type Call,
  type CompatSpan,
  type CompatSpanWriter,
  type CompatTrace,
  compareNames,
  compatSpanView,
  type ExportRequest,
  type MatchedSpan,
  matchesSpan,
  type NativeTrace,
  nativeSpanView,
  type OtlpFilter,
  type OtlpSearchRequest,
  type Segment,
  type SegmentWriter,
  type TagKeysRequest,
  type TimeWindow,
  type TraceReader,
} from '../../../core/api/adapter.js';

/** What a question has to know about one span of any kind. */
export interface OracleSpan {
  readonly view: MatchedSpan;
  /** Microseconds. */
  readonly start: number | undefined;
}

interface Kept<Fragment, Span> {
  readonly fragment: Fragment;
  readonly spans: readonly Span[];
}

/** Traces in memory. Every question is answered by looking at every span. */
export abstract class OracleTraces<Fragment extends {readonly traceId: string}, Trace, Span extends OracleSpan> {
  /** Trace id → identity of a fragment in it → the fragment: a compat span or a segment. */
  readonly #traces = new Map<string, Map<string, Kept<Fragment, Span>>>();

  protected abstract identity(fragment: Fragment): string;
  protected abstract spansOf(fragment: Fragment): readonly Span[];
  protected abstract traceOf(traceId: string, fragments: readonly Fragment[]): Trace;
  protected abstract isNamed(traceId: string, id: string): boolean;

  async write(fragments: readonly Fragment[]): Promise<void> {
    for (const fragment of fragments) {
      const trace = this.#traces.get(fragment.traceId) ?? new Map<string, Kept<Fragment, Span>>();
      this.#traces.set(fragment.traceId, trace);
      trace.set(this.identity(fragment), {fragment, spans: this.spansOf(fragment)});
    }
  }

  async trace(id: string, {signal}: Call): Promise<Trace | undefined> {
    signal.throwIfAborted();
    const found = [...this.#traces].find(([traceId]) => this.isNamed(traceId, id));
    return found && this.traceOf(found[0], fragmentsOf(found[1]));
  }

  async *search(request: OtlpSearchRequest, {signal}: Call): AsyncGenerator<Trace> {
    const found: {readonly id: string; readonly start: number}[] = [];
    for (const [id, trace] of this.#traces) {
      const spans = spansOf(trace);
      if (!spans.some(span => isIn(request, span) && matchesSpan(request.filter, span.view))) continue;
      found.push({id, start: Math.min(...spans.map(({start}) => start ?? Number.POSITIVE_INFINITY))});
    }
    found.sort((a, b) => b.start - a.start || compareNames(a.id, b.id));
    for (const {id} of found) {
      signal.throwIfAborted();
      yield this.traceOf(id, fragmentsOf(this.#traces.get(id) ?? new Map()));
    }
    signal.throwIfAborted();
  }

  /** Whole traces, each by itself, that begin in a window of seconds; without bounds those without a time too. */
  exported({from, to}: ExportRequest): readonly (readonly Fragment[])[] {
    const first = (from ?? Number.NEGATIVE_INFINITY) * 1_000_000;
    const end = (to ?? Number.POSITIVE_INFINITY) * 1_000_000;
    const all = [...this.#traces.values()];
    if (from === undefined && to === undefined) return all.map(fragmentsOf);
    return all
      .filter(trace => {
        const starts = spansOf(trace).flatMap(({start}) => start ?? []);
        const start = Math.min(...starts);
        return starts.length > 0 && start >= first && start < end;
      })
      .map(fragmentsOf);
  }

  protected matching(filter: OtlpFilter, window: TimeWindow): readonly Span[] {
    return [...this.#traces.values()]
      .flatMap(spansOf)
      .filter(span => isIn(window, span) && matchesSpan(filter, span.view));
  }
}

function fragmentsOf<Fragment>(trace: ReadonlyMap<string, Kept<Fragment, unknown>>): readonly Fragment[] {
  return Array.from(trace.values(), ({fragment}) => fragment);
}

function spansOf<Span>(trace: ReadonlyMap<string, Kept<unknown, Span>>): readonly Span[] {
  return [...trace.values()].flatMap(({spans}) => spans);
}

/** What the two kinds have that tell no types of values apart. */
abstract class OracleTaggedTraces<Fragment extends {readonly traceId: string}, Trace>
  extends OracleTraces<Fragment, Trace, OracleSpan & {readonly tagKeys: readonly string[]}>
  implements TraceReader<Trace>
{
  async tagKeys(request: TagKeysRequest, {signal}: Call): Promise<readonly string[]> {
    signal.throwIfAborted();
    const keys = this.matching(request.filter, request).flatMap(({tagKeys}) => tagKeys);
    return [...new Set(keys)].sort(compareNames);
  }

  async attributeValues(request: AttributeValuesRequest, {signal}: Call): Promise<readonly string[]> {
    signal.throwIfAborted();
    const {attribute, filter, limit} = request;
    const earliest = new Map<string, number>();
    for (const {view, start = 0} of this.matching(filter, request)) {
      const value = attribute.of === 'tag' ? view.tag(attribute.key) : view[attribute.of];
      if (value === undefined || (value === '' && attribute.of !== 'tag')) continue;
      earliest.set(value, Math.min(start, earliest.get(value) ?? Number.POSITIVE_INFINITY));
    }
    const ordered = [...earliest].sort(([a, x], [b, y]) => x - y || compareNames(a, b));
    return ordered.slice(0, limit).map(([value]) => value);
  }
}

function isIn({from, to}: TimeWindow, {start}: OracleSpan): boolean {
  return start !== undefined && start >= from && start < to;
}

export class OracleCompatTraces extends OracleTaggedTraces<CompatSpan, CompatTrace> implements CompatSpanWriter {
  protected identity({id, kind, shared = false}: CompatSpan): string {
    return JSON.stringify([id, kind, shared]);
  }

  protected spansOf(span: CompatSpan) {
    return [{view: compatSpanView(span), start: span.timestamp, tagKeys: [...span.tags.keys()]}];
  }

  protected traceOf(traceId: string, spans: readonly CompatSpan[]): CompatTrace {
    return {traceId, spans};
  }

  protected isNamed(traceId: string, id: string): boolean {
    const bare = (text: string): string => text.toLowerCase().replace(/^0+/, '');
    return bare(traceId) === bare(id);
  }
}

export class OracleNativeTraces extends OracleTaggedTraces<Segment, NativeTrace> implements SegmentWriter {
  protected identity({traceSegmentId}: Segment): string {
    return traceSegmentId;
  }

  protected spansOf(segment: Segment) {
    return segment.spans.map(span => ({
      view: nativeSpanView(segment, span),
      start: span.startTime * 1000,
      tagKeys: span.tags.map(({key}) => key),
    }));
  }

  protected traceOf(traceId: string, segments: readonly Segment[]): NativeTrace {
    return {traceId, segments};
  }

  protected isNamed(traceId: string, id: string): boolean {
    return traceId === id;
  }
}
