import {once} from 'node:events';
import {
  type CompatSpan,
  HEALTHY,
  type Health,
  type Logger,
  type Readers,
  rollupAt,
  type Segment,
} from '../../core/api/adapter.js';
import {type ClockState, RetentionClock, type TimeSource} from '../../core/toolkit/retention-clock.js';
import {MINUTES_PER_HOUR, MS_PER_MINUTE} from '../../core/toolkit/time.js';
import type {Finding} from './disk/finding.js';
import {EmbeddedMetricExporter} from './export/metrics.js';
import {EmbeddedTraceExporter} from './export/traces.js';
import {Head} from './head/head.js';
import type {EmbeddedInstruments} from './instruments.js';
import {IntegrityCheck} from './integrity/integrity-check.js';
import {EmbeddedMetadataReader} from './metadata/reader.js';
import {EmbeddedCatalog} from './metrics/catalog.js';
import {HeadFiller} from './metrics/head-filler.js';
import {EmbeddedHistoryWriter} from './metrics/history-writer.js';
import type {PreparedBatch} from './metrics/prepared-batch.js';
import {EmbeddedMetricReader} from './metrics/reader.js';
import {EmbeddedTopologyReader} from './metrics/topology.js';
import {EmbeddedMetricWriter, type WriterHost} from './metrics/writer.js';
import {RemovalLog} from './retention/removal-log.js';
import {ReaderPool} from './threads/reader-pool.js';
import type {KeptColumns, Opened, OpenRequest, SampleColumns, TraceBatch} from './threads/writer-protocol.js';
import {WriterThread} from './threads/writer-thread.js';
import type {TraceHost} from './traces/fragment-queue.js';
import {embeddedCompatModel, embeddedNativeModel, embeddedOtlpModel} from './traces/fragments/model.js';
import {EmbeddedOtlpReader} from './traces/otlp-reader.js';
import {EmbeddedOtlpWriter} from './traces/otlp-writer.js';
import {EmbeddedTraceReader} from './traces/reader.js';
import {ServingReads} from './traces/serving-reads.js';
import {EmbeddedTraceWriter} from './traces/writer.js';

const TICK = 1_000;
/** An answer about health takes a second at most. */
const PROBE_TIME = 900;

export interface StorageOptions extends OpenRequest {
  readonly memory: number;
  readonly log: Logger;
  readonly instruments: EmbeddedInstruments;
  readonly time: TimeSource;
}

/** Everything that lives between start and stop: one open folder. */
export class EmbeddedRuntime implements WriterHost {
  readonly #options: StorageOptions;
  readonly #catalog = new EmbeddedCatalog();
  readonly #head: Head;
  readonly #writer: WriterThread;
  readonly #readers: ReaderPool;
  readonly #serving: ServingReads;
  readonly #filler: HeadFiller;
  readonly #metricWriter: EmbeddedMetricWriter;
  readonly #spanWriter: EmbeddedTraceWriter<CompatSpan>;
  readonly #segmentWriter: EmbeddedTraceWriter<Segment>;
  readonly #otlpWriter: EmbeddedOtlpWriter;
  readonly #integrity: IntegrityCheck;
  /** What is known to be lost or damaged. */
  readonly #losses: string[] = [];
  readonly #clock: RetentionClock;
  readonly #removalLog: RemovalLog;
  /** Samples that were dropped since the last log line about them. */
  #dropped = 0;
  /** The same of spans. */
  #droppedSpans = 0;
  #tick: NodeJS.Timeout | undefined;
  /** Samples of minutes before this hour are dropped. */
  minutesCutOff = Number.NEGATIVE_INFINITY;

