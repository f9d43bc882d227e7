import protobuf from 'protobufjs';
import type {OtlpAttribute, OtlpSpan, OtlpValue} from '../../core/api/adapter.js';

/**
 * An independent reader of OTLP, whole: a general decoder of protobuf, with a schema written down from the field numbers of
 * the published messages, and a reader of the JSON answers. Both give spans in the form of the contract.
 */
const {root} = protobuf.parse(`
  syntax = "proto3";
  message TraceByIDResponse { TracesData trace = 1; }
  message TracesData { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
  message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; string schema_url = 3; }
  message Scope { string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
    int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9; uint32 dropped_attributes_count = 10;
    repeated Event events = 11; uint32 dropped_events_count = 12;
    repeated Link links = 13; uint32 dropped_links_count = 14;
    Status status = 15; fixed32 flags = 16;
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
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
      ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
  message KeyValueList { repeated KeyValue values = 1; }
`);

/** A message of OTLP as its JSON form has it, with keys left out, or as the decoder gives it. */
interface Message {
  readonly [key: string]: unknown;
}

/** Of one `resourceSpans`: how many `scopeSpans` it has, and its spans. */
export interface ReadGroup {
  readonly scopes: number;
  readonly spans: readonly OtlpSpan[];
}

export function readOtlpProtobuf(bytes: Uint8Array, version: 'v1' | 'v2'): readonly ReadGroup[] {
  const type = root.lookupType(version === 'v1' ? 'TracesData' : 'TraceByIDResponse');
  const decoded = type.toObject(type.decode(bytes), {longs: String}) as Message;
  return groupsOf(version === 'v1' ? decoded : (decoded.trace as Message));
}

export function readOtlpJson(text: string): readonly ReadGroup[] {
  return groupsOf((JSON.parse(text, negativeZero) as {readonly trace: Message}).trace);
}

/** `JSON.parse` keeps the sign of a zero itself. */
const negativeZero = (_: string, value: unknown): unknown => value;

const list = (value: unknown): readonly Message[] => (value ?? []) as readonly Message[];
const textOf = (value: unknown): string => (value ?? '') as string;
const numberOf = (value: unknown): number => (value ?? 0) as number;
const timeOf = (value: unknown): bigint => BigInt((value ?? 0) as string);
const hexOf = (value: unknown): string =>
  typeof value === 'string' ? value : Buffer.from((value ?? []) as Uint8Array).toString('hex');

function groupsOf(trace: Message): readonly ReadGroup[] {
  return list(trace.resourceSpans).map(group => {
    const scopeSpans = list(group.scopeSpans);
    return {
      scopes: scopeSpans.length,
      spans: scopeSpans.flatMap(one => list(one.spans).map(span => spanOf(span, group, one))),
    };
  });
}

/** Resource, scope and status must be there, as clients follow them without looking. */
function spanOf(span: Message, group: Message, scopeSpans: Message): OtlpSpan {
  const {resource, scope, status} = {...group, ...scopeSpans, status: span.status} as Readonly<Record<string, Message>>;
  if (resource === undefined || scope === undefined || status === undefined) throw new Error('a part is absent');
  const parent = hexOf(span.parentSpanId);
  return {
    traceId: hexOf(span.traceId),
    spanId: hexOf(span.spanId),
    traceState: textOf(span.traceState),
    ...(parent === '' ? {} : {parentSpanId: parent}),
    flags: numberOf(span.flags),
    name: textOf(span.name),
    kind: enumOf(span.kind, KINDS),
    startTime: timeOf(span.startTimeUnixNano),
    endTime: timeOf(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    droppedAttributesCount: numberOf(span.droppedAttributesCount),
    events: list(span.events).map(event => ({
      time: timeOf(event.timeUnixNano),
      name: textOf(event.name),
      attributes: attributesOf(event.attributes),
      droppedAttributesCount: numberOf(event.droppedAttributesCount),
    })),
    droppedEventsCount: numberOf(span.droppedEventsCount),
    links: list(span.links).map(link => ({
      traceId: hexOf(link.traceId),
      spanId: hexOf(link.spanId),
      traceState: textOf(link.traceState),
      attributes: attributesOf(link.attributes),
      droppedAttributesCount: numberOf(link.droppedAttributesCount),
      flags: numberOf(link.flags),
    })),
    droppedLinksCount: numberOf(span.droppedLinksCount),
    status: {code: enumOf(status.code, CODES), message: textOf(status.message)},
    resource: {
      attributes: attributesOf(resource.attributes),
      droppedAttributesCount: numberOf(resource.droppedAttributesCount),
      schemaUrl: textOf(group.schemaUrl),
    },
    scope: {
      name: textOf(scope.name),
      version: textOf(scope.version),
      attributes: attributesOf(scope.attributes),
      droppedAttributesCount: numberOf(scope.droppedAttributesCount),
      schemaUrl: textOf(scopeSpans.schemaUrl),
    },
  };
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(word => `SPAN_KIND_${word}`);
const CODES = ['UNSET', 'OK', 'ERROR'].map(word => `STATUS_CODE_${word}`);

function enumOf(value: unknown, words: readonly string[]): number {
  return typeof value === 'string' ? words.indexOf(value) : numberOf(value);
}

function attributesOf(values: unknown): readonly OtlpAttribute[] {
  return list(values).map(({key, value}) => ({key: textOf(key), value: valueOfMessage((value ?? {}) as Message)}));
}

function valueOfMessage(message: Message): OtlpValue {
  const [[key, value] = ['', undefined]] = Object.entries(message);
  switch (key) {
    case '':
      return null;
    case 'intValue':
      return BigInt(value as string);
    case 'doubleValue':
      return typeof value === 'string' ? Number(value) : (value as number);
    case 'bytesValue':
      return typeof value === 'string'
        ? Uint8Array.from(Buffer.from(value, 'base64'))
        : Uint8Array.from(value as Uint8Array);
    case 'arrayValue':
      return list((value as Message).values).map(valueOfMessage);
    case 'kvlistValue':
      return {entries: attributesOf((value as Message).values)};
    default:
      return value as string | boolean;
  }
}
