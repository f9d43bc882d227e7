import type {KeyValue} from '../../../core/api/plugin.js';
import {JsonWriter} from './json-writer.js';
import type {ConvertedEvent, ConvertedResource, ConvertedSpan, ConvertedStatus, ConvertedTrace} from './model.js';

/**
 * The JSON answer of a trace by id, `{"trace":{"resourceSpans":[…]}}`: enums by name, ids in hex, 64-bit times as text.
 *
 * No keys but those that the API documents, because strict clients refuse an answer with one that they do not know:
 * `parentSpanId` and `status.message` are left out when there is none, everything else is always there. The order of
 * services, spans, attributes and events is that of the trace.
 *
 * It comes in pieces of about `PIECE` bytes, so that a large trace is neither held whole nor made in one go.
 */
export function* traceJson(trace: ConvertedTrace): Generator<Uint8Array, void> {
  const out = new JsonWriter();
  out.raw('{"trace":{"resourceSpans":[');
  for (const [index, resource] of trace.resources.entries()) {
    if (index > 0) out.raw(',');
    yield* writeResource(out, resource, trace);
  }
  out.raw(']}}');
  yield out.take();
}

/** What is written in about a millisecond. */
const PIECE = 2 ** 16;

function* writeResource(
  out: JsonWriter,
  resource: ConvertedResource,
  {traceId, scope}: ConvertedTrace,
): Generator<Uint8Array, void> {
  out.raw('{"resource":{"attributes":');
  writeAttributes(out, [{key: 'service.name', value: resource.serviceName}]);
  out.raw('},"scopeSpans":[{"scope":{"name":');
  out.text(scope.name);
  out.raw(',"version":');
  out.text(scope.version);
  out.raw('},"spans":[');
  let start = '{"traceId":';
  for (const span of resource.spans) {
    out.raw(start);
    out.text(traceId);
    writeSpan(out, span);
    out.raw('}');
    start = ',{"traceId":';
    if (out.length >= PIECE) yield out.take();
  }
  out.raw(']}]}');
}

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
