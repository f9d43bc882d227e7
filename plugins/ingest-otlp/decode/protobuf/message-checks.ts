import {isUtf8} from 'node:buffer';
import {
  ATTRIBUTE,
  EVENT,
  LINK,
  LIST,
  RESOURCE,
  SCOPE,
  SPAN,
  STATUS,
  VALUE,
} from '../../../../core/toolkit/otlp/fields.js';
import type {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {RequestChecks} from '../request-checks.js';
import {IdPlaces} from './id-places.js';

/** Shorter texts are gone through here: a call of the library takes as long as these. */
const SHORT = 64;
/** Of a name with its length in front: short enough to be no question. */
const SHORT_NAME = 256;

/**
 * Goes through the messages of a request without making anything of them. Throws `bad_request` where one is damaged; what is
 * too long or too deep is left to `RequestChecks`.
 */
export class MessageChecks {
  readonly #reader: WireReader;
  readonly #checks: RequestChecks;

  constructor(reader: WireReader, checks: RequestChecks) {
    this.#reader = reader;
    this.#checks = checks;
  }

  /** The message `Resource` between the cursor and `end`. */
  resource(end: number): void {
    const reader = this.#reader;
    while (reader.position < end) {
      if (reader.tag(end) === RESOURCE.attributes) this.#attribute(end, 0);
      else reader.skip(end);
    }
  }

  /** As `resource`. */
  scope(end: number): void {
    const reader = this.#reader;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SCOPE.name) this.#name('the name of its scope', end);
      else if (tag === SCOPE.version) this.#text(end);
      else if (tag === SCOPE.attributes) this.#attribute(end, 0);
      else reader.skip(end);
    }
  }

  /** As `resource`. Whether the span can be taken. */
  span(end: number): boolean {
    const reader = this.#reader;
    const ids = new IdPlaces(reader);
    while (reader.position < end) {
      const tag = reader.tag(end);
      switch (tag) {
        case SPAN.traceId:
        case SPAN.spanId:
        case SPAN.parentSpanId:
          ids.read(tag, end);
          break;
        case SPAN.traceState:
          this.#text(end);
          break;
        case SPAN.name:
          this.#name('its name', end);
          break;
        case SPAN.attributes:
          this.#attribute(end, 0);
          break;
        case SPAN.events:
          this.#event(end);
          break;
        case SPAN.links:
          this.#link(end);
          break;
        case SPAN.status:
          this.#status(end);
          break;
        default:
          // Times, counts and the like can be anything.
          reader.skip(end);
      }
    }
    return this.#checks.span(ids.areFine ? undefined : ids.asHex());
  }

  #event(outer: number): void {
    this.#checks.part();
    const reader = this.#reader;
    const end = reader.limit(outer);
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === EVENT.name) this.#name('the name of an event', end);
      else if (tag === EVENT.attributes) this.#attribute(end, 0);
      else reader.skip(end);
    }
  }

  #link(outer: number): void {
    this.#checks.part();
    const reader = this.#reader;
    const end = reader.limit(outer);
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === LINK.traceState) this.#text(end);
      else if (tag === LINK.attributes) this.#attribute(end, 0);
      else reader.skip(end);
    }
  }

  #status(outer: number): void {
    const reader = this.#reader;
    const end = reader.limit(outer);
    while (reader.position < end) {
      if (reader.tag(end) === STATUS.message) this.#text(end);
      else reader.skip(end);
    }
  }

  /** Within so many lists. */
  #attribute(outer: number, depth: number): void {
    this.#checks.part();
    const reader = this.#reader;
    const end = reader.limit(outer);
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === ATTRIBUTE.key) this.#name('a key', end);
      else if (tag === ATTRIBUTE.value) this.#value(end, depth);
      else reader.skip(end);
    }
  }

  #value(outer: number, depth: number): void {
    const reader = this.#reader;
    const end = reader.limit(outer);
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === VALUE.string) this.#text(end);
      else if (tag === VALUE.array || tag === VALUE.keyValueList) this.#list(tag, end, depth);
      else reader.skip(end);
    }
  }

  #list(of: number, outer: number, depth: number): void {
    const reader = this.#reader;
    const end = reader.limit(outer);
    if (!this.#checks.nested(depth)) reader.position = end;
    while (reader.position < end) {
      if (reader.tag(end) !== LIST.values) reader.skip(end);
      else if (of === VALUE.keyValueList) this.#attribute(end, depth + 1);
      else {
        this.#checks.part();
        this.#value(end, depth + 1);
      }
    }
  }

  #name(what: string, end: number): void {
    const reader = this.#reader;
    const begin = reader.position;
    this.#text(end);
    const {position} = reader;
    if (position - begin <= SHORT_NAME) return;
    reader.position = begin;
    this.#checks.named(what, reader.limit(end) - reader.position);
    reader.position = position;
  }

  #text(end: number): void {
    const reader = this.#reader;
    const limit = reader.limit(end);
    const {bytes, position} = reader;
    reader.position = limit;
    if (limit - position <= SHORT) {
      let all = 0;
      for (let at = position; at < limit; at++) all |= bytes[at] as number;
      if (all <= 0x7f) return;
    }
    if (!isUtf8(bytes.subarray(position, limit))) reader.damaged('a text is no UTF-8');
  }
}
