import type {BlockColumn} from '../index/column.js';
import type {BlockStore} from './block-store.js';

/** Decoded columns of the blocks that were read last. They never change, so nothing has to be told to the cache. */
export class ColumnCache {
  readonly #store: BlockStore;
  readonly #limit: number;
  readonly #columns = new Map<string, BlockColumn>();
  #bytes = 0;

  constructor(store: BlockStore, limit: number) {
    this.#store = store;
    this.#limit = limit;
  }

  get(block: number, name: number): BlockColumn {
    const key = `${block}/${name}`;
    const known = this.#columns.get(key);
    if (known !== undefined) {
      this.#columns.delete(key);
      this.#columns.set(key, known);
      return known;
    }
    const column = this.#store.column(block, name);
    this.#columns.set(key, column);
    this.#bytes += column.byteLength;
    for (const [oldest, {byteLength}] of this.#columns) {
      if (this.#bytes <= this.#limit || oldest === key) break;
      this.#columns.delete(oldest);
      this.#bytes -= byteLength;
    }
    return column;
  }
}
