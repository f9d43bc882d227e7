import {
  type AttributeValuesRequest,
  type Call,
  type CompatSpan,
  type CompatTraceReader,
  compatSpanView,
  GatewayError,
  type TagKeysRequest,
  type TraceSearchRequest,
} from '../../core/api/plugin.js';
import {excerpt} from '../traceql/messages.js';
import type {OtlpTrace} from '../traceql/model.js';
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
    for await (const {traceId, spans} of this.#reader.search(request, call)) {
      yield {traceId, spans: spans.map(foundSpan)};
    }
  }

  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.tagKeys(request, call);
  }

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]> {
    return this.#reader.attributeValues(request, call);
  }
}

/** A parent that was never received leaves its children without a root: only a span that names none is one. */
function foundSpan(span: CompatSpan): FoundSpan {
  return {
    view: compatSpanView(span),
    spanId: span.id,
    isRoot: span.parentId === undefined,
    start: span.timestamp,
    serviceName: compatServiceName(span),
    title: span.name || 'unknown',
  };
}
