import {SPAN} from '../../../../core/toolkit/otlp/fields.js';
import type {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import type {IdTexts} from '../request-checks.js';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Where the ids of a span stand. Of one that occurs again the last counts. */
export class IdPlaces {
  readonly #reader: WireReader;
  #trace = 0;
  #traceEnd = 0;
  #span = 0;
  #spanEnd = 0;
  #parent = 0;
  #parentEnd = 0;

  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  /** The id whose tag was read. */
  read(tag: number, outer: number): void {
    const reader = this.#reader;
    const end = reader.limit(outer);
    if (tag === SPAN.traceId) [this.#trace, this.#traceEnd] = [reader.position, end];
    else if (tag === SPAN.spanId) [this.#span, this.#spanEnd] = [reader.position, end];
    else [this.#parent, this.#parentEnd] = [reader.position, end];
    reader.position = end;
  }

  /** Without making texts of them. False also of a parent of zeros, which is fine, and none. */
  get areFine(): boolean {
    return (
      this.#isId(this.#trace, this.#traceEnd, TRACE_BYTES) &&
      this.#isId(this.#span, this.#spanEnd, SPAN_BYTES) &&
      (this.#parent === this.#parentEnd || this.#isId(this.#parent, this.#parentEnd, SPAN_BYTES))
    );
  }

  asHex(): IdTexts {
    const {bytes} = this.#reader;
    return {
      traceId: bytes.toString('hex', this.#trace, this.#traceEnd),
      spanId: bytes.toString('hex', this.#span, this.#spanEnd),
      parentSpanId: bytes.toString('hex', this.#parent, this.#parentEnd),
    };
  }

  #isId(begin: number, end: number, length: number): boolean {
    if (end - begin !== length) return false;
    const {bytes} = this.#reader;
    for (let at = begin; at < end; at++) if (bytes[at] !== 0) return true;
    return false;
  }
}
