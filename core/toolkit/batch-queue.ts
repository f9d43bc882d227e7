import {GatewayError} from '../api/errors.js';

export interface BatchQueueOptions<Batch> {
  /** The storage as the configuration names it, for messages: `postgres`. */
  readonly storage: string;
  /** What `size` counts, for messages: `rows`. */
  readonly unit: string;
  readonly size: (batch: Batch) => number;
  /** How much may wait or be stored at once, in units. A batch that is larger is taken when there is no other. */
  readonly limit: number;
  /** How much is stored together, in units; a batch that is larger goes alone. */
  readonly together: number;
  /** Whether a batch goes by itself, after all before it and before all after it. */
  readonly goesAlone?: ((batch: Batch) => boolean) | undefined;
  /** Stores batches in their order, all or nothing of them. */
  readonly store: (batches: readonly Batch[]) => Promise<void>;
  /** Awaited before each `store`: what comes meanwhile goes together. Must not reject. */
  readonly pace?: (() => Promise<void>) | undefined;
  /** Told how many batches wait when that changes. */
  readonly queued?: ((batches: number) => void) | undefined;
}

interface Job<Batch> {
  readonly batch: Batch;
  readonly size: number;
  stored(): void;
  failed(error: unknown): void;
}

/**
 * Stores batches in the order of the calls, and together those that have come while others were being stored: a commit
 * takes about as long for many as for one. Each batch is acknowledged when its own commit is. What one batch is refused for
 * does not concern the others: those of a failed commit are tried again each by itself.
 */
export class BatchQueue<Batch> {
  readonly #options: BatchQueueOptions<Batch>;
  readonly #waiting: Job<Batch>[] = [];
  readonly #unsettled = new Set<Promise<void>>();
  #size = 0;
  #running: Promise<void> | undefined;

  constructor(options: BatchQueueOptions<Batch>) {
    this.#options = options;
  }

  /** Resolves when the batch is stored. Rejects as `store` does, or at once with `overloaded` when too much waits. */
  async write(batch: Batch): Promise<void> {
    const {storage, unit, limit} = this.#options;
    const size = this.#options.size(batch);
    if (this.#size > 0 && this.#size + size > limit) {
      throw new GatewayError(
        'overloaded',
        `the ${storage} storage has ${this.#size} ${unit} waiting to be written, at most ${limit} may wait; send the batch again in a second`,
      );
    }
    this.#size += size;
    const result = new Promise<void>((stored, failed) => this.#waiting.push({batch, size, stored, failed}));
    this.#options.queued?.(this.#waiting.length);
    this.#unsettled.add(result);
    this.#running ??= this.#run();
    try {
      await result;
    } finally {
      this.#unsettled.delete(result);
      this.#size -= size;
    }
  }

  /** Resolves when every batch so far has been stored or refused, whatever has come since. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#unsettled);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#options.pace?.();
      const jobs = this.#take();
      this.#options.queued?.(this.#waiting.length);
      await this.#store(jobs);
    }
    this.#running = undefined;
  }

  /** The first of those that wait, and those behind it that go with it. */
  #take(): readonly Job<Batch>[] {
    const {goesAlone = () => false, together} = this.#options;
    let size = 0;
    let count = 0;
    for (const job of this.#waiting) {
      size += job.size;
      const isAlone = goesAlone(job.batch);
      if (count > 0 && (isAlone || size > together)) break;
      count++;
      if (isAlone) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #store(jobs: readonly Job<Batch>[]): Promise<void> {
    try {
      await this.#options.store(jobs.map(({batch}) => batch));
      for (const job of jobs) job.stored();
    } catch (error) {
      if (jobs.length > 1 && isOfOneBatch(error)) for (const job of jobs) await this.#store([job]);
      else for (const job of jobs) job.failed(error);
    }
  }
}

/** What the content of one batch may have caused, so that the others go without it; not what ails the storage. */
function isOfOneBatch(error: unknown): boolean {
  const {code} = GatewayError.from(error);
  return code !== 'storage_unavailable' && code !== 'timeout' && code !== 'overloaded';
}
