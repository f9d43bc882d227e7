import {compareNames} from '../../../../core/api/adapter.js';
import type {Database} from '../../disk/database.js';
import type {Posting, PostingCursor} from '../index/posting-cursor.js';
import type {PostingPacker} from '../index/posting-pack.js';
import {NO_ORDINALS} from '../index/postings.js';
import {type BlockStore, DURATIONS, type IndexBlock, isRemoved, ROWS, STARTS, TRACES} from './block-store.js';
import type {BlockWriter, Columns} from './block-writer.js';

/** A step ends after this many values or ordinals. */
const VALUES_PER_STEP = 256;
const ORDINALS_PER_STEP = 16_384;
const REMOVED = 0xffff_ffff;

interface Source {
  readonly block: IndexBlock;
  readonly postings: PostingCursor;
  /** The new ordinal of each of its spans, or REMOVED. */
  readonly places: Uint32Array;
}

/**
 * Merges neighbouring blocks into one, in steps between which batches are written: first the postings, value by value,
 * under an id that nobody reads yet; in the last step the new block takes the place of the old ones. A crash before
 * that leaves a block that does not count, and nothing else.
 *
 * Fragments that were removed before it begins are left out. Those that are removed meanwhile are marked in the new
 * block at the end.
 */
export class BlockMerge {
  readonly #database: Database;
  readonly #store: BlockStore;
  readonly #writer: BlockWriter;
  readonly #sources: readonly Source[];
  readonly #block: number;
  readonly #columns: Columns;
  readonly #postings: PostingPacker;
  /** The ordinals of one value, of which there is one for each span at most. */
  readonly #gathered: Uint32Array;

  /** `blocks` are in the order of their rows; `cursor` opens the postings of one. */
  constructor(
    database: Database,
    store: BlockStore,
    writer: BlockWriter,
    blocks: readonly IndexBlock[],
    cursor: (block: number) => PostingCursor,
  ) {
    this.#database = database;
    this.#store = store;
    this.#writer = writer;
    this.#block = writer.begin();
    this.#postings = writer.postings(this.#block);
    this.#sources = blocks.map(block => ({
      block,
      postings: cursor(block.id),
      places: new Uint32Array(block.spans).fill(REMOVED),
    }));
    this.#columns = this.#place();
    this.#gathered = new Uint32Array(this.#columns.rows.length);
  }

  /** Does one step; true when the merge is complete. */
  step(): boolean {
    return this.#database.transaction(() => {
      for (let values = 0, ordinals = 0; values < VALUES_PER_STEP && ordinals < ORDINALS_PER_STEP; values++) {
        const moved = this.#mergeNext();
        if (moved === undefined) {
          this.#finish();
          return true;
        }
        ordinals += moved;
      }
      return false;
    })();
  }

  /** Numbers the spans that were not removed by their start, over all blocks; each block is in that order already. */
  #place(): Columns {
    const walks = this.#sources.map(source => ({
      ...source,
      starts: this.#store.column(source.block.id, STARTS),
      isRemoved: this.#removedIn(source.block),
      at: 0,
    }));
    let count = 0;
    for (;;) {
      let earliest: (typeof walks)[number] | undefined;
      let time = Number.POSITIVE_INFINITY;
      for (const walk of walks) {
        while (walk.at < walk.block.spans && walk.isRemoved(walk.at)) walk.at++;
        const start = walk.starts.at(walk.at);
        // NaN at the end.
        if (!(start < time)) continue;
        earliest = walk;
        time = start;
      }
      if (earliest === undefined) break;
      earliest.places[earliest.at++] = count++;
    }
    return {
      starts: this.#gather(STARTS, count),
      durations: this.#gather(DURATIONS, count),
      traces: this.#gather(TRACES, count),
      rows: this.#gather(ROWS, count),
    };
  }

  #removedIn(block: IndexBlock): (ordinal: number) => boolean {
    if (block.removed === 0) return () => false;
    const rows = this.#store.column(block.id, ROWS);
    const tombstones = this.#store.tombstones(block.id);
    return ordinal => isRemoved(tombstones, rows.at(ordinal) - block.first);
  }

  #gather(name: number, count: number): Float64Array {
    const values = new Float64Array(count);
    for (const {block, places} of this.#sources) {
      const column = this.#store.column(block.id, name);
      places.forEach((place, ordinal) => {
        if (place !== REMOVED) values[place] = column.at(ordinal);
      });
    }
    return values;
  }

  /** Merges the next value of all blocks and gives the number of its ordinals; undefined when none is left. */
  #mergeNext(): number | undefined {
    let first: Posting | undefined;
    let sources: Source[] = [];
    for (const source of this.#sources) {
      const {current} = source.postings;
      if (current === undefined) continue;
      const order = first === undefined ? -1 : compareTerms(current, first);
      if (order < 0) [first, sources] = [current, [source]];
      else if (order === 0) sources.push(source);
    }
    if (first === undefined) return undefined;

    const {attribute, value} = first;
    const gathered = this.#gathered;
    let length = 0;
    let ascending = true;
    for (const {postings, places} of sources) {
      const ordinals = postings.current?.ordinals() ?? NO_ORDINALS;
      for (let at = 0; at < ordinals.length; at++) {
        const place = places[ordinals[at] as number] as number;
        if (place === REMOVED) continue;
        if (length > 0 && (gathered[length - 1] as number) > place) ascending = false;
        gathered[length++] = place;
      }
      postings.advance();
    }
    if (length === 0) return 0;
    const merged = gathered.subarray(0, length);
    this.#postings.add(attribute, value, ascending ? merged : merged.sort());
    return length;
  }

  #finish(): void {
    this.#postings.flush();
    const blocks = this.#sources.map(({block}) => block);
    const first = blocks[0]?.first ?? 0;
    const last = blocks[blocks.length - 1]?.last ?? 0;
    for (const {id} of blocks) this.#writer.supersede(id);
    if (this.#columns.rows.length === 0) return;
    this.#writer.publish(this.#block, first, last, this.#columns);
    const removed = new Set<number>();
    for (const {block} of this.#sources) {
      const tombstones = this.#store.tombstones(block.id);
      if (tombstones.length === 0) continue;
      for (const row of this.#columns.rows) {
        if (row >= block.first && row <= block.last && isRemoved(tombstones, row - block.first)) removed.add(row);
      }
    }
    this.#writer.markRemoved([...removed]);
  }
}

function compareTerms(a: Posting, b: Posting): number {
  if (a.attribute !== b.attribute) return compareNames(a.attribute, b.attribute);
  return a.value === b.value ? 0 : compareNames(a.value, b.value);
}
