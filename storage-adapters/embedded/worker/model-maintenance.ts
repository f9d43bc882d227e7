import {performance} from 'node:perf_hooks';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Database} from '../disk/database.js';
import {TraceRetention} from '../retention/traces.js';
import {BlockMerge} from '../traces/blocks/block-merge.js';
import {BlockRemoval} from '../traces/blocks/block-removal.js';
import {BlockStore, type IndexBlock} from '../traces/blocks/block-store.js';
import {BlockWriter} from '../traces/blocks/block-writer.js';
import {chooseMerge, isSmall} from '../traces/blocks/merge-choice.js';
import {postingCursors} from '../traces/index/posting-cursor.js';
import type {PackStore} from '../traces/packs/pack-store.js';
import {Packing} from '../traces/packs/packing.js';

export interface MaintenanceTimes {
  readonly merge: number;
  readonly pack: number;
}

/** Whether quiet traces may be packed now, or all traces have to be, also those that are not quiet yet. */
export type PackingTime = 'never' | 'quiet' | 'all';

/** Merges blocks, removes what they leave behind and old traces, and packs quiet ones, of one trace model and in small steps. */
export class TraceModelMaintenance {
  readonly #retention: TraceRetention;
  readonly #removal: BlockRemoval;
  readonly #packing: Packing;
  readonly #start: (blocks: readonly IndexBlock[]) => BlockMerge;
  readonly #store: BlockStore;
  #merge: BlockMerge | undefined;
  /** The newest block when no merge was due. */
  #looked = -1;
  #mergeTime = 0;
  #packTime = 0;
  #isRetentionNext = false;
  /** Blocks that will be merged with others, when it last looked for some. */
  backlog = 0;

  /** `keep` is the retention in milliseconds, `packFrom` how many fragments there are before any is packed. */
  constructor(
    database: Database,
    model: TraceModelName,
    packs: PackStore,
    keep: number | undefined,
    packFrom: number | undefined,
  ) {
    this.#retention = new TraceRetention(database, model, packs, keep);
    this.#removal = new BlockRemoval(database, model);
    this.#packing = new Packing(database, model, packs, packFrom);
    this.#store = new BlockStore(database, model);
    const writer = new BlockWriter(database, model);
    const cursor = postingCursors(database, model);
    this.#start = blocks => new BlockMerge(database, this.#store, writer, blocks, cursor);
  }

  /**
   * Does one step; false when nothing is due. Merging and retention take turns, so that neither waits for the other; what
   * is packed waits for both.
   */
  step(now: number, packs: PackingTime): boolean {
    // A block may become empty while it is merged, and must stay until then.
    if (this.#merge === undefined && this.#removal.step()) return true;
    this.#isRetentionNext = !this.#isRetentionNext;
    const isDone = this.#isRetentionNext
      ? this.#retention.step(now) || this.#stepMerge()
      : this.#stepMerge() || this.#retention.step(now);
    return isDone || (packs !== 'never' && this.#stepPacking(packs === 'all'));
  }

  /** How many traces retention has removed since it was last asked. */
  takeRemoved(): number {
    return this.#retention.takeRemoved();
  }

  /** Milliseconds spent since it was last asked. */
  takeTimes(): MaintenanceTimes {
    const times = {merge: this.#mergeTime, pack: this.#packTime};
    this.#mergeTime = 0;
    this.#packTime = 0;
    return times;
  }

  #stepPacking(all: boolean): boolean {
    const start = performance.now();
    const isDone = this.#packing.step(all);
    this.#packTime += performance.now() - start;
    return isDone;
  }

  #stepMerge(): boolean {
    const start = performance.now();
    this.#merge ??= this.#begin();
    if (this.#merge === undefined) return false;
    try {
      if (this.#merge.step()) this.#merge = undefined;
    } catch (error) {
      // What it wrote does not count, and is cleared away.
      this.#merge = undefined;
      throw error;
    }
    this.#mergeTime += performance.now() - start;
    return true;
  }

  #begin(): BlockMerge | undefined {
    const newest = this.#store.newest();
    if (newest !== this.#looked) {
      const blocks = this.#store.all();
      this.backlog = blocks.filter(isSmall).length;
      const due = chooseMerge(blocks);
      if (due.length > 0) return this.#start(due);
      this.#looked = newest;
    }
    const wasted = this.#store.mostlyRemoved();
    return wasted === undefined ? undefined : this.#start([wasted]);
  }
}
