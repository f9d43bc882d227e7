import {
  type AttributeValuesRequest,
  type Call,
  GatewayError,
  type MatchedSpan,
  type NativeSpan,
  type NativeTrace,
  type NativeTraceReader,
  nativeSpanView,
  type Segment,
  type TagKeysRequest,
  type TraceSearchRequest,
} from '../../core/api/plugin.js';
import {excerpt} from '../traceql/messages.js';
import type {OtlpTrace} from '../traceql/model.js';
import type {FoundSpan, FoundTrace, TraceSource} from '../traceql/source.js';
import {convertNativeTrace, nativeServiceName, nativeSpanName} from './convert.js';
import {SpanIds} from './span-ids.js';
import {decodeId, encodeId} from './trace-id.js';

/** Native traces. Their ids are any text and public in hex; names are compared as they are. */
export class NativeSource implements TraceSource {
  readonly statuses = ['ok', 'error'];
  readonly #reader: NativeTraceReader;

  constructor(reader: NativeTraceReader) {
    this.#reader = reader;
  }

  foldName(name: string): string {
    return name;
  }

  async trace(publicId: string, call: Call): Promise<OtlpTrace | undefined> {
    const id = decodeId(publicId);
    if (id === undefined) {
      const message = `'${excerpt(publicId)}' is no trace id: it is the hex form of the id's UTF-8 bytes, two digits a byte`;
      throw new GatewayError('bad_request', message);
    }
    const trace = await this.#reader.trace(id, call);
    return trace === undefined ? undefined : convertNativeTrace(trace);
  }

  async *search(request: TraceSearchRequest, call: Call): AsyncIterable<FoundTrace> {
    for await (const trace of this.#reader.search(request, call)) yield foundTrace(trace);
  }

  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.tagKeys(request, call);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.attributeValues(request, call);
  }
}

/**
 * Ids and roots are made for traces that are shown alone: a root is a span whose parent is not among the spans, because
 * the segment that called it may belong to a system that reports elsewhere.
 */
function foundTrace({traceId, segments}: NativeTrace): FoundTrace {
  const trace: Ids = {of: new SpanIds(traceId), known: undefined, spans: []};
  for (const segment of segments) {
    for (const span of segment.spans) trace.spans.push(new FoundNativeSpan(segment, span, trace));
  }
  return {traceId: encodeId(traceId), spans: trace.spans};
}

/** The ids of a trace, as far as they were asked for. */
interface Ids {
  readonly of: SpanIds;
  readonly spans: FoundNativeSpan[];
  known: ReadonlySet<string> | undefined;
}

class FoundNativeSpan implements FoundSpan {
  readonly view: MatchedSpan;
  readonly start: number;
  readonly #segment: Segment;
  readonly #span: NativeSpan;
  readonly #ids: Ids;

  constructor(segment: Segment, span: NativeSpan, ids: Ids) {
    this.view = nativeSpanView(segment, span);
    this.start = span.startTime * 1000;
    this.#segment = segment;
    this.#span = span;
    this.#ids = ids;
  }

  get spanId(): string {
    return this.#ids.of.of(this.#segment.traceSegmentId, this.#span.spanId);
  }

  get isRoot(): boolean {
    this.#ids.known ??= new Set(this.#ids.spans.map(each => each.spanId));
    const parent = this.#ids.of.parentOf(this.#segment, this.#span);
    return parent === undefined || !this.#ids.known.has(parent);
  }

  get serviceName(): string {
    return nativeServiceName(this.#segment);
  }

  get title(): string {
    return nativeSpanName(this.#span);
  }
}
