import type {OtlpEvent, OtlpLink, OtlpStatus} from '../../../../core/api/plugin.js';
import type {JsonReader} from './json-reader.js';
import {readEnum, readHex, readText, readUint32, readUint64} from './scalars.js';
import type {ReadSpan} from './span-collector.js';
import type {JsonValues} from './values.js';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(kind => `SPAN_KIND_${kind}`);
const STATUSES = ['UNSET', 'OK', 'ERROR'].map(status => `STATUS_CODE_${status}`);

type Draft<T> = {-readonly [Key in keyof T]: T[Key]};

/** How the value of each key of a message is read. */
type Fields<T> = Readonly<Record<string, ((message: Draft<T>) => void) | undefined>>;

/** Spans with their events and links. */
export class JsonSpans {
  readonly #values: JsonValues;
  readonly #ofSpan: Fields<ReadSpan>;
  readonly #ofEvent: Fields<OtlpEvent>;
  readonly #ofLink: Fields<OtlpLink>;
  readonly #ofStatus: Fields<OtlpStatus>;

  constructor(reader: JsonReader, values: JsonValues) {
    this.#values = values;
    this.#ofSpan = {
      traceId: span => (span.traceId = readHex(reader)),
      spanId: span => (span.spanId = readHex(reader)),
      traceState: span => (span.traceState = readText(reader)),
      parentSpanId: span => (span.parentSpanId = readHex(reader)),
      flags: span => (span.flags = readUint32(reader)),
      name: span => (span.name = values.name('its name')),
      kind: span => (span.kind = readEnum(reader, KINDS)),
      startTimeUnixNano: span => (span.startTime = readUint64(reader)),
      endTimeUnixNano: span => (span.endTime = readUint64(reader)),
      attributes: span => (span.attributes = values.attributes()),
      droppedAttributesCount: span => (span.droppedAttributesCount = readUint32(reader)),
      events: span => (span.events = values.list(() => this.#event())),
      droppedEventsCount: span => (span.droppedEventsCount = readUint32(reader)),
      links: span => (span.links = values.list(() => this.#link())),
      droppedLinksCount: span => (span.droppedLinksCount = readUint32(reader)),
      status: span => (span.status = this.#status()),
    };
    this.#ofEvent = {
      timeUnixNano: event => (event.time = readUint64(reader)),
      name: event => (event.name = values.name('the name of an event')),
      attributes: event => (event.attributes = values.attributes()),
      droppedAttributesCount: event => (event.droppedAttributesCount = readUint32(reader)),
    };
    this.#ofLink = {
      traceId: link => (link.traceId = readHex(reader)),
      spanId: link => (link.spanId = readHex(reader)),
      traceState: link => (link.traceState = readText(reader)),
      attributes: link => (link.attributes = values.attributes()),
      droppedAttributesCount: link => (link.droppedAttributesCount = readUint32(reader)),
      flags: link => (link.flags = readUint32(reader)),
    };
    this.#ofStatus = {
      code: status => (status.code = readEnum(reader, STATUSES)),
      message: status => (status.message = readText(reader)),
    };
  }

  /** The span that begins here. */
  span(): ReadSpan {
    return this.#message(this.#ofSpan, {
      traceId: '',
      spanId: '',
      traceState: '',
      parentSpanId: '',
      flags: 0,
      name: '',
      kind: 0,
      startTime: 0n,
      endTime: 0n,
      attributes: [],
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      links: [],
      droppedLinksCount: 0,
      status: {code: 0, message: ''},
    });
  }

  #event(): OtlpEvent {
    return this.#message(this.#ofEvent, {time: 0n, name: '', attributes: [], droppedAttributesCount: 0});
  }

  #link(): OtlpLink {
    return this.#message(this.#ofLink, {
      traceId: '',
      spanId: '',
      traceState: '',
      attributes: [],
      droppedAttributesCount: 0,
      flags: 0,
    });
  }

  #status(): OtlpStatus {
    return this.#message(this.#ofStatus, {code: 0, message: ''});
  }

  #message<T>(fields: Fields<T>, message: Draft<T>): T {
    this.#values.object(key => {
      const read = Object.hasOwn(fields, key) ? fields[key] : undefined;
      read?.(message);
      return read !== undefined;
    });
    return message;
  }
}
