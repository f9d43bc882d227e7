import type {KeyValue} from '../../../core/api/plugin.js';
import {ascii, JsonWriter} from './json-writer.js';
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
      let start = NEXT_SPAN;
      if (serviceName !== this.#service) {
        this.#open(serviceName, scope);
        start = FIRST_SPAN;
      }
      for (const span of spans) {
        out.fixed(start);
        out.text(traceId);
        writeSpan(out, span);
        out.fixed(END_OF_OBJECT);
        start = NEXT_SPAN;
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
    out.fixed(this.#service === undefined ? FIRST_RESOURCE : NEXT_RESOURCE);
    this.#service = serviceName;
    writeAttributes(out, [{key: 'service.name', value: serviceName}]);
    out.fixed(SCOPE);
    out.text(name);
    out.fixed(VERSION);
    out.text(version);
    out.fixed(SPANS);
  }
}

const BEGIN = '{"trace":{"resourceSpans":[';
const RESOURCE = '{"resource":{"attributes":';
const FIRST_RESOURCE = ascii(BEGIN + RESOURCE);
const NEXT_RESOURCE = ascii(`]}]},${RESOURCE}`);
const SCOPE = ascii('},"scopeSpans":[{"scope":{"name":');
const VERSION = ascii(',"version":');
const SPANS = ascii('},"spans":[');
const FIRST_SPAN = ascii('{"traceId":');
const NEXT_SPAN = ascii(',{"traceId":');
const SPAN_ID = ascii(',"spanId":');
const PARENT_ID = ascii(',"parentSpanId":');
const SPAN_NAME = ascii(',"name":');
const KIND = ascii(',"kind":"SPAN_KIND_');
const START_TIME = ascii('","startTimeUnixNano":"');
const END_TIME = ascii('","endTimeUnixNano":"');
const SPAN_ATTRIBUTES = ascii('","attributes":');
const EVENTS = ascii(',"events":[');
const FIRST_EVENT = ascii('{"timeUnixNano":"');
const NEXT_EVENT = ascii(',{"timeUnixNano":"');
const EVENT_NAME = ascii('","name":');
const EVENT_ATTRIBUTES = ascii(',"attributes":');
const STATUS = ascii('],"status":{"code":"STATUS_CODE_');
const END_OF_CODE = ascii('"');
const MESSAGE = ascii(',"message":');
const FIRST_KEY = ascii('{"key":');
const NEXT_KEY = ascii(',{"key":');
const VALUE = ascii(',"value":{"stringValue":');
const END_OF_VALUE = ascii('}}');
const LIST = ascii('[');
const END_OF_LIST = ascii(']');
const END_OF_OBJECT = ascii('}');

/** What is written in about a millisecond. */
const PIECE = 2 ** 16;

/** All but the id of the trace. */
function writeSpan(out: JsonWriter, span: ConvertedSpan): void {
  out.fixed(SPAN_ID);
  out.text(span.spanId);
  if (span.parentSpanId !== undefined) {
    out.fixed(PARENT_ID);
    out.text(span.parentSpanId);
  }
  out.fixed(SPAN_NAME);
  out.text(span.name);
  out.fixed(KIND);
  out.raw(span.kind);
  out.fixed(START_TIME);
  out.raw(span.startTimeUnixNano);
  out.fixed(END_TIME);
  out.raw(span.endTimeUnixNano);
  out.fixed(SPAN_ATTRIBUTES);
  writeAttributes(out, span.attributes);
  out.fixed(EVENTS);
  span.events.forEach((event, index) => {
    out.fixed(index === 0 ? FIRST_EVENT : NEXT_EVENT);
    writeEvent(out, event);
    out.fixed(END_OF_OBJECT);
  });
  out.fixed(STATUS);
  writeStatus(out, span.status);
  out.fixed(END_OF_OBJECT);
}

function writeEvent(out: JsonWriter, event: ConvertedEvent): void {
  out.raw(event.timeUnixNano);
  out.fixed(EVENT_NAME);
  out.text(event.name);
  out.fixed(EVENT_ATTRIBUTES);
  writeAttributes(out, event.attributes);
}

function writeAttributes(out: JsonWriter, attributes: readonly KeyValue[]): void {
  out.fixed(LIST);
  let start = FIRST_KEY;
  for (const {key, value} of attributes) {
    out.fixed(start);
    out.text(key);
    out.fixed(VALUE);
    out.text(value);
    out.fixed(END_OF_VALUE);
    start = NEXT_KEY;
  }
  out.fixed(END_OF_LIST);
}

function writeStatus(out: JsonWriter, status: ConvertedStatus): void {
  out.raw(status.code);
  out.fixed(END_OF_CODE);
  if (status.message === undefined) return;
  out.fixed(MESSAGE);
  out.text(status.message);
}
