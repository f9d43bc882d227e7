import type {ProtobufTraceSerializer} from '@opentelemetry/otlp-transformer';
import type {KeyValue, SpanKind, SpanStatus} from '../../../core/api/plugin.js';
import type {ConvertedEvent, ConvertedSpan, ConvertedTrace} from './model.js';

/**
 * The protobuf answers of a trace by id. Version 1 of the path answers a bare `Trace`, which on the wire is OTLP's
 * `TracesData`; version 2 answers a `TraceByIDResponse` that holds the same bytes as its field 1. They must not be
 * confused: either read as the other is an empty trace without any error.
 *
 * The library writes spans of the OpenTelemetry SDK, so a trace is put in their form first. What clients follow without
 * looking (`resource`, `scope`, `status`, the value of an attribute) is always written, also when it is empty. The order
 * is that of the trace, except that attributes whose keys are array indexes come first, as in any JavaScript object.
 *
 * It is loaded with the first answer: it brings the whole SDK along, which a gateway that reads no traces need not wait for.
 */
export async function encodeTrace(trace: ConvertedTrace): Promise<Uint8Array> {
  const {ProtobufTraceSerializer: serializer} = await import('@opentelemetry/otlp-transformer');
  const bytes = serializer.serializeRequest(sdkSpans(trace) as unknown as LibrarySpan[]);
  return bytes ?? new Uint8Array();
}

export async function encodeTraceByIdResponse(trace: ConvertedTrace): Promise<Uint8Array> {
  const bytes = await encodeTrace(trace);
  return Buffer.concat([fieldOneOf(bytes.length), bytes]);
}

/** The tag of a length-delimited field 1, and the length as a varint. */
function fieldOneOf(length: number): Uint8Array {
  const header = [0x0a];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) header.push((rest % 128) | 0x80);
  header.push(rest);
  return Uint8Array.from(header);
}

type LibrarySpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

/** Seconds, and nanoseconds within the second. */
type HrTime = [number, number];

/** Of the SDK's span what the library reads. */
interface SdkSpan {
  spanContext(): {readonly traceId: string; readonly spanId: string; readonly traceFlags: number};
  readonly parentSpanContext: {readonly spanId: string} | undefined;
  readonly name: string;
  /** Counted from 0 for INTERNAL; undefined is written as UNSPECIFIED. */
  readonly kind: number | undefined;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: {readonly code: number; readonly message: string | undefined};
  readonly attributes: Readonly<Record<string, string>>;
  readonly events: readonly {
    readonly time: HrTime;
    readonly name: string;
    readonly attributes: Record<string, string>;
  }[];
  readonly links: readonly never[];
  /** The library groups spans by the identity of this object and of the next, so all spans of a service share them. */
  readonly resource: {readonly attributes: Readonly<Record<string, string>>};
  readonly instrumentationScope: {readonly name: string; readonly version: string};
  readonly droppedAttributesCount: 0;
  readonly droppedEventsCount: 0;
  readonly droppedLinksCount: 0;
}

const KINDS: Readonly<Record<SpanKind, number | undefined>> = {
  UNSPECIFIED: undefined,
  INTERNAL: 0,
  SERVER: 1,
  CLIENT: 2,
  PRODUCER: 3,
  CONSUMER: 4,
};

const STATUS_CODES: Readonly<Record<SpanStatus, number>> = {UNSET: 0, OK: 1, ERROR: 2};

function sdkSpans(trace: ConvertedTrace): SdkSpan[] {
  return trace.resources.flatMap(({serviceName, spans}) => {
    const resource = {attributes: {'service.name': serviceName}};
    return Array.from(spans, span => sdkSpan(span, trace, resource));
  });
}

const NO_LINKS: readonly never[] = [];

function sdkSpan(span: ConvertedSpan, trace: ConvertedTrace, resource: SdkSpan['resource']): SdkSpan {
  const context = {traceId: trace.traceId, spanId: span.spanId, traceFlags: 0};
  return {
    spanContext: () => context,
    parentSpanContext: span.parentSpanId === undefined ? undefined : {spanId: span.parentSpanId},
    name: span.name,
    kind: KINDS[span.kind],
    startTime: hrTime(span.startTimeUnixNano),
    endTime: hrTime(span.endTimeUnixNano),
    status: {code: STATUS_CODES[span.status.code], message: span.status.message},
    attributes: attributesOf(span.attributes),
    events: span.events.map(sdkEvent),
    links: NO_LINKS,
    resource,
    instrumentationScope: trace.scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function sdkEvent(event: ConvertedEvent): SdkSpan['events'][number] {
  return {time: hrTime(event.timeUnixNano), name: event.name, attributes: attributesOf(event.attributes)};
}

/** The last nine digits are the nanoseconds; both parts are exact as numbers. */
function hrTime(nanos: string): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))];
}

const NO_ATTRIBUTES: Record<string, string> = Object.freeze({});

function attributesOf(pairs: readonly KeyValue[]): Record<string, string> {
  if (pairs.length === 0) return NO_ATTRIBUTES;
  const attributes: Record<string, string> = {};
  for (const {key, value} of pairs) {
    // Assigned to, this one key would be lost: it sets the prototype.
    if (key === '__proto__') Object.defineProperty(attributes, key, {value, enumerable: true});
    else attributes[key] = value;
  }
  return attributes;
}
