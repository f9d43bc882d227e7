import type {IndexTerm} from '../index/terms.js';

/** A span that lies in time, as the index sees it. */
export interface IndexEntry {
  /** Microseconds. */
  readonly start: number;
  readonly end: number;
  /** Microseconds, also fractions of one. */
  readonly duration: number;
  readonly terms: readonly IndexTerm[];
  /** Those of its resource; spans of one resource may share the list. */
  readonly resource: readonly IndexTerm[];
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

/** What a block is made of. Postings by attribute. */
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
  const gatherer = new Gatherer(++blocks);
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
  readonly #terms: IndexTerm[] = [];
  /** What many spans have of one resource is looked at once. */
  readonly #resources = new Map<readonly IndexTerm[], number[]>();

  constructor(block: number) {
    this.#block = block;
  }

  add({terms, resource}: IndexEntry, ordinal: number): void {
    const block = this.#block;
    for (const term of terms) {
      if (term.block === block) term.ordinals.push(ordinal);
      else {
        term.block = block;
        term.ordinals = [ordinal];
        this.#terms.push(term);
      }
    }
    if (resource.length === 0) return;
    const ordinals = this.#resources.get(resource);
    if (ordinals === undefined) this.#resources.set(resource, [ordinal]);
    else ordinals.push(ordinal);
  }

  /** By attribute and value: a term may have been there as several objects. */
  postings(): ReadonlyMap<string, readonly ValuePostings[]> {
    const lists = new Map<string, Map<string, (readonly number[])[]>>();
    const add = ({attribute, value}: IndexTerm, ordinals: readonly number[]): void => {
      let values = lists.get(attribute);
      if (values === undefined) {
        values = new Map();
        lists.set(attribute, values);
      }
      const some = values.get(value);
      if (some === undefined) values.set(value, [ordinals]);
      else some.push(ordinals);
    };
    for (const term of this.#terms) add(term, term.ordinals);
    for (const [terms, ordinals] of this.#resources) for (const term of terms) add(term, ordinals);
    const postings = new Map<string, readonly ValuePostings[]>();
    for (const [attribute, values] of lists) {
      postings.set(
        attribute,
        Array.from(values, ([value, some]) => ({value, ordinals: united(some)})),
      );
    }
    return postings;
  }
}

/** Each ordinal once: two keys of a span may have become the same when they were made well-formed. */
function united(lists: readonly (readonly number[])[]): ArrayLike<number> {
  const [first = []] = lists;
  if (lists.length === 1 && isAscending(first)) return first;
  const all = new Uint32Array(lists.reduce((sum, {length}) => sum + length, 0));
  let length = 0;
  for (const list of lists) {
    all.set(list, length);
    length += list.length;
  }
  all.sort();
  return isAscending(all) ? all : all.filter((ordinal, at) => at === 0 || ordinal !== all[at - 1]);
}

function isAscending(ordinals: ArrayLike<number>): boolean {
  for (let at = 1; at < ordinals.length; at++) {
    if ((ordinals[at - 1] as number) >= (ordinals[at] as number)) return false;
  }
  return true;
}
