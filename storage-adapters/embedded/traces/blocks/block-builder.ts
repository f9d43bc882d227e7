import type {IndexedSpan} from '../../../../core/toolkit/traces/model.js';
import {forEachTerm} from '../index/attributes.js';

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
  const postings = new Map<string, Map<string, number[]>>();
  placed.forEach(({span}, ordinal) => {
    forEachTerm(span, (attribute, value) => {
      let values = postings.get(attribute);
      if (values === undefined) {
        values = new Map();
        postings.set(attribute, values);
      }
      const ordinals = values.get(value);
      if (ordinals === undefined) values.set(value, [ordinal]);
      // Two keys that became the same when they were made well-formed count once.
      else if (ordinals[ordinals.length - 1] !== ordinal) ordinals.push(ordinal);
    });
  });
  return {
    starts: Float64Array.from(placed, ({start}) => start),
    durations: Float64Array.from(placed, ({span}) => span.duration),
    traces: Float64Array.from(placed, ({entry}) => entry.trace),
    rows: Float64Array.from(placed, ({entry}) => entry.row),
    postings,
  };
}
