import {
  type AttributeValuesRequest,
  type Call,
  GatewayError,
  type LocatedSpan,
  type MatchedSpan,
  type NativeTrace,
  type NativeTraceReader,
  nativeRoot,
  nativeSpanView,
  type TagKeysRequest,
  type TraceSearchRequest,
} from '../../core/api/plugin.js';
import {excerpt} from '../traceql/messages.js';
import type {OtlpTrace} from '../traceql/otlp/model.js';
import {type Extent, extentOf} from '../traceql/search/trace-bounds.js';
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
    for await (const trace of this.#reader.search(request, call)) yield new FoundNativeTrace(trace);
  }

  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.tagKeys(request, call);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.attributeValues(request, call);
  }
}

/** Ids are made for spans that are shown alone. */
class FoundNativeTrace implements FoundTrace {
  readonly traceId: string;
  readonly spans: readonly FoundSpan[];
  readonly #trace: NativeTrace;
  readonly #ids = new SpanIds();

  constructor(trace: NativeTrace) {
    this.traceId = encodeId(trace.traceId);
    this.#trace = trace;
    this.spans = trace.segments.flatMap(segment =>
      segment.spans.map(span => new FoundNativeSpan({segment, span}, this.#ids)),
    );
  }

  get root(): FoundSpan {
    const segment = this.#trace.summary?.root;
    const root = nativeRoot(segment === undefined ? this.#trace : {...this.#trace, segments: [segment]});
    return new FoundNativeSpan(root, this.#ids);
  }

  get extent(): Extent {
    return this.#trace.summary ?? extentOf(this.spans);
  }
}

class FoundNativeSpan implements FoundSpan {
  readonly view: MatchedSpan;
  readonly start: number;
  readonly #located: LocatedSpan;
  readonly #ids: SpanIds;

  constructor(located: LocatedSpan, ids: SpanIds) {
    this.view = nativeSpanView(located.segment, located.span);
    this.start = located.span.startTime * 1000;
    this.#located = located;
    this.#ids = ids;
  }

  get spanId(): string {
    const {segment, span} = this.#located;
    return this.#ids.of(segment.traceSegmentId, span.spanId);
  }

  get serviceName(): string {
    return nativeServiceName(this.#located.segment);
  }

  get title(): string {
    return nativeSpanName(this.#located.span);
  }
}
