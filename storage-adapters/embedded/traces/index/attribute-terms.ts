import {decodeAttribute} from '../../../../core/toolkit/otlp/decode.js';
import type {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {typedTerm} from '../../../../core/toolkit/traces/typed-term.js';
import {TAG_KEYS, tagName} from './attributes.js';
import type {IndexTerm, IndexTerms} from './terms.js';

const SLOTS = 8192;
/** Longer attributes seldom repeat. */
const LONGEST = 128;
/** So many keys are remembered; then it is begun anew. */
const KEYS = 4096;

/** There is one for each key, so a span that has a key again is noticed by the object. */
interface Key {
  readonly name: string;
  readonly term: IndexTerm;
  /** The span that had it last, and where the term of its value stands among those of that span. */
  span: number;
  at: number;
}

interface Known {
  readonly bytes: Uint8Array;
  readonly key: Key;
  readonly value: IndexTerm;
}

/**
 * The terms of attributes by the bytes in which they are encoded. Most attributes come again with the next spans: to find
 * the terms of before costs a fraction of reading key and value. One is remembered for each slot.
 */
export class AttributeTerms {
  readonly #terms: IndexTerms;
  readonly #slots: (Known | undefined)[] = new Array<Known | undefined>(SLOTS).fill(undefined);
  readonly #keys = new Map<string, Key>();
  #span = 0;

  constructor(terms: IndexTerms) {
    this.#terms = terms;
  }

  /** The attributes that follow are those of another span. */
  nextSpan(): void {
    this.#span++;
    if (this.#keys.size <= KEYS) return;
    this.#keys.clear();
    this.#slots.fill(undefined);
  }

  /** Adds the terms of the attribute between the cursor and `end`. The last value of a key counts. */
  add(reader: WireReader, end: number, into: IndexTerm[]): void {
    const {key, value} = this.#known(reader, end);
    if (key.span === this.#span) {
      into[key.at] = value;
      return;
    }
    key.span = this.#span;
    into.push(key.term, value);
    key.at = into.length - 1;
  }

  #known(reader: WireReader, end: number): Pick<Known, 'key' | 'value'> {
    const {bytes, position} = reader;
    const length = end - position;
    if (length > LONGEST) return this.#read(reader, end);
    let hash = length;
    for (let at = position; at < end; at++) hash = Math.imul(hash, 31) + (bytes[at] as number);
    const slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known.bytes, bytes, position, end)) {
      reader.position = end;
      return known;
    }
    const read = {bytes: Uint8Array.prototype.slice.call(bytes, position, end), ...this.#read(reader, end)};
    this.#slots[slot] = read;
    return read;
  }

  #read(reader: WireReader, end: number): Pick<Known, 'key' | 'value'> {
    const {key: name, value} = decodeAttribute(reader, end);
    let key = this.#keys.get(name);
    if (key === undefined) {
      key = {name, term: this.#terms.of(TAG_KEYS, name), span: 0, at: 0};
      this.#keys.set(name, key);
    }
    return {key, value: this.#terms.of(tagName(name), typedTerm(value))};
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, begin: number, end: number): boolean {
  if (known.length !== end - begin) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[begin + at]) return false;
  return true;
}
