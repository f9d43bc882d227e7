import {performance} from 'node:perf_hooks';
import {compareNames} from '../../../../core/api/adapter.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {IndexListingRequest} from '../../threads/reader-protocol.js';
import {type IndexBlock, STARTS} from '../blocks/block-store.js';
import {isNoValue} from '../index/attributes.js';
import {findPosting} from '../index/postings.js';
import type {SpanSelection} from './block-filter.js';
import type {TraceIndex} from './trace-index.js';

const SLICE = 8;
const VALUES_BETWEEN_CHECKS = 1024;

/**
 * Lists the values of an attribute over the spans that a filter selects, block by block from the earliest on, with the
 * start of the earliest span of each. Without a filter, and where a block lies in the window as a whole, the first
 * ordinals in the table tell all; elsewhere the postings are looked into.
 */
export class EmbeddedTraceListing {
  readonly #index: TraceIndex;
  readonly #request: IndexListingRequest;
  readonly #earliest = new Map<string, number>();
  readonly #done = new Set<number>();

  constructor(index: TraceIndex, request: IndexListingRequest) {
    this.#index = index;
    this.#request = request;
  }

  /** Works for one slice; undefined while there is more to do. */
  slice(checkpoint: Checkpoint): readonly string[] | undefined {
    const end = performance.now() + SLICE;
    const {attribute, filter, from, to} = this.#request;
    // Blocks that were merged meanwhile are listed anew: what was read of them already changes nothing.
    const blocks = this.#index.store.between(from, to).filter(({id}) => !this.#done.has(id));
    blocks.sort((a, b) => a.start - b.start);
    for (const block of blocks) {
      if (this.#isComplete(block.start)) break;
      if (performance.now() > end) return undefined;
      checkpoint();
      this.#read(block, attribute, this.#index.filter.select(block, filter, from, to), checkpoint);
      this.#done.add(block.id);
    }
    return this.#ordered().slice(0, this.#request.limit);
  }

  /** Whether enough values are known of before `start`, where all that is left to read begins. */
  #isComplete(start: number): boolean {
    const {limit} = this.#request;
    if (this.#earliest.size < limit) return false;
    let known = 0;
    for (const time of this.#earliest.values()) if (time < start && ++known >= limit) return true;
    return false;
  }

  #ordered(): readonly string[] {
    const entries = [...this.#earliest];
    entries.sort(([a, from], [b, since]) => from - since || compareNames(a, b));
    return entries.map(([value]) => value);
  }

  #read(block: IndexBlock, attribute: string, selection: SpanSelection, checkpoint: Checkpoint): void {
    if (selection.ordinals?.length === 0 || selection.low >= selection.high) return;
    const starts = this.#index.columns.get(block.id, STARTS);
    const found = (value: string, ordinal: number) => {
      const time = starts.at(ordinal);
      if (time < (this.#earliest.get(value) ?? Number.POSITIVE_INFINITY)) this.#earliest.set(value, time);
    };
    let rows = 0;
    const count = () => {
      if (++rows % VALUES_BETWEEN_CHECKS === 0) checkpoint();
    };
    if (selection.ordinals === undefined) this.#readAll(block, attribute, selection, found, count);
    else this.#readSome(block, attribute, selection, found, count);
  }

  #readAll(
    block: IndexBlock,
    attribute: string,
    {low, high}: SpanSelection,
    found: (value: string, ordinal: number) => void,
    count: () => void,
  ): void {
    const {store} = this.#index;
    const early: string[] = [];
    for (const [value, first] of store.firsts(block.id, attribute)) {
      count();
      if (isNoValue(attribute, value) || first >= high) continue;
      if (first >= low) found(value, first);
      else early.push(value);
    }
    for (const value of early) {
      count();
      const ordinal = findPosting(store.encoded(block.id, attribute, value), one => one >= low);
      if (ordinal !== undefined && ordinal < high) found(value, ordinal);
    }
  }

  #readSome(
    block: IndexBlock,
    attribute: string,
    {ordinals = []}: {readonly ordinals?: Iterable<number> | undefined},
    found: (value: string, ordinal: number) => void,
    count: () => void,
  ): void {
    const selected = new Uint8Array(block.spans);
    for (const ordinal of ordinals) selected[ordinal] = 1;
    for (const [value, blob] of this.#index.store.values(block.id, attribute)) {
      count();
      if (isNoValue(attribute, value)) continue;
      const ordinal = findPosting(blob, one => selected[one] === 1);
      if (ordinal !== undefined) found(value, ordinal);
    }
  }
}
