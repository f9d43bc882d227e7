import type {OtlpAttribute, OtlpEvent, OtlpLink, OtlpStatus} from '../../../../core/api/plugin.js';
import {
  delimitedField,
  fixed32Field,
  fixed64Field,
  varintField,
  type WireReader,
} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {ReadSpan, SpanCollector} from '../span-collector.js';
import type {ValueDecoder} from './values.js';

/** `Span`. */
const TRACE_ID = delimitedField(1);
const SPAN_ID = delimitedField(2);
const TRACE_STATE = delimitedField(3);
const PARENT_SPAN_ID = delimitedField(4);
const NAME = delimitedField(5);
const KIND = varintField(6);
const START = fixed64Field(7);
const END = fixed64Field(8);
const ATTRIBUTES = delimitedField(9);
const DROPPED_ATTRIBUTES = varintField(10);
const EVENTS = delimitedField(11);
const DROPPED_EVENTS = varintField(12);
const LINKS = delimitedField(13);
const DROPPED_LINKS = varintField(14);
const STATUS = delimitedField(15);
const FLAGS = fixed32Field(16);

/** `Event`. */
const EVENT = {TIME: fixed64Field(1), NAME: delimitedField(2), ATTRIBUTES: delimitedField(3), DROPPED: varintField(4)};

/** `Link`, whose first three fields are those of a span. */
const LINK = {ATTRIBUTES: delimitedField(4), DROPPED: varintField(5), FLAGS: fixed32Field(6)};

/** `Status`. */
const MESSAGE = delimitedField(2);
const CODE = varintField(3);

const UNSET: OtlpStatus = {code: 0, message: ''};

/** Assembled field by field: they may come in any order, and of several the last counts. */
type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/** Spans with their events and links. */
export class SpanDecoder {
  readonly #reader: WireReader;
  readonly #collector: SpanCollector;
  readonly #values: ValueDecoder;

  constructor(reader: WireReader, collector: SpanCollector, values: ValueDecoder) {
    this.#reader = reader;
    this.#collector = collector;
    this.#values = values;
  }

  /** The span that begins here. */
  span(end: number): ReadSpan {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const attributes: OtlpAttribute[] = [];
    const events: OtlpEvent[] = [];
    const links: OtlpLink[] = [];
    const status: Draft<OtlpStatus> = {...UNSET};
    const span: Draft<ReadSpan> = {
      traceId: '',
      spanId: '',
      traceState: '',
      parentSpanId: '',
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
      status,
    };
    while (reader.position < limit) {
      switch (reader.tag(limit)) {
        case TRACE_ID:
          span.traceId = this.#hex(limit);
          break;
        case SPAN_ID:
          span.spanId = this.#hex(limit);
          break;
        case TRACE_STATE:
          span.traceState = this.#values.common(limit);
          break;
        case PARENT_SPAN_ID:
          span.parentSpanId = this.#hex(limit);
          break;
        case NAME:
          span.name = this.#values.name('its name', limit);
          break;
        case KIND:
          span.kind = reader.int32(limit);
          break;
        case START:
          span.startTime = reader.fixed64(limit);
          break;
        case END:
          span.endTime = reader.fixed64(limit);
          break;
        case ATTRIBUTES:
          this.#values.attribute(attributes, limit);
          break;
        case DROPPED_ATTRIBUTES:
          span.droppedAttributesCount = reader.uint32(limit);
          break;
        case EVENTS:
          events.push(this.#event(limit));
          break;
        case DROPPED_EVENTS:
          span.droppedEventsCount = reader.uint32(limit);
          break;
        case LINKS:
          links.push(this.#link(limit));
          break;
        case DROPPED_LINKS:
          span.droppedLinksCount = reader.uint32(limit);
          break;
        case STATUS:
          this.#status(status, limit);
          break;
        case FLAGS:
          span.flags = reader.fixed32(limit);
          break;
        default:
          reader.skip(limit);
      }
    }
    return span;
  }

  #event(end: number): OtlpEvent {
    this.#collector.part();
    const reader = this.#reader;
    const limit = reader.limit(end);
    const attributes: OtlpAttribute[] = [];
    const event: Draft<OtlpEvent> = {time: 0n, name: '', attributes, droppedAttributesCount: 0};
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === EVENT.TIME) event.time = reader.fixed64(limit);
      else if (tag === EVENT.NAME) event.name = this.#values.name('the name of an event', limit);
      else if (tag === EVENT.ATTRIBUTES) this.#values.attribute(attributes, limit);
      else if (tag === EVENT.DROPPED) event.droppedAttributesCount = reader.uint32(limit);
      else reader.skip(limit);
    }
    return event;
  }

  #link(end: number): OtlpLink {
    this.#collector.part();
    const reader = this.#reader;
    const limit = reader.limit(end);
    const attributes: OtlpAttribute[] = [];
    const link: Draft<OtlpLink> = {
      traceId: '',
      spanId: '',
      traceState: '',
      attributes,
      droppedAttributesCount: 0,
      flags: 0,
    };
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === TRACE_ID) link.traceId = this.#hex(limit);
      else if (tag === SPAN_ID) link.spanId = this.#hex(limit);
      else if (tag === TRACE_STATE) link.traceState = this.#values.common(limit);
      else if (tag === LINK.ATTRIBUTES) this.#values.attribute(attributes, limit);
      else if (tag === LINK.DROPPED) link.droppedAttributesCount = reader.uint32(limit);
      else if (tag === LINK.FLAGS) link.flags = reader.fixed32(limit);
      else reader.skip(limit);
    }
    return link;
  }

  #status(status: Draft<OtlpStatus>, end: number): void {
    const reader = this.#reader;
    const limit = reader.limit(end);
    while (reader.position < limit) {
      const tag = reader.tag(limit);
      if (tag === MESSAGE) status.message = this.#values.common(limit);
      else if (tag === CODE) status.code = reader.int32(limit);
      else reader.skip(limit);
    }
  }

  #hex(end: number): string {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const text = reader.bytes.toString('hex', reader.position, limit);
    reader.position = limit;
    return text;
  }
}
