import {performance} from 'node:perf_hooks';
import type {Database} from '../disk/database.js';
import {BlockMerge} from './block-merge.js';
import {type Block, BlockStore} from './block-store.js';
import {BlockWriter} from './block-writer.js';
import type {KindName} from './kind.js';
import {chooseMerge} from './merge-choice.js';
import {postingCursors} from './posting-cursor.js';
import {TraceRetention} from './trace-retention.js';

const ROWS_PER_STEP = 2048;

/** Merges blocks, removes what they leave behind, and removes old traces, of one kind and in small steps. */
export class TraceMaintenance {
  readonly #retention: TraceRetention;
  readonly #start: (blocks: readonly Block[]) => BlockMerge;
  readonly #store: BlockStore;
  readonly #leftover;
  readonly #removals: readonly {run(block: number): {readonly changes: number}}[];
  #merge: BlockMerge | undefined;
  /** The newest block when no merge was due. */
  #looked = -1;
  #mergeTime = 0;

  /** `keep` is the retention in milliseconds. */
  constructor(database: Database, kind: KindName, keep: number | undefined) {
    this.#retention = new TraceRetention(database, kind, keep);
    this.#store = new BlockStore(database, kind);
    const writer = new BlockWriter(database, kind);
    const cursor = postingCursors(database, kind);
    this.#start = blocks => new BlockMerge(database, this.#store, writer, blocks, cursor);
    this.#leftover = database.prepare<[], number>(`SELECT id FROM ${kind}_blocks WHERE state = 0 LIMIT 1`).pluck();
    this.#removals = [
      `DELETE FROM ${kind}_postings WHERE block = ? LIMIT ${ROWS_PER_STEP}`,
      `DELETE FROM ${kind}_columns WHERE block = ?`,
      `DELETE FROM ${kind}_blocks WHERE id = ?`,
    ].map(sql => database.prepare<[number]>(sql));
  }

  /** Does one step; false when nothing is due. Nothing else retires blocks while a merge is under way. */
  step(now: number): boolean {
    const start = performance.now();
    this.#merge ??= this.#begin();
    if (this.#merge === undefined) return this.#clear() || this.#retention.step(now);
    try {
      if (this.#merge.step()) this.#merge = undefined;
    } catch (problem) {
      // What it wrote does not count, and is cleared away.
      this.#merge = undefined;
      throw problem;
    }
    this.#mergeTime += performance.now() - start;
    return true;
  }

  /** Milliseconds spent on merging since it was last asked. */
  takeTime(): number {
    const time = this.#mergeTime;
    this.#mergeTime = 0;
    return time;
  }

  #begin(): BlockMerge | undefined {
    const newest = this.#store.newest();
    if (newest === this.#looked) return undefined;
    const due = chooseMerge(this.#store.all());
    if (due.length > 0) return this.#start(due);
    this.#looked = newest;
    return undefined;
  }

  /** Removes some of a block that does not count. */
  #clear(): boolean {
    const block = this.#leftover.get();
    if (block === undefined) return false;
    for (const removal of this.#removals) if (removal.run(block).changes > 0) break;
    return true;
  }
}
