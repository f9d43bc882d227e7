import type {KeyValue, SpanKind, SpanStatus} from '../../../core/api/plugin.js';
import type {OtlpEvent, OtlpResource, OtlpSpan, OtlpStatus, OtlpTrace} from '../model.js';
import {ProtobufWriter} from './protobuf-writer.js';

/**
 * The protobuf answers of a trace by id. Version 1 of the path answers a bare `Trace`, which on the wire is OTLP's
 * `TracesData`; version 2 answers a `TraceByIDResponse` that holds the same bytes as its field 1. They must not be
 * confused: either read as the other is an empty trace without any error.
 *
 * Written directly, because OpenTelemetry's serializer takes spans of its own SDK, which take longer to make than this
 * takes as a whole. What clients follow without looking (`resource`, `scope`, `status`, the value of an attribute) is
 * always written, also when it is empty. The numbers of fields are those of OTLP's trace.proto, common.proto and
 * resource.proto.
 */
export function encodeTrace(trace: OtlpTrace): Uint8Array {
  const out = new ProtobufWriter();
  writeTrace(out, trace);
  return out.finish();
}

export function encodeTraceByIdResponse(trace: OtlpTrace): Uint8Array {
  const out = new ProtobufWriter();
  const wrapped = out.open(1);
  writeTrace(out, trace);
  out.close(wrapped);
  return out.finish();
}

const KINDS: Readonly<Record<SpanKind, number>> = {
  UNSPECIFIED: 0,
  INTERNAL: 1,
  SERVER: 2,
  CLIENT: 3,
  PRODUCER: 4,
  CONSUMER: 5,
};

const STATUS_CODES: Readonly<Record<SpanStatus, number>> = {UNSET: 0, OK: 1, ERROR: 2};

function writeTrace(out: ProtobufWriter, trace: OtlpTrace): void {
  for (const resource of trace.resources) writeResourceSpans(out, resource, trace);
}

function writeResourceSpans(
  out: ProtobufWriter,
  {serviceName, spans}: OtlpResource,
  {traceId, scope}: OtlpTrace,
): void {
  const resourceSpans = out.open(1);
  const resource = out.open(1);
  writeAttribute(out, 1, 'service.name', serviceName);
  out.close(resource);
  const scopeSpans = out.open(2);
  const instrumentation = out.open(1);
  out.text(1, scope.name);
  out.text(2, scope.version);
  out.close(instrumentation);
  for (const span of spans) {
    const begin = out.open(2);
    out.hex(1, traceId);
    writeSpan(out, span);
    out.close(begin);
  }
  out.close(scopeSpans);
  out.close(resourceSpans);
}

/** All but the id of the trace. */
function writeSpan(out: ProtobufWriter, span: OtlpSpan): void {
  out.hex(2, span.spanId);
  if (span.parentSpanId !== undefined) out.hex(4, span.parentSpanId);
  out.text(5, span.name);
  out.number(6, KINDS[span.kind]);
  out.fixed64(7, span.startTimeUnixNano);
  out.fixed64(8, span.endTimeUnixNano);
  writeAttributes(out, 9, span.attributes);
  for (const event of span.events) writeEvent(out, event);
  writeStatus(out, span.status);
}

function writeEvent(out: ProtobufWriter, {timeUnixNano, name, attributes}: OtlpEvent): void {
  const event = out.open(11);
  out.fixed64(1, timeUnixNano);
  out.text(2, name);
  writeAttributes(out, 3, attributes);
  out.close(event);
}

function writeStatus(out: ProtobufWriter, {code, message}: OtlpStatus): void {
  const status = out.open(15);
  if (message !== undefined) out.text(2, message);
  out.number(3, STATUS_CODES[code]);
  out.close(status);
}

function writeAttributes(out: ProtobufWriter, field: number, attributes: readonly KeyValue[]): void {
  for (const {key, value} of attributes) writeAttribute(out, field, key, value);
}

function writeAttribute(out: ProtobufWriter, field: number, key: string, value: string): void {
  const attribute = out.open(field);
  out.text(1, key);
  const any = out.open(2);
  out.text(1, value);
  out.close(any);
  out.close(attribute);
}
