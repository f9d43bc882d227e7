import type {IndexedSpan} from '../../../../core/toolkit/traces/model.js';
import {forEachResourceTerm, forEachTerm} from '../index/attributes.js';

/** The spans of one fragment, all with a start. */
export interface Entry {
  readonly row: number;
  readonly trace: number;
  readonly spans: readonly IndexedSpan[];
}

/** What a block is made of. Postings by attribute, then value. */
export interface BlockContent {
  readonly starts: Float64Array;
  readonly durations: Float64Array;
  readonly traces: Float64Array;
  readonly rows: Float64Array;
  readonly postings: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
}

interface Placed {
  readonly start: number;
  readonly span: IndexedSpan;
  readonly entry: Entry;
}

/** Indexes new fragments. */
export function contentOf(entries: readonly Entry[]): BlockContent {
  const placed: Placed[] = [];
  for (const entry of entries) {
    for (const span of entry.spans) if (span.start !== undefined) placed.push({start: span.start, span, entry});
  }
  placed.sort((a, b) => a.start - b.start);
  const postings: Postings = new Map();
  const resources = new Map<ReadonlyMap<string, string>, number[]>();
  placed.forEach(({span}, ordinal) => {
    if (span.resourceTags !== undefined) ordinalsOf(resources, span.resourceTags).push(ordinal);
    forEachTerm(span, (attribute, value) => {
      const values = valuesOf(postings, attribute);
      const ordinals = values.get(value);
      if (ordinals === undefined) values.set(value, [ordinal]);
      // Two keys that became the same when they were made well-formed count once.
      else if (ordinals[ordinals.length - 1] !== ordinal) ordinals.push(ordinal);
    });
  });
  addResources(postings, resources);
  return {
    starts: Float64Array.from(placed, ({start}) => start),
    durations: Float64Array.from(placed, ({span}) => span.duration),
    traces: Float64Array.from(placed, ({entry}) => entry.trace),
    rows: Float64Array.from(placed, ({entry}) => entry.row),
    postings,
  };
}

type Postings = Map<string, Map<string, number[]>>;

/** What many spans have of one resource is looked at once, and its terms share their postings. */
function addResources(postings: Postings, resources: ReadonlyMap<ReadonlyMap<string, string>, number[]>): void {
  for (const [resource, ordinals] of resources) {
    forEachResourceTerm(resource, (attribute, value) => {
      const values = valuesOf(postings, attribute);
      const others = values.get(value);
      values.set(value, others === undefined ? ordinals : [...others, ...ordinals].sort((a, b) => a - b));
    });
  }
}

function valuesOf(postings: Postings, attribute: string): Map<string, number[]> {
  let values = postings.get(attribute);
  if (values === undefined) {
    values = new Map();
    postings.set(attribute, values);
  }
  return values;
}

function ordinalsOf<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  let ordinals = lists.get(key);
  if (ordinals === undefined) {
    ordinals = [];
    lists.set(key, ordinals);
  }
  return ordinals;
}
