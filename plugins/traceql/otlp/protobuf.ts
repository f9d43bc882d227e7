// Not the whole package, which brings the SDK for metrics and logs along: 200 modules, where these are 60.
import {ProtobufTraceSerializer} from '@opentelemetry/otlp-transformer/build/src/trace/protobuf/index.js';
import type {KeyValue, SpanKind, SpanStatus} from '../../../core/api/plugin.js';
import {type Cancellable, pause} from '../../../core/toolkit/yielder.js';
import type {ConvertedEvent, ConvertedSpan, ConvertedTrace} from './model.js';
import {joinService, lengthDelimited, lengthOf, type ServiceBytes, splitService} from './service-bytes.js';

/**
 * The protobuf answers of a trace by id. Version 1 of the path answers a bare `Trace`, which on the wire is OTLP's
 * `TracesData`; version 2 answers a `TraceByIDResponse` that holds the same bytes as its field 1. They must not be
 * confused: either read as the other is an empty trace without any error.
 *
 * The library writes spans of the OpenTelemetry SDK, so a trace is put in their form first. What clients follow without
 * looking (`resource`, `scope`, `status`, the value of an attribute) is always written, also when it is empty. The order
 * is that of the trace, except that attributes whose keys are array indexes come first, as in any JavaScript object.
 *
 * The serializer takes spans all at once, and a large trace would hold the thread for as long: it is given some at a time,
 * and what it gives for them is joined again to one element a service. Each answer is a list of pieces, to be sent in order.
 */
export class TraceProtobuf {
  readonly #pieces: Uint8Array[] = [];
  /** What has been encoded of the service that came last. */
  #batches: ServiceBytes[] = [];
  #resource: SdkSpan['resource'] | undefined;

  /** A trace, or a part of it, which goes on with the service that the one before ended with, or with a new one. */
  async add(trace: ConvertedTrace, call?: Cancellable): Promise<void> {
    for (const {serviceName, spans} of trace.resources) {
      const resource = this.#open(serviceName);
      for (const batch of batchesOf(spans)) {
        const some = batch.map(span => sdkSpan(span, trace, resource)) as unknown as LibrarySpan[];
        this.#batches.push(splitService(ProtobufTraceSerializer.serializeRequest(some) ?? new Uint8Array()));
        await pause(call);
      }
    }
  }

  finish(): readonly Uint8Array[] {
    this.#close();
    return this.#pieces;
  }

  #open(serviceName: string): SdkSpan['resource'] {
    if (this.#resource?.attributes['service.name'] !== serviceName) {
      this.#close();
      this.#resource = {attributes: {'service.name': serviceName}};
    }
    return this.#resource as SdkSpan['resource'];
  }

  #close(): void {
    this.#pieces.push(...joinService(this.#batches));
    this.#batches = [];
  }
}

/** A `TraceByIDResponse` of the pieces of a trace. */
export function wrapped(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return [lengthDelimited(1, lengthOf(pieces)), ...pieces];
}

/** What the serializer takes about a millisecond for. */
const BATCH = 64;

function* batchesOf(spans: Iterable<ConvertedSpan>): Generator<readonly ConvertedSpan[]> {
  let batch: ConvertedSpan[] = [];
  for (const span of spans) {
    batch.push(span);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
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
