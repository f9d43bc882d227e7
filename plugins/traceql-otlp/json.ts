import {
  isOtlpArray,
  type OtlpAttribute,
  type OtlpEvent,
  type OtlpLink,
  type OtlpSpan,
  type OtlpValue,
  otlpKind,
  otlpStatus,
} from '../../core/api/plugin.js';
import type {OtlpSpanGroup} from '../../core/toolkit/otlp/encode.js';
import {JsonWriter} from '../traceql/otlp/json-writer.js';

/**
 * The JSON answer of a trace by id, `{"trace":{"resourceSpans":[…]}}`, in the form that the plugins of the other kinds write:
 * enums by name (by number where there is no name), ids in hex, 64-bit integers as text. What OTLP has beyond them is there
 * where it is not the default, and values have their types. It comes in pieces of about `PIECE` bytes.
 */
export function* otlpJson(groups: readonly OtlpSpanGroup[]): Generator<Uint8Array, void> {
  const out = new JsonWriter();
  out.raw('{"trace":{"resourceSpans":[');
  for (const [index, group] of groups.entries()) {
    if (index > 0) out.raw(',');
    yield* writeGroup(out, group);
  }
  out.raw(']}}');
  yield out.take();
}

/** What is written in about a millisecond. */
const PIECE = 2 ** 16;

function* writeGroup(out: JsonWriter, group: OtlpSpanGroup): Generator<Uint8Array, void> {
  const [[{resource}]] = group as readonly [readonly [OtlpSpan]];
  out.raw('{"resource":{"attributes":');
  writeAttributes(out, resource.attributes);
  writeCount(out, 'droppedAttributesCount', resource.droppedAttributesCount);
  out.raw('},"scopeSpans":[');
  for (const [index, spans] of group.entries()) {
    if (index > 0) out.raw(',');
    yield* writeScopeSpans(out, spans);
  }
  out.raw(']');
  writeOptional(out, 'schemaUrl', resource.schemaUrl);
  out.raw('}');
}

function* writeScopeSpans(out: JsonWriter, spans: readonly OtlpSpan[]): Generator<Uint8Array, void> {
  const {scope} = spans[0] as OtlpSpan;
  out.raw('{"scope":{"name":');
  out.text(scope.name);
  out.raw(',"version":');
  out.text(scope.version);
  if (scope.attributes.length > 0) {
    out.raw(',"attributes":');
    writeAttributes(out, scope.attributes);
  }
  writeCount(out, 'droppedAttributesCount', scope.droppedAttributesCount);
  out.raw('},"spans":[');
  for (const [index, span] of spans.entries()) {
    if (index > 0) out.raw(',');
    writeSpan(out, span);
    if (out.length >= PIECE) yield out.take();
  }
  out.raw(']');
  writeOptional(out, 'schemaUrl', scope.schemaUrl);
  out.raw('}');
}

function writeSpan(out: JsonWriter, span: OtlpSpan): void {
  out.raw(`{"traceId":"${span.traceId}","spanId":"${span.spanId}"`);
  writeOptional(out, 'traceState', span.traceState);
  if (span.parentSpanId !== undefined) out.raw(`,"parentSpanId":"${span.parentSpanId}"`);
  writeCount(out, 'flags', span.flags);
  out.raw(',"name":');
  out.text(span.name);
  out.raw(`,"kind":${kindJson(span.kind)},"startTimeUnixNano":"${span.startTime}"`);
  out.raw(`,"endTimeUnixNano":"${span.endTime}","attributes":`);
  writeAttributes(out, span.attributes);
  writeCount(out, 'droppedAttributesCount', span.droppedAttributesCount);
  out.raw(',"events":');
  writeList(out, span.events, writeEvent);
  writeCount(out, 'droppedEventsCount', span.droppedEventsCount);
  if (span.links.length > 0) {
    out.raw(',"links":');
    writeList(out, span.links, writeLink);
  }
  writeCount(out, 'droppedLinksCount', span.droppedLinksCount);
  out.raw(`,"status":{"code":${codeJson(span.status.code)}`);
  writeOptional(out, 'message', span.status.message);
  out.raw('}}');
}

const LAST_KIND = 5;
const LAST_CODE = 2;

function kindJson(kind: number): string {
  return kind >= 0 && kind <= LAST_KIND ? `"SPAN_KIND_${otlpKind(kind)}"` : String(kind);
}

function codeJson(code: number): string {
  return code >= 0 && code <= LAST_CODE ? `"STATUS_CODE_${otlpStatus(code)}"` : String(code);
}

function writeEvent(out: JsonWriter, {time, name, attributes, droppedAttributesCount}: OtlpEvent): void {
  out.raw(`{"timeUnixNano":"${time}","name":`);
  out.text(name);
  out.raw(',"attributes":');
  writeAttributes(out, attributes);
  writeCount(out, 'droppedAttributesCount', droppedAttributesCount);
  out.raw('}');
}

function writeLink(out: JsonWriter, link: OtlpLink): void {
  out.raw(`{"traceId":"${link.traceId}","spanId":"${link.spanId}"`);
  writeOptional(out, 'traceState', link.traceState);
  out.raw(',"attributes":');
  writeAttributes(out, link.attributes);
  writeCount(out, 'droppedAttributesCount', link.droppedAttributesCount);
  writeCount(out, 'flags', link.flags);
  out.raw('}');
}

function writeAttributes(out: JsonWriter, attributes: readonly OtlpAttribute[]): void {
  writeList(out, attributes, writeAttribute);
}

function writeAttribute(out: JsonWriter, {key, value}: OtlpAttribute): void {
  out.raw('{"key":');
  out.text(key);
  out.raw(',"value":');
  writeValue(out, value);
  out.raw('}');
}

/** An empty object for a value without content. */
function writeValue(out: JsonWriter, value: OtlpValue): void {
  switch (typeof value) {
    case 'string':
      out.raw('{"stringValue":');
      out.text(value);
      break;
    case 'boolean':
      out.raw(`{"boolValue":${value}`);
      break;
    case 'bigint':
      out.raw(`{"intValue":"${value}"`);
      break;
    case 'number':
      out.raw(`{"doubleValue":${doubleJson(value)}`);
      break;
    default:
      writeComposite(out, value);
  }
  out.raw('}');
}

type Composite = Exclude<OtlpValue, string | boolean | bigint | number>;

function writeComposite(out: JsonWriter, value: Composite): void {
  if (value === null) out.raw('{');
  else if (value instanceof Uint8Array) {
    out.raw(`{"bytesValue":"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}"`);
  } else if (isOtlpArray(value)) {
    out.raw('{"arrayValue":{"values":');
    writeList(out, value, writeValue);
    out.raw('}');
  } else {
    out.raw('{"kvlistValue":{"values":');
    writeAttributes(out, value.entries);
    out.raw('}');
  }
}

/** JSON has no such numbers but as text, and a sign of zero only where it is written. */
function doubleJson(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function writeList<Item>(out: JsonWriter, items: readonly Item[], write: (out: JsonWriter, item: Item) => void): void {
  out.raw('[');
  items.forEach((item, index) => {
    if (index > 0) out.raw(',');
    write(out, item);
  });
  out.raw(']');
}

function writeCount(out: JsonWriter, key: string, count: number): void {
  if (count !== 0) out.raw(`,"${key}":${count}`);
}

function writeOptional(out: JsonWriter, key: string, text: string): void {
  if (text === '') return;
  out.raw(`,"${key}":`);
  out.text(text);
}
