import {GatewayError} from '../../../core/api/adapter.js';
import type {Pace} from './rate-limiter.js';

interface Job<Batch> {
  readonly batch: Batch;
  readonly size: number;
  stored(): void;
  failed(problem: unknown): void;
}

export interface GroupOptions<Batch> {
  /** In rows. */
  readonly size: (batch: Batch) => number;
  /** Whether a batch goes by itself, after all before it and before all after it. */
  readonly goesAlone?: (batch: Batch) => boolean;
  /** Stores batches, the later ones over the earlier ones. */
  readonly store: (batches: readonly Batch[]) => Promise<void>;
  readonly pace: Pace;
  readonly queued: (batches: number) => void;
}

/** Rows that go into one group, as far as batches can be told apart, and that may wait. */
const GROUP_ROWS = 200_000;
const QUEUE_ROWS = 2_000_000;

/** Stores batches in the order of the calls, those that came while others were being stored together. */
export class GroupCommit<Batch> {
  readonly #options: GroupOptions<Batch>;
  #queue: Job<Batch>[] = [];
  #rows = 0;
  #running: Promise<void> | undefined;

  constructor(options: GroupOptions<Batch>) {
    this.#options = options;
  }

  write(batch: Batch): Promise<void> {
    const size = this.#options.size(batch);
    if (this.#rows > 0 && this.#rows + size > QUEUE_ROWS) {
      throw new GatewayError(
        'overloaded',
        `${this.#rows} rows wait to be stored in ClickHouse, and ${QUEUE_ROWS} may at most. Send the batch again in a second.`,
      );
    }
    this.#rows += size;
    const result = new Promise<void>((stored, failed) => this.#queue.push({batch, size, stored, failed}));
    this.#options.queued(this.#queue.length);
    this.#running ??= this.#run();
    return result;
  }

  /** Resolves when every batch so far has been stored or has failed. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#options.pace.turn();
      const group = this.#take();
      try {
        await this.#options.store(group.map(({batch}) => batch));
        for (const job of group) job.stored();
      } catch (problem) {
        for (const job of group) job.failed(problem);
      }
      for (const {size} of group) this.#rows -= size;
      this.#options.queued(this.#queue.length);
    }
    this.#running = undefined;
  }

  #take(): Job<Batch>[] {
    const {goesAlone = () => false} = this.#options;
    let rows = 0;
    let count = 0;
    for (const {batch, size} of this.#queue) {
      rows += size;
      const isAlone = goesAlone(batch);
      if (count > 0 && (isAlone || rows > GROUP_ROWS)) break;
      count++;
      if (isAlone) break;
    }
    return this.#queue.splice(0, count);
  }
}
