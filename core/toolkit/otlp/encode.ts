import {
  isOtlpArray,
  type OtlpAttribute,
  type OtlpEvent,
  type OtlpKeyValueList,
  type OtlpLink,
  type OtlpResource,
  type OtlpScope,
  type OtlpSpan,
  type OtlpStatus,
  type OtlpValue,
} from '../../api/adapter.js';
import {MessageWriter} from '../protobuf/message-writer.js';
import type {Steps} from '../yielder.js';
import {
  ATTRIBUTE,
  EVENT,
  LINK,
  LIST,
  RESOURCE,
  RESOURCE_SPANS,
  SCOPE,
  SCOPE_SPANS,
  SPAN,
  STATUS,
  TRACES_DATA,
  VALUE,
} from './fields.js';

/**
 * Spans in the public binary form of OTLP. A field that has its default is left out; resource, scope, status and the value
 * of an attribute are always there, because clients follow them without looking.
 *
 * `MessageWriter` goes from the end to the beginning, and so does all of this.
 */

/** The spans of one resource and schema URL, in lists that share a scope and schema URL. None is empty. */
export type OtlpSpanGroup = readonly (readonly OtlpSpan[])[];

/** A `TracesData`, which is also what the trace messages of other APIs look like. With a pause after each span. */
export function* encodeOtlpTraces(groups: readonly OtlpSpanGroup[]): Steps<Uint8Array> {
  const out = new MessageWriter();
  for (let index = groups.length - 1; index >= 0; index--) {
    const before = out.length;
    yield* writeGroup(out, groups[index] as OtlpSpanGroup);
    out.delimited(TRACES_DATA.resourceSpans, before);
  }
  return out.finish();
}

const writer = new MessageWriter();

/** A `ResourceSpans` with one span: the form in which storages keep a span. */
export function encodeOtlpSpan(span: OtlpSpan): Uint8Array {
  for (const _ of writeGroup(writer, [[span]]));
  return writer.finish();
}

/** A message `Span`, without what it is under. */
export function encodeOtlpSpanMessage(span: OtlpSpan): Uint8Array {
  writeSpan(writer, span);
  return writer.finish();
}

/** A message `Resource`, beside which its schema URL stands. */
export function encodeOtlpResource(resource: OtlpResource): Uint8Array {
  writeResource(writer, resource);
  return writer.finish();
}

/** A message `InstrumentationScope`, as `encodeOtlpResource`. */
export function encodeOtlpScope(scope: OtlpScope): Uint8Array {
  writeScope(writer, scope);
  return writer.finish();
}

/** The same text for resources that are the same in everything, the schema URL too. */
export function otlpResourceKey(resource: OtlpResource): string {
  writeResource(writer, resource);
  writeText(writer, RESOURCE_SPANS.schemaUrl, resource.schemaUrl);
  return latin1(writer.finish());
}

/** As `otlpResourceKey`. */
export function otlpScopeKey(scope: OtlpScope): string {
  writeScope(writer, scope);
  writeText(writer, SCOPE_SPANS.schemaUrl, scope.schemaUrl);
  return latin1(writer.finish());
}

