import {
  DEEPEST_OTLP_VALUE,
  type OtlpAttribute,
  type OtlpEvent,
  type OtlpLink,
  type OtlpResource,
  type OtlpScope,
  type OtlpSpan,
  type OtlpStatus,
  type OtlpValue,
} from '../../api/adapter.js';
import type {WireReader} from '../protobuf/wire-reader.js';
import {ATTRIBUTE, EVENT, LINK, LIST, RESOURCE, SCOPE, SPAN, STATUS, VALUE} from './fields.js';

/**
 * The messages of OTLP from their binary form. Each function reads the message between the cursor and `end`. Fields that
 * are not known are passed over; of a field that occurs again the last counts, as the encoding has it. Ids are read as they
 * are, of any length. What is damaged throws a `bad_request`.
 */

type Mutable<Type> = {-readonly [Key in keyof Type]: Type[Key]};

/** What a span says itself: not what stands around it. */
export type OtlpSpanMessage = Omit<OtlpSpan, 'resource' | 'scope'>;

export function decodeSpan(reader: WireReader, end: number): Mutable<OtlpSpanMessage> {
  const attributes: OtlpAttribute[] = [];
  const events: OtlpEvent[] = [];
  const links: OtlpLink[] = [];
  const span: Mutable<OtlpSpanMessage> = {
    traceId: '',
    spanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startTime: 0n,
    endTime: 0n,
    attributes,
    droppedAttributesCount: 0,
    events,
    droppedEventsCount: 0,
    links,
    droppedLinksCount: 0,
    status: NO_STATUS,
  };
  while (reader.position < end) {
    switch (reader.tag(end)) {
      case SPAN.traceId:
        span.traceId = hex(reader, end);
        break;
      case SPAN.spanId:
        span.spanId = hex(reader, end);
        break;
      case SPAN.traceState:
        span.traceState = reader.text(end);
        break;
      case SPAN.parentSpanId: {
        const parent = hex(reader, end);
        if (/[^0]/.test(parent)) span.parentSpanId = parent;
        else delete span.parentSpanId;
        break;
      }
      case SPAN.name:
        span.name = reader.text(end);
        break;
      case SPAN.kind:
        span.kind = reader.int32(end);
        break;
      case SPAN.startTime:
        span.startTime = reader.fixed64(end);
        break;
      case SPAN.endTime:
        span.endTime = reader.fixed64(end);
        break;
      case SPAN.attributes:
        attributes.push(decodeAttribute(reader, reader.limit(end)));
        break;
      case SPAN.droppedAttributesCount:
        span.droppedAttributesCount = count(reader, end);
        break;
      case SPAN.events:
        events.push(event(reader, reader.limit(end)));
        break;
      case SPAN.droppedEventsCount:
        span.droppedEventsCount = count(reader, end);
        break;
      case SPAN.links:
        links.push(link(reader, reader.limit(end)));
        break;
      case SPAN.droppedLinksCount:
        span.droppedLinksCount = count(reader, end);
        break;
      case SPAN.status:
        span.status = status(reader, reader.limit(end), span.status);
        break;
      case SPAN.flags:
        span.flags = reader.fixed32(end);
        break;
      default:
        reader.skip(end);
    }
  }
  return span;
}

/** Without its schema URL, which stands beside it. */
export function decodeResource(reader: WireReader, end: number): Mutable<OtlpResource> {
  const attributes: OtlpAttribute[] = [];
  const resource = {attributes, droppedAttributesCount: 0, schemaUrl: ''};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === RESOURCE.attributes) attributes.push(decodeAttribute(reader, reader.limit(end)));
    else if (tag === RESOURCE.droppedAttributesCount) resource.droppedAttributesCount = count(reader, end);
    else reader.skip(end);
  }
  return resource;
}

/** As `decodeResource`. */
export function decodeScope(reader: WireReader, end: number): Mutable<OtlpScope> {
  const attributes: OtlpAttribute[] = [];
  const scope = {name: '', version: '', attributes, droppedAttributesCount: 0, schemaUrl: ''};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === SCOPE.name) scope.name = reader.text(end);
    else if (tag === SCOPE.version) scope.version = reader.text(end);
    else if (tag === SCOPE.attributes) attributes.push(decodeAttribute(reader, reader.limit(end)));
    else if (tag === SCOPE.droppedAttributesCount) scope.droppedAttributesCount = count(reader, end);
    else reader.skip(end);
  }
  return scope;
}

