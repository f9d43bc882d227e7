import {decodeAttribute} from '../../../../core/toolkit/otlp/decode.js';
import type {WireReader} from '../../../../core/toolkit/protobuf/wire-reader.js';
import {typedTerm} from '../../../../core/toolkit/traces/typed-term.js';
import {TAG_KEYS, tagName} from './attributes.js';
import {type IndexTerm, type IndexTerms, TermList} from './terms.js';

const SLOTS = 8192;
/** Longer attributes seldom repeat. */
const LONGEST = 128;
/** So many keys, or orders of keys, are remembered; then it is begun anew. */
const KEYS = 4096;

/** Odd, with bits all over. */
const MULTIPLIER = 0x9e37_79b1;

/** There is one for each key, so a span that has a key again is noticed by the object. */
interface Key {
  readonly name: string;
  readonly term: IndexTerm;
  /** The span that had it last, and where the term of its value stands among those of that span. */
  span: number;
  at: number;
}

/** The keys of a span up to one of them: most spans have theirs in the order of another. */
class KeyOrder {
  readonly list: TermList;
  readonly #next = new Map<Key, KeyOrder>();
  /** What followed last. */
  #key: Key | undefined;
  #order: KeyOrder | undefined;

  constructor(terms: readonly IndexTerm[]) {
    this.list = new TermList(terms);
  }

  /** Undefined where there is none yet. */
  with(key: Key): KeyOrder | undefined {
    if (key !== this.#key) {
      this.#key = key;
      this.#order = this.#next.get(key);
    }
    return this.#order;
  }

  add(key: Key): KeyOrder {
    const order = new KeyOrder([...this.list.terms, key.term]);
    this.#next.set(key, order);
    this.#order = order;
    return order;
  }
}

interface Known {
  readonly length: number;
  /** Where its bytes stand among those that are kept. */
  readonly at: number;
  readonly key: Key;
  readonly value: IndexTerm;
  /** What followed it last. */
  next: Known | undefined;
}

/**
 * The terms of attributes by the bytes in which they are encoded. Most attributes come again with the next spans: to find
 * the terms of before costs a fraction of reading key and value. One is remembered for each slot. Most of them follow the
 * one that they followed before: that one is looked at first.
 */
export class AttributeTerms {
  readonly #terms: IndexTerms;
  readonly #slots: (Known | undefined)[] = new Array<Known | undefined>(SLOTS).fill(undefined);
  readonly #kept = Buffer.alloc(SLOTS * LONGEST);
  readonly #keptView = new DataView(this.#kept.buffer, this.#kept.byteOffset, this.#kept.length);
  readonly #keys = new Map<string, Key>();
  #noKeys = new KeyOrder([]);
  #orders = 0;
  #order = this.#noKeys;
  #before: Known | undefined;
  /** Stands before the first one of each span. */
  readonly #begin: Known;
  #span = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #view = new DataView(this.#bytes.buffer);

  constructor(terms: IndexTerms) {
    this.#terms = terms;
    const term = terms.of(TAG_KEYS, '');
    this.#begin = {length: 0, at: 0, key: {name: '', term, span: 0, at: 0}, value: term, next: undefined};
  }

  /** The attributes that follow are those of another span, of which all bytes are in `bytes`. */
  nextSpan(bytes: Buffer): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.#span++;
    if (this.#orders > KEYS || this.#keys.size > KEYS) this.#forget();
    this.#order = this.#noKeys;
    this.#before = this.#begin;
  }

  /** The terms of the keys of the span. */
  get keys(): TermList {
    return this.#order.list;
  }

  /** Adds the term of the value of the attribute between the cursor and `end`. The last value of a key counts. */
  add(reader: WireReader, end: number, into: IndexTerm[]): void {
    const {key, value} = this.#known(reader, end);
    if (key.span === this.#span) {
      into[key.at] = value;
      return;
    }
    key.span = this.#span;
    key.at = into.length;
    into.push(value);
    this.#order = this.#order.with(key) ?? this.#addOrder(key);
  }

  #addOrder(key: Key): KeyOrder {
    this.#orders++;
    return this.#order.add(key);
  }

  #known(reader: WireReader, end: number): Pick<Known, 'key' | 'value'> {
    const {position} = reader;
    const length = end - position;
    const expected = this.#before?.next;
    if (expected !== undefined && this.#isSame(expected, position, length)) {
      this.#before = expected;
      reader.position = end;
      return expected;
    }
    if (length > LONGEST) return this.#read(reader, end);
    const slot = this.#slotOf(position, end);
    let known = this.#slots[slot];
    if (known !== undefined && this.#isSame(known, position, length)) reader.position = end;
    else {
      // What expects the one that was there must not find these bytes in its place.
      const at = slot * LONGEST;
      if (known !== undefined) (known as {length: number}).length = -1;
      this.#bytes.copy(this.#kept, at, position, end);
      known = {length, at, ...this.#read(reader, end), next: undefined};
      this.#slots[slot] = known;
    }
    if (this.#before !== undefined) this.#before.next = known;
    this.#before = known;
    return known;
  }

  #slotOf(begin: number, end: number): number {
    const view = this.#view;
    let hash = end - begin;
    let at = begin;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getUint32(at), MULTIPLIER);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), MULTIPLIER);
    return (hash ^ (hash >>> 13)) & (SLOTS - 1);
  }

  #isSame({length, at: begin}: Known, position: number, wanted: number): boolean {
    if (length !== wanted) return false;
    const kept = this.#keptView;
    const view = this.#view;
    let at = 0;
    for (; at + 4 <= length; at += 4) if (kept.getUint32(begin + at) !== view.getUint32(position + at)) return false;
    for (; at < length; at++) if (kept.getUint8(begin + at) !== view.getUint8(position + at)) return false;
    return true;
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

  #forget(): void {
    this.#keys.clear();
    this.#slots.fill(undefined);
    this.#begin.next = undefined;
    this.#noKeys = new KeyOrder([]);
    this.#orders = 0;
  }
}