function latin1({buffer, byteOffset, length}: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

function* writeGroup(out: MessageWriter, group: OtlpSpanGroup): Steps<void> {
  const [first] = group[0] as readonly OtlpSpan[];
  const {resource} = first as OtlpSpan;
  writeText(out, RESOURCE_SPANS.schemaUrl, resource.schemaUrl);
  for (let index = group.length - 1; index >= 0; index--) {
    const before = out.length;
    yield* writeScopeSpans(out, group[index] as readonly OtlpSpan[]);
    out.delimited(RESOURCE_SPANS.scopeSpans, before);
  }
  const before = out.length;
  writeResource(out, resource);
  out.delimited(RESOURCE_SPANS.resource, before);
}

function* writeScopeSpans(out: MessageWriter, spans: readonly OtlpSpan[]): Steps<void> {
  const {scope} = spans[0] as OtlpSpan;
  writeText(out, SCOPE_SPANS.schemaUrl, scope.schemaUrl);
  for (let index = spans.length - 1; index >= 0; index--) {
    const before = out.length;
    writeSpan(out, spans[index] as OtlpSpan);
    out.delimited(SCOPE_SPANS.spans, before);
    yield;
  }
  const before = out.length;
  writeScope(out, scope);
  out.delimited(SCOPE_SPANS.scope, before);
}

function writeResource(out: MessageWriter, {attributes, droppedAttributesCount}: OtlpResource): void {
  writeCount(out, RESOURCE.droppedAttributesCount, droppedAttributesCount);
  writeEach(out, RESOURCE.attributes, attributes, writeAttribute);
}

function writeScope(out: MessageWriter, {name, version, attributes, droppedAttributesCount}: OtlpScope): void {
  writeCount(out, SCOPE.droppedAttributesCount, droppedAttributesCount);
  writeEach(out, SCOPE.attributes, attributes, writeAttribute);
  writeText(out, SCOPE.version, version);
  writeText(out, SCOPE.name, name);
}

function writeSpan(out: MessageWriter, span: OtlpSpan): void {
  writeFlags(out, SPAN.flags, span.flags);
  const before = out.length;
  writeStatus(out, span.status);
  out.delimited(SPAN.status, before);
  writeCount(out, SPAN.droppedLinksCount, span.droppedLinksCount);
  writeEach(out, SPAN.links, span.links, writeLink);
  writeCount(out, SPAN.droppedEventsCount, span.droppedEventsCount);
  writeEach(out, SPAN.events, span.events, writeEvent);
  writeCount(out, SPAN.droppedAttributesCount, span.droppedAttributesCount);
  writeEach(out, SPAN.attributes, span.attributes, writeAttribute);
  writeTime(out, SPAN.endTime, span.endTime);
  writeTime(out, SPAN.startTime, span.startTime);
  writeNumber(out, SPAN.kind, span.kind);
  writeText(out, SPAN.name, span.name);
  if (span.parentSpanId !== undefined) out.hex(SPAN.parentSpanId, span.parentSpanId);
  writeText(out, SPAN.traceState, span.traceState);
  out.hex(SPAN.spanId, span.spanId);
  out.hex(SPAN.traceId, span.traceId);
}

function writeStatus(out: MessageWriter, {code, message}: OtlpStatus): void {
  writeNumber(out, STATUS.code, code);
  writeText(out, STATUS.message, message);
}

function writeEvent(out: MessageWriter, {time, name, attributes, droppedAttributesCount}: OtlpEvent): void {
  writeCount(out, EVENT.droppedAttributesCount, droppedAttributesCount);
  writeEach(out, EVENT.attributes, attributes, writeAttribute);
  writeText(out, EVENT.name, name);
  writeTime(out, EVENT.time, time);
}

function writeLink(out: MessageWriter, link: OtlpLink): void {
  writeFlags(out, LINK.flags, link.flags);
  writeCount(out, LINK.droppedAttributesCount, link.droppedAttributesCount);
  writeEach(out, LINK.attributes, link.attributes, writeAttribute);
  writeText(out, LINK.traceState, link.traceState);
  if (link.spanId !== '') out.hex(LINK.spanId, link.spanId);
  if (link.traceId !== '') out.hex(LINK.traceId, link.traceId);
}

function writeAttribute(out: MessageWriter, {key, value}: OtlpAttribute): void {
  const before = out.length;
  writeValue(out, value);
  out.delimited(ATTRIBUTE.value, before);
  writeText(out, ATTRIBUTE.key, key);
}

/** Also a default, which stands for the type. */
function writeValue(out: MessageWriter, value: OtlpValue): void {
  switch (typeof value) {
    case 'string':
      out.text(VALUE.string, value);
      break;
    case 'boolean':
      out.varint(value ? 1 : 0);
      out.varint(VALUE.bool);
      break;
    case 'bigint':
      out.int64(value);
      out.varint(VALUE.int);
      break;
    case 'number':
      out.double(value);
      out.varint(VALUE.double);
      break;
    default:
      if (value instanceof Uint8Array) out.bytes(VALUE.bytes, value);
      else if (value !== null) writeList(out, value);
  }
}

function writeList(out: MessageWriter, value: readonly OtlpValue[] | OtlpKeyValueList): void {
  const before = out.length;
  if (isOtlpArray(value)) {
    writeEach(out, LIST.values, value, writeValue);
    out.delimited(VALUE.array, before);
  } else {
    writeEach(out, LIST.values, value.entries, writeAttribute);
    out.delimited(VALUE.keyValueList, before);
  }
}

function writeEach<Item>(
  out: MessageWriter,
  tag: number,
  items: readonly Item[],
  write: (out: MessageWriter, item: Item) => void,
): void {
  for (let index = items.length - 1; index >= 0; index--) {
    const before = out.length;
    write(out, items[index] as Item);
    out.delimited(tag, before);
  }
}

function writeText(out: MessageWriter, tag: number, text: string): void {
  if (text !== '') out.text(tag, text);
}

function writeCount(out: MessageWriter, tag: number, count: number): void {
  if (count === 0) return;
  out.varint(count);
  out.varint(tag);
}

/** 32 bits with a sign: negative ones take ten bytes. */
function writeNumber(out: MessageWriter, tag: number, number: number): void {
  if (number === 0) return;
  if (number > 0) out.varint(number);
  else out.int64(BigInt(number));
  out.varint(tag);
}

function writeTime(out: MessageWriter, tag: number, time: bigint): void {
  if (time === 0n) return;
  out.fixed64(time);
  out.varint(tag);
}

function writeFlags(out: MessageWriter, tag: number, flags: number): void {
  if (flags === 0) return;
  out.fixed32(flags);
  out.varint(tag);
}