const NO_STATUS: OtlpStatus = {code: 0, message: ''};

function status(reader: WireReader, end: number, before: OtlpStatus): OtlpStatus {
  let {code, message} = before;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === STATUS.code) code = reader.int32(end);
    else if (tag === STATUS.message) message = reader.text(end);
    else reader.skip(end);
  }
  return {code, message};
}

function event(reader: WireReader, end: number): OtlpEvent {
  const attributes: OtlpAttribute[] = [];
  const read = {time: 0n, name: '', attributes, droppedAttributesCount: 0};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === EVENT.time) read.time = reader.fixed64(end);
    else if (tag === EVENT.name) read.name = reader.text(end);
    else if (tag === EVENT.attributes) attributes.push(decodeAttribute(reader, reader.limit(end)));
    else if (tag === EVENT.droppedAttributesCount) read.droppedAttributesCount = count(reader, end);
    else reader.skip(end);
  }
  return read;
}

function link(reader: WireReader, end: number): OtlpLink {
  const attributes: OtlpAttribute[] = [];
  const read = {traceId: '', spanId: '', traceState: '', attributes, droppedAttributesCount: 0, flags: 0};
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === LINK.traceId) read.traceId = hex(reader, end);
    else if (tag === LINK.spanId) read.spanId = hex(reader, end);
    else if (tag === LINK.traceState) read.traceState = reader.text(end);
    else if (tag === LINK.attributes) attributes.push(decodeAttribute(reader, reader.limit(end)));
    else if (tag === LINK.droppedAttributesCount) read.droppedAttributesCount = count(reader, end);
    else if (tag === LINK.flags) read.flags = reader.fixed32(end);
    else reader.skip(end);
  }
  return read;
}

/** `depth`: how many arrays and lists stand around it. */
export function decodeAttribute(reader: WireReader, end: number, depth = 0): OtlpAttribute {
  let key = '';
  let value: OtlpValue = null;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === ATTRIBUTE.key) key = reader.text(end);
    else if (tag === ATTRIBUTE.value) value = decodeValue(reader, reader.limit(end), depth);
    else reader.skip(end);
  }
  return {key, value};
}

/** As of `decodeAttribute`. */
function decodeValue(reader: WireReader, end: number, depth: number): OtlpValue {
  let value: OtlpValue = null;
  while (reader.position < end) {
    switch (reader.tag(end)) {
      case VALUE.string:
        value = reader.text(end);
        break;
      case VALUE.bool:
        value = reader.varint(end) !== 0;
        break;
      case VALUE.int:
        value = reader.int64(end);
        break;
      case VALUE.double:
        value = reader.double(end);
        break;
      case VALUE.array:
        value = list(reader, reader.limit(end), depth + 1, decodeValue);
        break;
      case VALUE.keyValueList:
        value = {entries: list(reader, reader.limit(end), depth + 1, decodeAttribute)};
        break;
      case VALUE.bytes:
        value = Uint8Array.from(reader.view(end));
        break;
      default:
        reader.skip(end);
    }
  }
  return value;
}

function list<Item>(
  reader: WireReader,
  end: number,
  depth: number,
  read: (reader: WireReader, end: number, depth: number) => Item,
): readonly Item[] {
  if (depth > DEEPEST_OTLP_VALUE) reader.damaged(`values nest deeper than ${DEEPEST_OTLP_VALUE}`);
  const items: Item[] = [];
  while (reader.position < end) {
    if (reader.tag(end) === LIST.values) items.push(read(reader, reader.limit(end), depth));
    else reader.skip(end);
  }
  return items;
}

function hex(reader: WireReader, end: number): string {
  const limit = reader.limit(end);
  const digits = reader.bytes.toString('hex', reader.position, limit);
  reader.position = limit;
  return digits;
}

/** 32 bits without a sign. */
function count(reader: WireReader, end: number): number {
  return reader.int32(end) >>> 0;
}
