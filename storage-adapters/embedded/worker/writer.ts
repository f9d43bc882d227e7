import {existsSync, statfsSync, statSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import {GatewayError} from '../../../core/api/adapter.js';
import type {ClockState} from '../../../core/toolkit/retention-clock.js';
import {type Database, openForWriting} from '../disk/database.js';
import type {Finding} from '../disk/finding.js';
import {databaseFile, prepareFolder} from '../disk/folder.js';
import {inspect} from '../disk/inspect.js';
import {FolderLock} from '../disk/lock.js';
import {storageError} from '../disk/storage-error.js';
import {EmbeddedCompactionJob} from '../metrics/compaction/compaction-job.js';
import {BatchWriter} from '../metrics/tables/batch-writer.js';
import {KeptWriter} from '../metrics/tables/kept-writer.js';
import {KnownMetrics} from '../metrics/tables/known-metrics.js';
import {readCatalog} from '../metrics/tables/stored-catalog.js';
import {EmbeddedRetentionJob} from '../retention/job.js';
import {KeptClock} from '../retention/kept-clock.js';
import {giveWay} from '../threads/give-way.js';
import {serve} from '../threads/serve.js';
import type {
  BatchPart,
  KeptColumns,
  MaintenanceReport,
  MaintenanceRequest,
  Opened,
  OpenRequest,
  RetentionCutOffs,
  SampleColumns,
  StoredBatch,
  StoredTraces,
  TraceBatch,
  TracePart,
  WriterOperations,
} from '../threads/writer-protocol.js';
import {packStores} from '../traces/packs/pack-store.js';
import {EmbeddedGroupCommit, type Job} from './group-commit.js';
import {TraceCommits} from './trace-commits.js';
import {TraceMaintenance} from './trace-maintenance.js';
import {WritingLoad} from './writing-load.js';

/** How many samples share a commit at most, so that none waits long for its answer. */
const SAMPLES_PER_COMMIT = 200_000;
/** How long maintenance runs at least before waiting batches get their turn. */
const MAINTENANCE_SLICE = 5;
const PROBE_BYTES = 1_048_576;

interface MetricJob extends Job {
  readonly parts: readonly BatchPart[];
}

/** Everything that lives between `open` and `close`. */
class Writer {
  readonly #lock: FolderLock;
  readonly #database: Database;
  readonly #file: string;
  readonly #batches: BatchWriter;
  readonly #kept: KeptWriter;
  readonly #retention: EmbeddedRetentionJob;
  readonly #compaction: EmbeddedCompactionJob;
  readonly #traceCommits: TraceCommits;
  readonly #commits: EmbeddedGroupCommit;
  readonly #traceMaintenance: TraceMaintenance;
  readonly #load = new WritingLoad();
  readonly catalog: Opened;
  readonly findings: readonly Finding[];
  readonly isNew: boolean;
  readonly #clock: KeptClock;
  /** Of batches that are on their way, by number. */
  readonly #parts = new Map<number, BatchPart[]>();
  #now = 0;
  /** The time that retention goes by. */
  #believed = 0;
  #toKeep: ClockState | undefined;
  #scheduled = false;
  #closed = false;
  #flushing: (() => void)[] = [];
  #problem: string | undefined;

  constructor({path, durability, retention, maxPages, packFrom, isAgain}: OpenRequest) {
    prepareFolder(path);
    this.#lock = FolderLock.acquire(path);
    this.#file = databaseFile(path);
    let database: Database | undefined;
    try {
      this.isNew = !existsSync(this.#file);
      // To close a file ends the locks that this process has on it: not while threads read.
      this.findings = isAgain ? [] : inspect(this.#file, this.#lock);
      database = openForWriting(path, durability);
      if (maxPages !== undefined) database.pragma(`max_page_count = ${maxPages}`);
      this.#clock = new KeptClock(database);
      this.catalog = {...readCatalog(database), clock: this.#clock.state};
      const known = new KnownMetrics();
      for (const {id, rollups} of this.catalog.metrics) known.setRollups(id, rollups);
      for (const {id, metric} of this.catalog.series) known.addSeries(id, metric);
      this.#retention = new EmbeddedRetentionJob(database, known, retention);
      this.#kept = new KeptWriter(database, known);
      this.#compaction = new EmbeddedCompactionJob(database, known);
      this.#batches = new BatchWriter(
        database,
        known,
        () => this.#retention.cutOffs.minutes,
        (metric, hour) => this.#compaction.touched(metric, hour),
      );
      const packs = packStores(database);
      this.#traceCommits = new TraceCommits(database, packs, retention.traces);
      this.#traceMaintenance = new TraceMaintenance(database, packs, retention.traces, packFrom);
      this.#commits = new EmbeddedGroupCommit(database, this.#file, SAMPLES_PER_COMMIT, written =>
        this.#finish(written),
      );
      this.#database = database;
    } catch (error) {
      database?.close();
      this.#lock.release(!this.#lock.wasOpen);
      throw storageError(error, this.#file);
    }
  }

  prepare(number: number, part: BatchPart): null {
    const parts = this.#parts.get(number);
    if (parts === undefined) this.#parts.set(number, [part]);
    else parts.push(part);
    return null;
  }

  write(batch: StoredBatch): Promise<SampleColumns & {readonly seconds: number}> {
    const parts = this.#parts.get(batch.number) ?? [];
    this.#parts.delete(batch.number);
    return new Promise((resolve, reject) => {
      const job: MetricJob = {
        parts,
        size: batch.samples.value.length,
        write: () => this.#batches.write(batch, parts),
        stored: seconds => resolve({...batch.samples, seconds}),
        failed: reject,
      };
      this.#add(job);
    });
  }

  prepareTraces(number: number, part: TracePart): null {
    this.#traceCommits.prepare(number, part);
    return null;
  }

  writeTraces(batch: TraceBatch): Promise<StoredTraces> {
    return new Promise((resolve, reject) => {
      const answer = {stored: resolve, failed: reject};
      this.#add(this.#traceCommits.job(batch, () => this.#believed, answer));
    });
  }

  /** Minutes that are unmerged are first made into hours and days, which then tell of how many minutes they are. */
  async keep(columns: KeptColumns): Promise<RetentionCutOffs> {
    const borders = this.guard(() => this.#kept.bordersOf(columns));
    this.guard(() => this.#retention.keep(borders));
    if (this.#compaction.oldestUnmerged() < borders.minutes) {
      const merged = new Promise<void>(resolve => this.#flushing.push(resolve));
      this.#schedule();
      await merged;
    }
    this.guard(() => this.#database.transaction(() => this.#kept.write(columns))());
    return this.#retention.cutOffs;
  }

  /** Takes the time on; the promise waits until nothing is due when `wait` is set. */
  async maintain({now, believed, wait}: MaintenanceRequest): Promise<MaintenanceReport> {
    this.#now = now;
    this.#believed = believed.time;
    this.#toKeep = believed;
    this.#retention.advance(believed.time);
    const done = wait ? new Promise<void>(resolve => this.#flushing.push(resolve)) : undefined;
    this.#schedule();
    await done;
    const pages = (name: string) => this.#database.pragma(name, {simple: true}) as number;
    const {compactionTime, compactedHours} = this.#compaction;
    const traceTimes = this.#traceMaintenance.takeTimes();
    const problem = this.#problem;
    this.#problem = undefined;
    const {bsize, blocks, bavail} = statfsSync(this.#file);
    this.#compaction.compactionTime = 0;
    this.#compaction.compactedHours = 0;
    return {
      fileBytes: statSync(this.#file).size,
      freeBytes: pages('freelist_count') * pages('page_size'),
      disk: {bytes: blocks * bsize, free: bavail * bsize},
      compactionLag: this.#compaction.lag(now),
      cutOffs: this.#retention.cutOffs,
      compactionTime,
      compactedHours,
      traceTimes,
      removed: [...this.#retention.takeRemoved(), ...this.#traceMaintenance.takeRemoved(this.#believed)],
      problem,
    };
  }

  /** Writes and removes a row that needs pages of its own, as a batch would. */
  probe(): null {
    this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', zeroblob(?))").run(PROBE_BYTES);
    this.#database.prepare("DELETE FROM meta WHERE key = 'probe'").run();
    return null;
  }

  close(): null {
    while (this.#commits.waiting > 0) this.#commits.commit();
    this.#closed = true;
    for (const resolve of this.#flushing) resolve();
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
    this.#lock.release(true);
    return null;
  }

  guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storageError(error, this.#file);
    }
  }

  #add(job: Job): void {
    this.#commits.add(job);
    this.#schedule();
  }

  #finish(written: readonly Job[]): void {
    this.#batches.writeSeen(written.flatMap(job => ('parts' in job ? (job as MetricJob).parts : [])));
    this.#traceCommits.finish(written);
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      const begin = performance.now();
      if (this.#commits.waiting > 0) this.#commits.commit();
      const written = performance.now();
      this.#load.add(written - begin, written);
      const slice = Math.max(MAINTENANCE_SLICE, (written - begin) * this.#traceMaintenance.pressure);
      if (this.#maintain(slice) || this.#commits.waiting > 0) this.#schedule();
    });
  }

  /** Runs maintenance for so many milliseconds; false when nothing is left. */
  #maintain(slice: number): boolean {
    const flush = this.#flushing.length > 0;
    const begin = performance.now();
    const end = begin + slice;
    const packing = flush ? 'all' : this.#load.isHigh(begin) ? 'never' : 'quiet';
    try {
      if (this.#toKeep !== undefined) this.#clock.keep(this.#toKeep);
      while (performance.now() < end) {
        if (this.#compaction.step(this.#now, flush)) continue;
        if (this.#retention.step(this.#believed, this.#compaction.oldestUnmerged())) continue;
        if (this.#traceMaintenance.step(this.#believed, packing)) continue;
        // What merging sets free is taken by the next batches.
        if (packing !== 'never' && this.#retention.giveBack()) continue;
        for (const resolve of this.#flushing.splice(0)) resolve();
        return false;
      }
      return true;
    } catch (error) {
      // What failed is tried again with the next tick.
      this.#problem = storageError(error, this.#file).message;
      for (const resolve of this.#flushing.splice(0)) resolve();
      return false;
    }
  }
}

let writer: Writer | undefined;

function opened(): Writer {
  if (writer === undefined) throw new GatewayError('storage_unavailable', 'the embedded storage is not open');
  return writer;
}

// Of reads somebody waits for the answer, and not only for the end.
giveWay();
serve<WriterOperations>({
  open(request) {
    writer = new Writer(request);
    return {...writer.catalog, findings: writer.findings, isNew: writer.isNew};
  },
  prepare: ({number, part}) => opened().prepare(number, part),
  prepareTraces: ({number, part}) => opened().prepareTraces(number, part),
  write: batch => opened().write(batch),
  writeTraces: batch => opened().writeTraces(batch),
  keep: columns => opened().keep(columns),
  maintain: request => opened().maintain(request),
  probe: () => opened().guard(() => opened().probe()),
  close() {
    writer?.close();
    writer = undefined;
    return null;
  },
});
