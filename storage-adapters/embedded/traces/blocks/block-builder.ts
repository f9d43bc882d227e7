import {compareNames} from '../../../../core/api/adapter.js';
import {OrdinalOrder} from '../index/ordinal-order.js';
import type {IndexAttribute, IndexTerm, TermList} from '../index/terms.js';

/** A span that lies in time, as the index sees it. */
export interface IndexEntry {
  /** Microseconds. */
  readonly start: number;
  readonly end: number;
  /** Microseconds, also fractions of one. */
  readonly duration: number;
  readonly terms: readonly IndexTerm[];
  /** The keys of its tags and what its resource says, where spans may share them. */
  readonly keys: TermList;
  readonly resource: TermList;
}

/** The spans of one fragment. */
export interface Entry {
  readonly row: number;
  readonly trace: number;
  readonly spans: readonly IndexEntry[];
}

/** The ordinals of a value, ascending. */
export interface ValuePostings {
  readonly value: string;
  readonly ordinals: ArrayLike<number>;
}

/** What a block is made of. Postings by attribute; both attributes and values in the order of their code points. */
export interface BlockContent {
  readonly starts: Float64Array;
  readonly durations: Float64Array;
  readonly traces: Float64Array;
  readonly rows: Float64Array;
  readonly postings: ReadonlyMap<string, readonly ValuePostings[]>;
}

interface Placed {
  readonly span: IndexEntry;
  readonly entry: Entry;
}

/** Of this process. */
let blocks = 0;

/** Indexes new fragments. */
export function contentOf(entries: readonly Entry[]): BlockContent {
  const placed: Placed[] = [];
  for (const entry of entries) for (const span of entry.spans) placed.push({span, entry});
  placed.sort((a, b) => a.span.start - b.span.start);
  const {length} = placed;
  const starts = new Float64Array(length);
  const durations = new Float64Array(length);
  const traces = new Float64Array(length);
  const rows = new Float64Array(length);
  const gatherer = new Gatherer(++blocks, length);
  for (let ordinal = 0; ordinal < length; ordinal++) {
    const {span, entry} = placed[ordinal] as Placed;
    starts[ordinal] = span.start;
    durations[ordinal] = span.duration;
    traces[ordinal] = entry.trace;
    rows[ordinal] = entry.row;
    gatherer.add(span, ordinal);
  }
  return {starts, durations, traces, rows, postings: gatherer.postings()};
}

/** Gathers the spans of each term of a block. */
class Gatherer {
  readonly #block: number;
  readonly #order: OrdinalOrder;
  readonly #attributes: IndexAttribute[] = [];
  /** What many spans have together is looked at once. */
  readonly #lists: TermList[] = [];

  constructor(block: number, spans: number) {
    this.#block = block;
    this.#order = new OrdinalOrder(spans);
  }

  add({terms, keys, resource}: IndexEntry, ordinal: number): void {
    for (const term of terms) {
      if (term.block !== this.#block) this.#take(term, [ordinal]);
      // Two keys of a span may have become the same when they were made well-formed.
      else if (term.ordinals[term.ordinals.length - 1] !== ordinal) term.ordinals.push(ordinal);
    }
    this.#addList(keys, ordinal);
    this.#addList(resource, ordinal);
  }

  #addList(list: TermList, ordinal: number): void {
    if (list.block === this.#block) {
      list.ordinals.push(ordinal);
      return;
    }
    if (list.terms.length === 0) return;
    list.block = this.#block;
    list.ordinals = [ordinal];
    this.#lists.push(list);
  }

  /** The first ordinals of a term in the block. */
  #take(term: IndexTerm, ordinals: number[]): void {
    const attribute = term.of;
    if (attribute.block !== this.#block) {
      attribute.block = this.#block;
      attribute.terms = [];
      this.#attributes.push(attribute);
    }
    attribute.terms.push(term);
    term.block = this.#block;
    term.ordinals = ordinals;
    term.others = undefined;
  }

  postings(): ReadonlyMap<string, readonly ValuePostings[]> {
    for (const {terms, ordinals} of this.#lists) {
      for (const term of terms) {
        if (term.block !== this.#block) this.#take(term, ordinals);
        else if (term.others === undefined) term.others = [ordinals];
        else term.others.push(ordinals);
      }
    }
    // An attribute may be there as several objects, and so may a term: when they were forgotten meanwhile.
    const byName = new Map<string, IndexTerm[]>();
    for (const {name, terms} of this.#attributes.sort((a, b) => compareNames(a.name, b.name))) {
      const before = byName.get(name);
      byName.set(name, before === undefined ? terms : [...before, ...terms]);
    }
    const postings = new Map<string, readonly ValuePostings[]>();
    for (const [name, terms] of byName) postings.set(name, this.#postingsOf(terms));
    return postings;
  }

  #postingsOf(terms: IndexTerm[]): readonly ValuePostings[] {
    terms.sort((a, b) => compareNames(a.value, b.value));
    const postings: ValuePostings[] = [];
    for (let at = 0; at < terms.length; ) {
      const {value, ordinals, others} = terms[at] as IndexTerm;
      let next = at + 1;
      while (terms[next]?.value === value) next++;
      const isAlone = next === at + 1 && others === undefined;
      postings.push({value, ordinals: isAlone ? ordinals : this.#united(terms.slice(at, next))});
      at = next;
    }
    return postings;
  }

  #united(terms: readonly IndexTerm[]): Uint32Array {
    const lists = terms.flatMap(({ordinals, others = []}) => [ordinals, ...others]);
    const all = new Uint32Array(lists.reduce((sum, {length}) => sum + length, 0));
    let length = 0;
    for (const list of lists) {
      all.set(list, length);
      length += list.length;
    }
    return all.subarray(0, this.#order.sort(all, length));
  }
}
