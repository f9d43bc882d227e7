import {GatewayError} from '../../../core/api/adapter.js';

export interface QueueOptions<Batch> {
  /** What `size` counts, for messages. */
  readonly unit: string;
  readonly size: (batch: Batch) => number;
  /** How much may wait or be stored. A batch that is larger goes when nothing else does. */
  readonly limit: number;
  /** How much is stored together, or one batch that is larger. */
  readonly together: number;
  /** Stores batches in their order, all or nothing of them. */
  readonly store: (batches: readonly Batch[]) => Promise<void>;
}

interface Job<Batch> {
  readonly batch: Batch;
  readonly size: number;
  stored(): void;
  failed(problem: unknown): void;
}

/**
 * Stores batches in the order of the calls, in one transaction those that have come while another one ran: a commit takes
 * as long for many as for one. Each is acknowledged when its own transaction is.
 */
export class WriteQueue<Batch> {
  readonly #options: QueueOptions<Batch>;
  readonly #waiting: Job<Batch>[] = [];
  #size = 0;
  #running: Promise<void> | undefined;

  constructor(options: QueueOptions<Batch>) {
    this.#options = options;
  }

  async write(batch: Batch): Promise<void> {
    const {unit, limit} = this.#options;
    const size = this.#options.size(batch);
    if (this.#size > 0 && this.#size + size > limit) {
      throw new GatewayError(
        'overloaded',
        `The postgres storage has ${this.#size} ${unit} waiting to be written, and takes ${limit} at most. Send the batch again in a second.`,
      );
    }
    this.#size += size;
    const result = new Promise<void>((stored, failed) => this.#waiting.push({batch, size, stored, failed}));
    this.#running ??= this.#run();
    try {
      await result;
    } finally {
      this.#size -= size;
    }
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#store(this.#take());
    this.#running = undefined;
  }

  #take(): readonly Job<Batch>[] {
    let size = 0;
    let count = 0;
    for (const job of this.#waiting) {
      size += job.size;
      if (count > 0 && size > this.#options.together) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #store(jobs: readonly Job<Batch>[]): Promise<void> {
    try {
      await this.#options.store(jobs.map(({batch}) => batch));
      for (const job of jobs) job.stored();
    } catch (problem) {
      if (jobs.length > 1 && isOfOneBatch(problem)) for (const job of jobs) await this.#store([job]);
      else for (const job of jobs) job.failed(problem);
    }
  }
}

/** What the content of one batch may have caused, so that the others go without it; not what ails the server. */
function isOfOneBatch(problem: unknown): boolean {
  const {code} = GatewayError.from(problem);
  return code !== 'storage_unavailable' && code !== 'timeout' && code !== 'overloaded';
}