  private constructor(options: StorageOptions) {
    this.#options = options;
    const {path, durability, retention, log, memory} = options;
    this.#head = new Head(memory, (series, hour, partial) => {
      partial.reset(rollupAt(this.#catalog.series(series)?.metric.rollups ?? [], hour));
    });
    const request = {
      path,
      durability,
      retention,
      ...(options.maxPages === undefined ? {} : {maxPages: options.maxPages}),
      ...(options.packFrom === undefined ? {} : {packFrom: options.packFrom}),
    };
    this.#writer = new WriterThread(request, {
      died: error => log.error('the writing thread has died and is started again', {err: error}),
      restarted: () => this.#resync(),
    });
    this.#readers = new ReaderPool(path, error =>
      log.error('a reading thread has died and is started again', {err: error}),
    );
    this.#serving = new ServingReads(path);
    this.#filler = new HeadFiller(this.#head, this.#catalog, this.#readers, log, () => this.minutesCutOff);
    this.#metricWriter = new EmbeddedMetricWriter(this.#catalog, this.#head, this);
    this.#clock = new RetentionClock(options.time, log);
    this.#removalLog = new RemovalLog(options.instruments, log);
    this.#integrity = new IntegrityCheck(text => this.#found({text, isLoss: true}));
    const traceHost: TraceHost = {
      prepare: (model, parts) => this.#writer.prepareTraces(model, parts),
      store: batch => this.#storeTraces(batch),
    };
    this.#spanWriter = new EmbeddedTraceWriter(embeddedCompatModel, traceHost);
    this.#segmentWriter = new EmbeddedTraceWriter(embeddedNativeModel, traceHost);
    this.#otlpWriter = new EmbeddedOtlpWriter(traceHost);
  }

  /** Opens the folder. What was begun is ended again when it fails or `signal` aborts. */
  static async open(options: StorageOptions, signal: AbortSignal): Promise<EmbeddedRuntime> {
    const storage = new EmbeddedRuntime(options);
    try {
      const opened = await storage.#writer.open();
      await storage.#readers.start();
      signal.throwIfAborted();
      storage.#catalog.load(opened);
      for (const finding of opened.findings) storage.#found(finding);
      if (storage.#expires) storage.#clock.restore(opened.clock, newestOf(opened));
      if (!opened.isNew) storage.#integrity.begin(options.path);
      await storage.#maintain(false);
    } catch (error) {
      await storage.stop();
      throw error;
    }
    storage.#resync();
    storage.#tick = setInterval(() => void storage.#maintain(false), TICK);
    storage.#tick.unref();
    return storage;
  }

  get readers(): Readers {
    return {
      'metrics.query.v1': new EmbeddedMetricReader(this.#catalog, this.#head, this.#readers),
      'metadata.query.v1': new EmbeddedMetadataReader(this.#catalog.entities, this.#catalog.metrics),
      'topology.query.v1': new EmbeddedTopologyReader(this.#catalog, this.#head, this.#readers),
      'traces.compat.v1': new EmbeddedTraceReader(embeddedCompatModel, this.#readers, this.#serving),
      'traces.native.v2': new EmbeddedTraceReader(embeddedNativeModel, this.#readers, this.#serving),
      'traces.otlp.v1': new EmbeddedOtlpReader(embeddedOtlpModel, this.#readers, this.#serving),
      'ingest.metrics.v1': this.#metricWriter,
      'ingest.compat.v1': this.#spanWriter,
      'ingest.native.v1': this.#segmentWriter,
      'ingest.otlp.v1': this.#otlpWriter,
      'ingest.history.v1': new EmbeddedHistoryWriter(this.#catalog, this.#metricWriter, columns => this.#keep(columns)),
      'export.metrics.v1': new EmbeddedMetricExporter(this.#catalog, this.#readers, () => this.minutesCutOff),
      'export.compat.v1': new EmbeddedTraceExporter(embeddedCompatModel, this.#readers),
      'export.native.v1': new EmbeddedTraceExporter(embeddedNativeModel, this.#readers),
      'export.otlp.v1': new EmbeddedTraceExporter(embeddedOtlpModel, this.#readers),
    };
  }

  /** What is wrong at present. An earlier problem with writing is looked into again, for as long as `signal` allows. */
  async health(signal: AbortSignal): Promise<Health> {
    if (!this.#readers.isRunning)
      return {status: 'failed', message: 'the reading threads have died and are started again'};
    if (this.#writer.problem !== undefined) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIME)]);
      await Promise.race([this.#writer.probe(), once(limit, 'abort')]);
    }
    const {problem} = this.#writer;
    const problems = [
      ...(problem === undefined ? [] : [`writing fails, what is stored can be read: ${problem}`]),
      ...this.#losses,
      ...(this.#clock.doubt === undefined ? [] : [this.#clock.doubt]),
    ];
    return problems.length === 0 ? HEALTHY : {status: 'degraded', message: problems.join('; ')};
  }

  /** Compacts and removes everything that is due, and reads what the head has room for. */
  async settle(): Promise<void> {
    await this.#written();
    await this.#maintain(true);
    await this.#filler.settled();
    await this.#integrity.ended();
  }

  async handOver(prepared: PreparedBatch): Promise<void> {
    await prepared.forEachPart(part => this.#writer.prepare(prepared.number, part));
  }

  async store(prepared: PreparedBatch): Promise<SampleColumns> {
    const reply = await this.#writer.write(prepared.message);
    this.#options.instruments.commitSeconds.observe(reply.seconds);
    return reply;
  }

  dropped(samples: number): void {
    this.#options.instruments.droppedSamples.add(samples);
    this.#dropped += samples;
  }

  /** Whether the time matters for what is kept. */
  get #expires(): boolean {
    return Object.keys(this.#options.retention).length > 0;
  }

  missed(): void {
    void this.#filler.refill();
  }

  async stop(): Promise<void> {
    clearInterval(this.#tick);
    this.#integrity.stop();
    await this.#written();
    await this.#filler.stop();
    this.#serving.close();
    await this.#readers.stop();
    await this.#writer.stop();
    this.#removalLog.tell();
  }

  #found({text, isLoss}: Finding): void {
    const {log, path} = this.#options;
    if (!isLoss) {
      log.warn('the folder of the embedded storage is not as it was left', {path, found: text});
      return;
    }
    log.error('data of the embedded storage is lost or damaged', {path, found: text});
    this.#losses.push(text);
  }

  async #keep(columns: KeptColumns): Promise<void> {
    const cutOffs = await this.#writer.keep(columns);
    this.minutesCutOff = cutOffs.minutes;
    this.#head.expire(cutOffs);
    this.#head.forget(cutOffs.minutes);
    this.#filler.start();
  }

  async #storeTraces(batch: TraceBatch): Promise<void> {
    const {instruments} = this.#options;
    const {seconds, late} = await this.#writer.writeTraces(batch);
    instruments.commitSeconds.observe(seconds);
    instruments.droppedSpans.add(late);
    this.#droppedSpans += late;
  }

  async #written(): Promise<void> {
    const writers = [this.#metricWriter, this.#spanWriter, this.#segmentWriter, this.#otlpWriter];
    await Promise.all(writers.map(writer => writer.settled()));
  }

  /** The head begins anew from the disk: a writing thread that died may have stored what nobody was told of. */
  #resync(): void {
    let newest = Number.NEGATIVE_INFINITY;
    for (const metric of this.#catalog.metrics.all()) newest = Math.max(newest, metric.newestHour ?? newest);
    this.#head.reset(newest + 1);
    this.#filler.start();
  }

  #believed(): ClockState {
    if (!this.#expires) return {time: this.#options.time.wall(), ahead: 0};
    this.#clock.now();
    return this.#clock.state;
  }

  async #maintain(wait: boolean): Promise<void> {
    const {instruments, time, log} = this.#options;
    instruments.headBytes.set(this.#head.bytes);
    instruments.queuedSamples.set(this.#metricWriter.queued);
    const traceWriters = [this.#spanWriter, this.#segmentWriter, this.#otlpWriter];
    instruments.queuedFragments.set(traceWriters.reduce((sum, {queued}) => sum + queued, 0));
    if (this.#dropped > 0) {
      log.warn('dropped samples that are older than the retention of minutes', {samples: this.#dropped});
      this.#dropped = 0;
    }
    if (this.#droppedSpans > 0) {
      log.warn('dropped spans that are older than the retention of traces', {spans: this.#droppedSpans});
      this.#droppedSpans = 0;
    }
    try {
      const report = await this.#writer.maintain({now: time.wall(), believed: this.#believed(), wait});
      instruments.fileBytes.set(report.fileBytes);
      instruments.freeBytes.set(report.freeBytes);
      instruments.diskBytes.set(report.disk.bytes);
      instruments.diskFreeBytes.set(report.disk.free);
      instruments.compactionLag.set(report.compactionLag / 1000);
      instruments.compactionSeconds.add(report.compactionTime / 1000);
      instruments.compactions.add(report.compactedHours);
      instruments.mergeSeconds.add(report.traceTimes.merge / 1000);
      instruments.packSeconds.add(report.traceTimes.pack / 1000);
      this.#removalLog.take(report.removed, wait);
      this.minutesCutOff = report.cutOffs.minutes;
      this.#head.expire(report.cutOffs);
      if (report.problem !== undefined) log.warn('compacting or removing old data failed', {problem: report.problem});
    } catch (error) {
      log.warn('maintenance of the database failed', {err: error});
    }
  }
}

/** Milliseconds; undefined when nothing is stored. */
function newestOf({newestHours}: Opened): number | undefined {
  return newestHours.size === 0
    ? undefined
    : (Math.max(...newestHours.values()) + 1) * MINUTES_PER_HOUR * MS_PER_MINUTE;
}
