import {
  type AttributeValuesRequest,
  type Call,
  type CompatSpan,
  type CompatTrace,
  type CompatTraceReader,
  compatRoot,
  compatSpanView,
  GatewayError,
  type TagKeysRequest,
  type TraceSearchRequest,
} from '../../core/api/plugin.js';
import {excerpt} from '../traceql/messages.js';
import type {OtlpTrace} from '../traceql/otlp/model.js';
import {type Extent, extentOf} from '../traceql/search/trace-bounds.js';
import type {FoundSpan, FoundTrace, TraceSource} from '../traceql/source.js';
import {compatServiceName, convertCompatTrace} from './convert.js';

/** Compat traces. Their ids are public as they are; services and names are stored in lower case. */
export class CompatSource implements TraceSource {
  readonly statuses = ['error'];
  readonly #reader: CompatTraceReader;

  constructor(reader: CompatTraceReader) {
    this.#reader = reader;
  }

  foldName(name: string): string {
    return name.toLowerCase();
  }

  async trace(publicId: string, call: Call): Promise<OtlpTrace | undefined> {
    if (!/^[0-9a-f]{1,32}$/i.test(publicId) || /^0+$/.test(publicId)) {
      const message = `'${excerpt(publicId)}' is no trace id: it has 1 to 32 digits of hex, not all of them 0`;
      throw new GatewayError('bad_request', message);
    }
    const trace = await this.#reader.trace(publicId, call);
    return trace === undefined ? undefined : convertCompatTrace(trace);
  }

  async *search(request: TraceSearchRequest, call: Call): AsyncIterable<FoundTrace> {
    for await (const trace of this.#reader.search(request, call)) yield new FoundCompatTrace(trace);
  }

  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.tagKeys(request, call);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.attributeValues(request, call);
  }
}

class FoundCompatTrace implements FoundTrace {
  readonly spans: readonly FoundSpan[];
  readonly #trace: CompatTrace;

  constructor(trace: CompatTrace) {
    this.spans = trace.spans.map(foundSpan);
    this.#trace = trace;
  }

  get traceId(): string {
    return this.#trace.traceId;
  }

  get root(): FoundSpan {
    return foundSpan(this.#trace.summary?.root ?? compatRoot(this.#trace));
  }

  get extent(): Extent {
    return this.#trace.summary ?? extentOf(this.spans);
  }
}

function foundSpan(span: CompatSpan): FoundSpan {
  return {
    view: compatSpanView(span),
    spanId: span.id,
    start: span.timestamp,
    serviceName: compatServiceName(span),
    title: span.name || 'unknown',
  };
}
