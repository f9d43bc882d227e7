import {performance} from 'node:perf_hooks';
import type {Database} from '../disk/database.js';
import {storageError} from '../disk/storage-error.js';

/** A batch that waits for its commit. */
export interface Job {
  /** What it adds to a commit: samples or units. */
  readonly size: number;
  write(): void;
  /** `seconds` is the time of the commit that it shared. */
  stored(seconds: number): void;
  failed(error: unknown): void;
}

/** Writes waiting batches together: a commit costs nearly the same for one as for many. */
export class EmbeddedGroupCommit {
  readonly #database: Database;
  readonly #file: string;
  readonly #limit: number;
  readonly #finish: (written: readonly Job[]) => void;
  readonly #queue: Job[] = [];

  /**
   * `limit` is the size that shares a commit at most, so that none waits long for its answer. `finish` completes the
   * transaction of the jobs that were written.
   */
  constructor(database: Database, file: string, limit: number, finish: (written: readonly Job[]) => void) {
    this.#database = database;
    this.#file = file;
    this.#limit = limit;
    this.#finish = finish;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  add(job: Job): void {
    this.#queue.push(job);
  }

  /** Writes the next jobs in one transaction; one that fails takes only itself back. */
  commit(): void {
    const start = performance.now();
    const group = this.#takeGroup();
    const written: Job[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const job of group) if (this.#write(job)) written.push(job);
      this.#finish(written);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      for (const job of group) job.failed(storageError(error, this.#file));
      return;
    }
    const seconds = (performance.now() - start) / 1000;
    for (const job of written) job.stored(seconds);
  }

  #takeGroup(): Job[] {
    let size = 0;
    let count = 0;
    for (const job of this.#queue) {
      size += job.size;
      if (count > 0 && size > this.#limit) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #write(job: Job): boolean {
    this.#database.exec('SAVEPOINT batch');
    try {
      job.write();
      this.#database.exec('RELEASE batch');
      return true;
    } catch (error) {
      job.failed(storageError(error, this.#file));
      // A full disk may have ended the whole transaction already: then nothing of the group stands.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('ROLLBACK TO batch; RELEASE batch');
      return false;
    }
  }
}
