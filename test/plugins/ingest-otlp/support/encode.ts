import {isDeepStrictEqual} from 'node:util';
import protobuf from 'protobufjs';
import type {OtlpAttribute, OtlpSpan, OtlpValue} from '../../../../core/api/plugin.js';

/**
 * Spans as a request, in both encodings, without the gateway's own code: protobuf by a general encoder and a schema written
 * down from the field numbers of the published messages; JSON by hand, as the specification has it.
 */
const {root} = protobuf.parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message InstrumentationScope {
    string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
  }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
    repeated Event events = 11; uint32 dropped_events_count = 12; repeated Link links = 13;
    uint32 dropped_links_count = 14; Status status = 15; fixed32 flags = 16;
  }
  message Event {
    fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
  }
  message Link {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; repeated KeyValue attributes = 4;
    uint32 dropped_attributes_count = 5; fixed32 flags = 6;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
      ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
    }
  }
  message ExportTraceServiceResponse { PartialSuccess partial_success = 1; }
  message PartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
  message RpcStatus { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Any { string type_url = 1; bytes value = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1; }
  message FieldViolation { string field = 1; string description = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
`);

export function decodeMessage<Message>(type: string, bytes: Uint8Array): Message {
  const message = root.lookupType(type);
  return message.toObject(message.decode(bytes), {longs: String, bytes: String}) as Message;
}

/** A request as an object with the keys of its JSON, and values as this encoding has them. */
interface Forms {
  readonly id: (hex: string) => unknown;
  readonly bytes: (bytes: Uint8Array) => unknown;
  readonly uint64: (value: bigint) => unknown;
  readonly double: (value: number) => unknown;
}

const Long = protobuf.util.Long as unknown as {fromString(text: string, isUnsigned?: boolean): unknown};

const PROTOBUF: Forms = {
  id: hex => Buffer.from(hex, 'hex'),
  bytes: bytes => bytes,
  uint64: value => Long.fromString(String(BigInt.asUintN(64, value)), true),
  double: value => value,
};

const JSON_FORMS: Forms = {
  id: hex => hex,
  bytes: bytes => Buffer.from(bytes).toString('base64'),
  uint64: String,
  double: value => (Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : value) : String(value)),
};

function valueObject(value: OtlpValue, forms: Forms): object {
  if (value === null) return {};
  if (typeof value === 'string') return {stringValue: value};
  if (typeof value === 'boolean') return {boolValue: value};
  if (typeof value === 'bigint')
    return {intValue: forms === JSON_FORMS ? String(value) : Long.fromString(String(value))};
  if (typeof value === 'number') return {doubleValue: forms.double(value)};
  if (value instanceof Uint8Array) return {bytesValue: forms.bytes(value)};
  if ('entries' in value && !Array.isArray(value)) {
    const {entries} = value as {readonly entries: readonly OtlpAttribute[]};
    return {kvlistValue: {values: attributeObjects(entries, forms)}};
  }
  return {arrayValue: {values: (value as readonly OtlpValue[]).map(each => valueObject(each, forms))}};
}

const attributeObjects = (attributes: readonly OtlpAttribute[], forms: Forms): object[] =>
  attributes.map(({key, value}) => ({key, value: valueObject(value, forms)}));

function spanObject(
  {resource: _, scope: __, startTime, endTime, parentSpanId, ...span}: OtlpSpan,
  forms: Forms,
): object {
  return {
    ...span,
    traceId: forms.id(span.traceId),
    spanId: forms.id(span.spanId),
    ...(parentSpanId !== undefined && {parentSpanId: forms.id(parentSpanId)}),
    startTimeUnixNano: forms.uint64(startTime),
    endTimeUnixNano: forms.uint64(endTime),
    attributes: attributeObjects(span.attributes, forms),
    events: span.events.map(({time, attributes, ...event}) => ({
      ...event,
      timeUnixNano: forms.uint64(time),
      attributes: attributeObjects(attributes, forms),
    })),
    links: span.links.map(({attributes, ...link}) => ({
      ...link,
      traceId: forms.id(link.traceId),
      spanId: forms.id(link.spanId),
      attributes: attributeObjects(attributes, forms),
    })),
  };
}

/** One entry for each run of spans with the same resource object, and scopes alike. */
function requestObject(spans: readonly OtlpSpan[], forms: Forms): object {
  const groups: OtlpSpan[][] = [];
  for (const span of spans) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    const isAlike = first?.resource === span.resource && isDeepStrictEqual(first.scope, span.scope);
    if (last !== undefined && isAlike) last.push(span);
    else groups.push([span]);
  }
  return {
    resourceSpans: groups.map(group => {
      const {resource, scope} = group[0] as OtlpSpan;
      return {
        resource: {...resource, schemaUrl: undefined, attributes: attributeObjects(resource.attributes, forms)},
        scopeSpans: [
          {
            scope: {...scope, schemaUrl: undefined, attributes: attributeObjects(scope.attributes, forms)},
            spans: group.map(span => spanObject(span, forms)),
            schemaUrl: scope.schemaUrl,
          },
        ],
        schemaUrl: resource.schemaUrl,
      };
    }),
  };
}

export function protobufOf(spans: readonly OtlpSpan[]): Buffer {
  const type = root.lookupType('ExportTraceServiceRequest');
  return Buffer.from(type.encode(type.fromObject(requestObject(spans, PROTOBUF))).finish());
}

export const jsonOf = (spans: readonly OtlpSpan[]): string => JSON.stringify(requestObject(spans, JSON_FORMS));
