import type {Database} from '../../disk/database.js';
import {OrdinalOrder} from '../index/ordinal-order.js';
import type {PostingCursor} from '../index/posting-cursor.js';
import type {PostingPacker} from '../index/posting-pack.js';
import {type BlockStore, type IndexBlock, isRemoved} from './block-store.js';
import type {BlockWriter, Columns} from './block-writer.js';
import {mergeColumns, REMOVED} from './merged-columns.js';

/** A step ends after this many values or ordinals. */
const VALUES_PER_STEP = 1024;
const ORDINALS_PER_STEP = 16_384;

interface Source {
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
  readonly #blocks: readonly IndexBlock[];
  /** Those that have values left, in the order of their next one. */
  readonly #sources: Source[] = [];
  readonly #block: number;
  readonly #columns: Columns;
  readonly #postings: PostingPacker;
  /** The ordinals of one value, of which there is one for each span at most. */
  readonly #gathered: Uint32Array;
  readonly #order: OrdinalOrder;

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
    this.#blocks = blocks;
    this.#block = writer.begin();
    this.#postings = writer.postings(this.#block);
    const {columns, places} = mergeColumns(store, blocks);
    this.#columns = columns;
    this.#gathered = new Uint32Array(columns.rows.length);
    this.#order = new OrdinalOrder(columns.rows.length);
    let from = 0;
    for (const {id, spans} of blocks) {
      this.#queue({postings: cursor(id), places: places.subarray(from, from + spans)});
      from += spans;
    }
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

  /** Puts a source where its next value stands among those of the others: behind those that have it too. */
  #queue(source: Source): void {
    if (source.postings.isAtEnd) return;
    const sources = this.#sources;
    let low = 0;
    let high = sources.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (source.postings.compare((sources[middle] as Source).postings) < 0) high = middle;
      else low = middle + 1;
    }
    sources.splice(low, 0, source);
  }

  /** Merges the next value of all blocks and gives the number of its ordinals; undefined when none is left. */
  #mergeNext(): number | undefined {
    const sources = this.#sources;
    const [first] = sources;
    if (first === undefined) return undefined;
    let same = 1;
    while (same < sources.length && (sources[same] as Source).postings.compare(first.postings) === 0) same++;
    let length = 0;
    for (let at = 0; at < same; at++) length = this.#gather(sources[at] as Source, length);
    if (length > 0) {
      const {attribute, text, valueAt, valueEnd} = first.postings;
      const gathered = this.#gathered;
      const count = this.#order.sort(gathered, length);
      this.#postings.addEncoded(attribute, text, valueAt, valueEnd, gathered, count);
    }
    for (const source of sources.splice(0, same)) {
      source.postings.advance();
      this.#queue(source);
    }
    return length;
  }

  /** Decodes the ordinals of the value of a source into their new ones, and gives how many there are then. */
  #gather({postings: {data, dataAt, dataEnd}, places}: Source, before: number): number {
    const gathered = this.#gathered;
    let length = before;
    let ordinal = 0;
    let shift = 0;
    let distance = 0;
    for (let at = dataAt; at < dataEnd; at++) {
      const byte = data[at] as number;
      distance |= (byte & 0x7f) << shift;
      if (byte > 0x7f) {
        shift += 7;
        continue;
      }
      ordinal += distance;
      distance = 0;
      shift = 0;
      const place = places[ordinal] as number;
      if (place !== REMOVED) gathered[length++] = place;
    }
    return length;
  }

  #finish(): void {
    this.#postings.flush();
    const blocks = this.#blocks;
    const first = blocks[0]?.first ?? 0;
    const last = blocks[blocks.length - 1]?.last ?? 0;
    for (const {id} of blocks) this.#writer.supersede(id);
    if (this.#columns.rows.length === 0) return;
    this.#writer.publish(this.#block, first, last, this.#columns);
    const removed = new Set<number>();
    for (const block of blocks) {
      const tombstones = this.#store.tombstones(block.id);
      if (tombstones.length === 0) continue;
      for (const row of this.#columns.rows) {
        if (row >= block.first && row <= block.last && isRemoved(tombstones, row - block.first)) removed.add(row);
      }
    }
    this.#writer.markRemoved([...removed]);
  }
}
