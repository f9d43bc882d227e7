import type {KeyValue} from '../../../core/api/plugin.js';
import {JsonWriter} from './json-writer.js';
import type {ConvertedEvent, ConvertedScope, ConvertedSpan, ConvertedStatus, ConvertedTrace} from './model.js';

/**
 * The JSON answer of a trace by id, `{"trace":{"resourceSpans":[…]}}`: enums by name, ids in hex, 64-bit times as text.
 *
 * No keys but those that the API documents, because strict clients refuse an answer with one that they do not know:
 * `parentSpanId` and `status.message` are left out when there is none, everything else is always there. The order of
 * services, spans, attributes and events is that of the trace.
 *
 * It comes in pieces of about `PIECE` bytes, so that a large trace is neither held whole nor made in one go; and the trace
 * itself may come in parts, of which each goes on with the service that the one before ended with, or with a new one.
 */
export class TraceJson {
  readonly #out = new JsonWriter();
  /** That of the spans that are being written. */
  #service: string | undefined;

  *add({traceId, scope, resources}: ConvertedTrace): Generator<Uint8Array, void> {
    const out = this.#out;
    for (const {serviceName, spans} of resources) {
      let start = ',{"traceId":';
      if (serviceName !== this.#service) {
        this.#open(serviceName, scope);
        start = '{"traceId":';
      }
      for (const span of spans) {
        out.raw(start);
        out.text(traceId);
        writeSpan(out, span);
        out.raw('}');
        start = ',{"traceId":';
        if (out.length >= PIECE) yield out.take();
      }
    }
  }

  /** The last piece. */
  finish(): Uint8Array {
    this.#out.raw(this.#service === undefined ? `${BEGIN}]}}` : ']}]}]}}');
    return this.#out.take();
  }

  #open(serviceName: string, {name, version}: ConvertedScope): void {
    const out = this.#out;
    out.raw(this.#service === undefined ? BEGIN : ']}]},');
    this.#service = serviceName;
    out.raw('{"resource":{"attributes":');
    writeAttributes(out, [{key: 'service.name', value: serviceName}]);
    out.raw('},"scopeSpans":[{"scope":{"name":');
    out.text(name);
    out.raw(',"version":');
    out.text(version);
    out.raw('},"spans":[');
  }
}

const BEGIN = '{"trace":{"resourceSpans":[';

/** What is written in about a millisecond. */
const PIECE = 2 ** 16;

/** All but the id of the trace. */
function writeSpan(out: JsonWriter, span: ConvertedSpan): void {
  out.raw(',"spanId":');
  out.text(span.spanId);
  if (span.parentSpanId !== undefined) {
    out.raw(',"parentSpanId":');
    out.text(span.parentSpanId);
  }
  out.raw(',"name":');
  out.text(span.name);
  out.raw(',"kind":"SPAN_KIND_');
  out.raw(span.kind);
  out.raw('","startTimeUnixNano":"');
  out.raw(span.startTimeUnixNano);
  out.raw('","endTimeUnixNano":"');
  out.raw(span.endTimeUnixNano);
  out.raw('","attributes":');
  writeAttributes(out, span.attributes);
  out.raw(',"events":[');
  span.events.forEach((event, index) => {
    out.raw(index === 0 ? '{"timeUnixNano":"' : ',{"timeUnixNano":"');
    writeEvent(out, event);
    out.raw('}');
  });
  out.raw('],"status":{"code":"STATUS_CODE_');
  writeStatus(out, span.status);
  out.raw('}');
}

function writeEvent(out: JsonWriter, event: ConvertedEvent): void {
  out.raw(event.timeUnixNano);
  out.raw('","name":');
  out.text(event.name);
  out.raw(',"attributes":');
  writeAttributes(out, event.attributes);
}

function writeAttributes(out: JsonWriter, attributes: readonly KeyValue[]): void {
  out.raw('[');
  attributes.forEach(({key, value}, index) => {
    out.raw(index === 0 ? '{"key":' : ',{"key":');
    out.text(key);
    out.raw(',"value":{"stringValue":');
    out.text(value);
    out.raw('}}');
  });
  out.raw(']');
}

function writeStatus(out: JsonWriter, status: ConvertedStatus): void {
  out.raw(status.code);
  out.raw('"');
  if (status.message === undefined) return;
  out.raw(',"message":');
  out.text(status.message);
}
