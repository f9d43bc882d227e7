import {statSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import {GatewayError} from '../../core/api/adapter.js';
import {type Database, databaseFile, openForWriting, prepareFolder} from './disk/database.js';
import {FolderLock} from './disk/lock.js';
import {storageError} from './disk/storage-error.js';
import type {Opened, OpenRequest, SampleColumns, StoredBatch, WriterOperations} from './worker/protocol.js';
import {serve} from './worker/serve.js';
import {BatchWriter} from './write/batch-writer.js';
import {KnownMetrics} from './write/known-metrics.js';
import {Maintenance} from './write/maintenance.js';
import {Retention} from './write/retention.js';
import {readCatalog} from './write/stored-catalog.js';

/** How many samples share a commit at most, so that none waits long for its answer. */
const SAMPLES_PER_COMMIT = 200_000;
/** How long maintenance runs before waiting batches get their turn. */
const MAINTENANCE_SLICE = 5;
const PROBE_BYTES = 1_048_576;

interface Pending {
  readonly batch: StoredBatch;
  readonly resolve: (reply: SampleColumns & {readonly seconds: number}) => void;
  readonly reject: (problem: unknown) => void;
}

/** Everything that lives between `open` and `close`. */
class Writer {
  readonly #lock: FolderLock;
  readonly #database: Database;
  readonly #file: string;
  readonly #batches: BatchWriter;
  readonly #retention: Retention;
  readonly #maintenance: Maintenance;
  readonly #queue: Pending[] = [];
  readonly catalog: Opened;
  #now = 0;
  #scheduled = false;
  #closed = false;
  #hurried: (() => void)[] = [];
  #problem: string | undefined;

  constructor({path, durability, retention, maxPages}: OpenRequest) {
    prepareFolder(path);
    this.#lock = FolderLock.acquire(path);
    this.#file = databaseFile(path);
    let database: Database | undefined;
    try {
      database = openForWriting(path, durability);
      if (maxPages !== undefined) database.pragma(`max_page_count = ${maxPages}`);
      this.catalog = readCatalog(database);
      const known = new KnownMetrics();
      for (const {id, rollups} of this.catalog.metrics) known.setRollups(id, rollups);
      for (const {id, metric} of this.catalog.series) known.addSeries(id, metric);
      this.#retention = new Retention(database, known, retention);
      this.#maintenance = new Maintenance(database, known, this.#retention);
      this.#batches = new BatchWriter(
        database,
        known,
        () => this.#retention.expired.minutes,
        (metric, hour) => this.#maintenance.touched(metric, hour),
      );
      this.#database = database;
    } catch (problem) {
      database?.close();
      this.#lock.release();
      throw storageError(problem, this.#file);
    }
  }

  write(batch: StoredBatch): Promise<SampleColumns & {readonly seconds: number}> {
    return new Promise((resolve, reject) => {
      this.#queue.push({batch, resolve, reject});
      this.#schedule();
    });
  }

  /** Takes the time on; the promise waits until nothing is due when `wait` is set. */
  async maintain(now: number, wait: boolean): Promise<WriterOperations['maintain']['reply']> {
    this.#now = now;
    this.#retention.advance(now);
    const done = wait ? new Promise<void>(resolve => this.#hurried.push(resolve)) : undefined;
    this.#schedule();
    await done;
    const pages = (name: string) => this.#database.pragma(name, {simple: true}) as number;
    const {foldTime, foldedHours} = this.#maintenance;
    const problem = this.#problem;
    this.#problem = undefined;
    this.#maintenance.foldTime = 0;
    this.#maintenance.foldedHours = 0;
    return {
      fileBytes: statSync(this.#file).size,
      freeBytes: pages('freelist_count') * pages('page_size'),
      expired: this.#retention.expired,
      foldTime,
      foldedHours,
      ...(problem === undefined ? {} : {problem}),
    };
  }

  /** Writes and removes a row that needs pages of its own, as a batch would. */
  probe(): null {
    this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', zeroblob(?))").run(PROBE_BYTES);
    this.#database.prepare("DELETE FROM meta WHERE key = 'probe'").run();
    return null;
  }

  close(): null {
    while (this.#queue.length > 0) this.#commit();
    this.#closed = true;
    for (const resolve of this.#hurried) resolve();
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
    this.#lock.release();
    return null;
  }

  guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (problem) {
      throw storageError(problem, this.#file);
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      if (this.#queue.length > 0) this.#commit();
      if (this.#maintain() || this.#queue.length > 0) this.#schedule();
    });
  }

  /** Runs maintenance for a slice; false when nothing is left. */
  #maintain(): boolean {
    const hurry = this.#hurried.length > 0;
    const end = performance.now() + MAINTENANCE_SLICE;
    try {
      while (performance.now() < end) {
        if (this.#maintenance.step(this.#now, hurry)) continue;
        for (const resolve of this.#hurried.splice(0)) resolve();
        return false;
      }
      return true;
    } catch (problem) {
      // What failed is tried again with the next tick.
      this.#problem = storageError(problem, this.#file).message;
      for (const resolve of this.#hurried.splice(0)) resolve();
      return false;
    }
  }

  /** Writes waiting batches in one transaction; a batch that fails takes only itself back. */
  #commit(): void {
    const start = performance.now();
    const group = this.#takeGroup();
    const written: Pending[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const pending of group) if (this.#writeOne(pending)) written.push(pending);
      this.#batches.writeSeen(written.map(({batch}) => batch));
      this.#database.exec('COMMIT');
    } catch (problem) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      for (const {reject} of group) reject(storageError(problem, this.#file));
      return;
    }
    const seconds = (performance.now() - start) / 1000;
    for (const {batch, resolve} of written) resolve({...batch.samples, seconds});
  }

  #takeGroup(): Pending[] {
    let samples = 0;
    let count = 0;
    for (const {batch} of this.#queue) {
      samples += batch.samples.value.length;
      if (count > 0 && samples > SAMPLES_PER_COMMIT) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  #writeOne({batch, reject}: Pending): boolean {
    this.#database.exec('SAVEPOINT batch');
    try {
      this.#batches.write(batch);
      this.#database.exec('RELEASE batch');
      return true;
    } catch (problem) {
      reject(storageError(problem, this.#file));
      // A full disk may have ended the whole transaction already: then nothing of the group stands.
      if (!this.#database.inTransaction) throw problem;
      this.#database.exec('ROLLBACK TO batch; RELEASE batch');
      return false;
    }
  }
}

let writer: Writer | undefined;

function opened(): Writer {
  if (writer === undefined) throw new GatewayError('storage_unavailable', 'The embedded storage is not open.');
  return writer;
}

serve<WriterOperations>({
  open(request) {
    writer = new Writer(request);
    return writer.catalog;
  },
  write: batch => opened().write(batch),
  maintain: ({now, wait}) => opened().maintain(now, wait),
  probe: () => opened().guard(() => opened().probe()),
  close() {
    writer?.close();
    writer = undefined;
    return null;
  },
});
