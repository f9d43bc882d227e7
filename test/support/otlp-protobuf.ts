import protobuf from 'protobufjs';

/**
 * An independent reader of the protobuf answers: a general decoder, and a schema written down from the field numbers of
 * the published messages.
 */
const {root} = protobuf.parse(`
  syntax = "proto3";
  message TraceByIDResponse { Trace trace = 1; }
  message Trace { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message InstrumentationScope { string name = 1; string version = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    SpanKind kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
    repeated Event events = 11; uint32 dropped_events_count = 12; uint32 dropped_links_count = 14;
    Status status = 15; fixed32 flags = 16;
  }
  message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; uint32 dropped = 4; }
  message Status { string message = 2; StatusCode code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; } }
  enum SpanKind {
    SPAN_KIND_UNSPECIFIED = 0; SPAN_KIND_INTERNAL = 1; SPAN_KIND_SERVER = 2; SPAN_KIND_CLIENT = 3;
    SPAN_KIND_PRODUCER = 4; SPAN_KIND_CONSUMER = 5;
  }
  enum StatusCode { STATUS_CODE_UNSET = 0; STATUS_CODE_OK = 1; STATUS_CODE_ERROR = 2; }
`);

interface KeyValueMessage {
  readonly key?: string;
  readonly value?: {readonly stringValue?: string};
}

interface SpanMessage {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId?: Uint8Array;
  readonly name?: string;
  readonly kind?: string;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly KeyValueMessage[];
  readonly events?: readonly {
    readonly timeUnixNano?: string;
    readonly name?: string;
    readonly attributes?: readonly KeyValueMessage[];
  }[];
  readonly status?: {readonly code?: string; readonly message?: string};
}

interface TraceMessage {
  readonly resourceSpans?: readonly {
    readonly resource?: {readonly attributes?: readonly KeyValueMessage[]};
    readonly scopeSpans?: readonly {
      readonly scope?: {readonly name?: string; readonly version?: string};
      readonly spans?: readonly SpanMessage[];
    }[];
  }[];
}

function decode<Message>(type: string, bytes: Uint8Array): Message {
  const message = root.lookupType(type);
  return message.toObject(message.decode(bytes), {longs: String, enums: String}) as Message;
}

/** A bare `Trace`, as version 1 of the path answers it, in the form of the JSON answer. */
export function decodeTrace(bytes: Uint8Array): unknown {
  return jsonOf(decode<TraceMessage>('Trace', bytes));
}

/** A `TraceByIDResponse`, as version 2 answers it. */
export function decodeTraceByIdResponse(bytes: Uint8Array): unknown {
  return jsonOf(present('trace', decode<{readonly trace?: TraceMessage}>('TraceByIDResponse', bytes).trace));
}

function jsonOf(trace: TraceMessage): unknown {
  const resourceSpans = (trace.resourceSpans ?? []).map(({resource, scopeSpans}) => ({
    resource: {attributes: attributesOf(present('resource', resource).attributes)},
    scopeSpans: (scopeSpans ?? []).map(({scope, spans}) => ({
      scope: {name: present('scope', scope).name ?? '', version: present('scope', scope).version ?? ''},
      spans: (spans ?? []).map(spanOf),
    })),
  }));
  return {trace: {resourceSpans}};
}

function spanOf(span: SpanMessage): unknown {
  const status = present('status', span.status);
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    ...(span.parentSpanId === undefined ? {} : {parentSpanId: hex(span.parentSpanId)}),
    name: span.name ?? '',
    kind: span.kind ?? 'SPAN_KIND_UNSPECIFIED',
    startTimeUnixNano: span.startTimeUnixNano ?? '0',
    endTimeUnixNano: span.endTimeUnixNano ?? '0',
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map(event => ({
      timeUnixNano: event.timeUnixNano ?? '0',
      name: event.name ?? '',
      attributes: attributesOf(event.attributes),
    })),
    status: {
      code: status.code ?? 'STATUS_CODE_UNSET',
      ...(status.message === undefined ? {} : {message: status.message}),
    },
  };
}

function attributesOf(attributes: readonly KeyValueMessage[] = []): unknown[] {
  return attributes.map(({key = '', value}) => ({
    key,
    value: {stringValue: present(`value of ${key}`, present(`value of ${key}`, value).stringValue)},
  }));
}

/** Clients follow these without looking: absent, they crash. */
function present<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`${name} is absent`);
  return value;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
