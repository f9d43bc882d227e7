import {decodeResource, decodeScope, decodeSpan} from '../../../core/toolkit/otlp/decode.js';
import {RESOURCE_SPANS, SCOPE_SPANS, TRACES_DATA} from '../../../core/toolkit/otlp/fields.js';
import {WireReader} from '../../../core/toolkit/protobuf/wire-reader.js';
import type {TraceForm} from './form.js';

type Read<Message> = (reader: WireReader, end: number) => Message;

/**
 * A protobuf answer of a trace by its id, in the shape of the JSON form, to be compared: 64-bit integers, bytes and numbers
 * that JSON has no text for are objects that name their type. What the answer says beside the trace is passed over. What is
 * damaged throws a `GatewayError`.
 */
export function readTraceMessage(body: Uint8Array, version: TraceForm['version']): unknown {
  const reader = new WireReader(body);
  // The field of the trace in version 2 has the number of the resources in version 1.
  const traces =
    version === 'v1'
      ? [tracesData(reader, body.length)]
      : listOf(TRACES_DATA.resourceSpans, tracesData)(reader, body.length);
  return plain(traces);
}

const tracesData: Read<object> = (reader, end) => ({
  resourceSpans: listOf(TRACES_DATA.resourceSpans, resourceSpans)(reader, end),
});

const resourceSpans: Read<object> = (reader, end) => {
  const read = {resource: {}, scopeSpans: [] as object[], schemaUrl: ''};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === RESOURCE_SPANS.resource) read.resource = decodeResource(reader, reader.limit(end));
    else if (tag === RESOURCE_SPANS.scopeSpans) read.scopeSpans.push(scopeSpans(reader, reader.limit(end)));
    else if (tag === RESOURCE_SPANS.schemaUrl) read.schemaUrl = reader.text(end);
    else reader.skip(end);
  }
  return read;
};

const scopeSpans: Read<object> = (reader, end) => {
  const read = {scope: {}, spans: [] as object[], schemaUrl: ''};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === SCOPE_SPANS.scope) read.scope = decodeScope(reader, reader.limit(end));
    else if (tag === SCOPE_SPANS.spans) read.spans.push(decodeSpan(reader, reader.limit(end)));
    else if (tag === SCOPE_SPANS.schemaUrl) read.schemaUrl = reader.text(end);
    else reader.skip(end);
  }
  return read;
};

/** The messages of one field, and nothing else of the message around them. */
function listOf<Message>(field: number, read: Read<Message>): Read<readonly Message[]> {
  return (reader, end) => {
    const messages: Message[] = [];
    while (reader.position < end) {
      if (reader.tag(end) === field) messages.push(read(reader, reader.limit(end)));
      else reader.skip(end);
    }
    return messages;
  };
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return {int: String(value)};
  if (typeof value === 'number' && !Number.isFinite(value)) return {double: String(value)};
  if (value instanceof Uint8Array) return {bytes: Buffer.from(value).toString('hex')};
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
