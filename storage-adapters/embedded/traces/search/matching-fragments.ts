import type {OtlpFilter} from '../../../../core/api/adapter.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {EncodedTrace} from '../../threads/reader-protocol.js';
import {type BlockStore, ROWS, TRACES} from '../blocks/block-store.js';
import type {ColumnCache} from '../blocks/column-cache.js';
import type {FragmentReader} from '../fragments/fragment-reader.js';
import {embeddedTraceModel} from '../fragments/model.js';
import type {BlockFilter} from './block-filter.js';
import {joined} from './loader.js';
import {RootFinder} from './root-finder.js';

/** Traces of no more fragments are read whole: that takes less than to find out what is not needed. */
const SMALL = 128;
/**
 * Spans of other traces that are looked at before a trace is read whole: of a trace that runs for weeks, or a filter
 * that says little.
 */
const MOST_SPANS = 200_000;
/** The row of fragments without a time, which are in no block. */
const TIMELESS = 0;

interface TimedTrace {
  readonly id: string;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads of a large trace what a search shows: the fragments with a matching span, found through the index, and the
 * root.
 */
export class MatchingFragments {
  readonly #model;
  readonly #store: BlockStore;
  readonly #columns: ColumnCache;
  readonly #filter: BlockFilter;
  readonly #roots: RootFinder;
  readonly #fragments: FragmentReader;

  constructor(fragments: FragmentReader, store: BlockStore, columns: ColumnCache, filter: BlockFilter) {
    const {model} = store;
    this.#model = embeddedTraceModel(model);
    this.#store = store;
    this.#columns = columns;
    this.#filter = filter;
    this.#fragments = fragments;
    this.#roots = new RootFinder(model, this.#fragments);
  }

  /** Undefined when the trace is better read whole. */
  of(trace: TimedTrace, filter: OtlpFilter, checkpoint: Checkpoint): EncodedTrace | undefined {
    const {id, number, start, end} = trace;
    if (!this.#fragments.hasMoreThan(number, SMALL)) return undefined;
    const rows = this.#matchingRows(trace, filter, checkpoint);
    if (rows === undefined) return undefined;
    // The root is nearly always one of those that start first; those and the ones that end last tell the bounds.
    const fragments = this.#fragments.some(number, start, end, rows);
    checkpoint();
    const bodies = fragments.filter(({row}) => rows.has(row)).map(({body}) => body);
    const first = fragments.filter(fragment => fragment.start === start);
    const root = this.#roots.find({id, number, start}, first, checkpoint);
    if (bodies.length === 0 || root === undefined) return undefined;
    const edges = fragments.filter(fragment => fragment.start === start || fragment.end === end);
    const bounds = this.#model.bounds(
      edges.map(({body}) => this.#model.decode(id, body)),
      {start, end},
    );
    return {id, parts: joined(this.#model, bodies), summary: {...bounds, root}};
  }

  #matchingRows(trace: TimedTrace, filter: OtlpFilter, checkpoint: Checkpoint): ReadonlySet<number> | undefined {
    const {number, start, end} = trace;
    const found = new Set([TIMELESS]);
    let seen = 0;
    for (const block of this.#store.between(start, end + 1)) {
      checkpoint();
      const {low, high, ordinals} = this.#filter.select(block, filter, start, end + 1);
      const count = ordinals?.length ?? Math.max(0, high - low);
      seen += count;
      if (seen > MOST_SPANS) return undefined;
      if (count === 0) continue;
      const traces = this.#columns.get(block.id, TRACES);
      const rows = this.#columns.get(block.id, ROWS);
      for (let i = 0; i < count; i++) {
        const ordinal = ordinals?.[i] ?? low + i;
        if (traces.at(ordinal) === number) found.add(rows.at(ordinal));
      }
    }
    return found;
  }
}
