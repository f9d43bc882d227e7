import {resolve} from 'node:path';
import {
  type CapabilityName,
  type CompatSpanWriter,
  type CompatTraceReader,
  GatewayError,
  type HistoryWriter,
  type MetadataReader,
  type MetricDefinition,
  type MetricExporter,
  type MetricReader,
  type MetricWriter,
  type NativeTraceReader,
  type OtlpSpanWriter,
  type OtlpTraceReader,
  type Readers,
  type SegmentWriter,
  type StorageAdapter,
  type TopologyReader,
} from '../../core/api/adapter.js';
import {Problems} from '../../core/config/config-error.js';
import {validate} from '../../core/config/validate.js';
import {call, silentLog, silentMeter} from './call.js';
import {History} from './explain/history.js';
import type {AdapterUnderTest, DataSet, Store} from './options.js';
import {representable} from './representable.js';

/** The adapter on one store: its instance and readers, and new instances of it. */
export class Subject {
  readonly options: AdapterUnderTest;
  readonly name: string;
  readonly store: Store;
  /** What the group stores before its first test, as the storage can hold it. */
  readonly data: DataSet;
  readonly history = new History();
  /** Every instance that was created. */
  readonly #instances: StorageAdapter[] = [];
  #readers: Readers = {};

  constructor(options: AdapterUnderTest, name: string, store: Store, data: DataSet) {
    this.options = options;
    this.data = representable(data, options.unsupported);
    this.name = name;
    this.store = store;
  }

  /** `config` as the host gives it to `create`: validated, completed and frozen. Throws what is wrong with it. */
  settledConfig(config: unknown = this.store.config): unknown {
    const problems = new Problems();
    const context = {environment: {}, folder: resolve('.'), problems};
    const settled = validate(this.options.adapter.configSchema, config, 'config', context);
    problems.throwIfAny();
    return settled;
  }

  /** A new instance, not started. Stopped with the others. */
  create(): StorageAdapter {
    const context = {config: this.settledConfig(), log: silentLog, meter: silentMeter};
    const instance = this.options.adapter.create(context);
    this.#instances.push(instance);
    return instance;
  }

  /** Starts a new instance, whose readers are then those of the subject. */
  async start(): Promise<void> {
    this.#readers = this.history.watch(await this.create().start(call.signal));
  }

  /** What a restart of the gateway does: the instance stops, and another one starts on the same store. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
    this.history.noteRestart();
  }

  async stop(): Promise<void> {
    this.#readers = {};
    for (const instance of this.#instances.splice(0)) await instance.stop();
  }

  /** Whether the adapter is expected to take this kind of data itself. */
  writes(capability: CapabilityName): boolean {
    return this.options.expects.includes(capability);
  }

  /** Stores through `seed` what has no writer. */
  async seed({metrics, spans, segments, otlpSpans}: DataSet): Promise<void> {
    const rest: DataSet = {
      ...(metrics && !this.writes('ingest.metrics.v1') && {metrics}),
      ...(spans && !this.writes('ingest.compat.v1') && {spans}),
      ...(segments && !this.writes('ingest.native.v1') && {segments}),
      ...(otlpSpans && !this.writes('ingest.otlp.v1') && {otlpSpans}),
    };
    const {seed} = this.options;
    if (seed === undefined && Object.keys(rest).length > 0) {
      const what = Object.keys(rest).join(' and ');
      throw new Error(`the adapter is not expected to write ${what}: give testAdapter the function seed, which does`);
    }
    this.history.noteWritten(rest);
    await seed?.(rest, {config: this.store.config, name: this.name});
  }

  /** Stores through the writers what they take. */
  async write({metrics = [], spans = [], segments = [], otlpSpans = []}: DataSet): Promise<void> {
    if (this.writes('ingest.metrics.v1')) for (const batch of metrics) await this.metricWriter.write(batch, call);
    if (this.writes('ingest.compat.v1')) for (const batch of spans) await this.spanWriter.write(batch, call);
    if (this.writes('ingest.native.v1')) for (const batch of segments) await this.segmentWriter.write(batch, call);
    if (this.writes('ingest.otlp.v1')) for (const batch of otlpSpans) await this.otlpWriter.write(batch, call);
  }

  /** A metric as the catalog has it, because that is what plugins pass on. */
  async metric(name: string): Promise<MetricDefinition> {
    const found = (await this.metrics.catalog(call)).find(metric => metric.name === name);
    if (found === undefined) throw new Error(`the catalog lacks the metric "${name}", which was declared`);
    return found;
  }

  get readers(): Readers {
    return this.#readers;
  }

  get metrics(): MetricReader {
    return this.#reader('metrics.query.v1');
  }

  get metadata(): MetadataReader {
    return this.#reader('metadata.query.v1');
  }

  get topology(): TopologyReader {
    return this.#reader('topology.query.v1');
  }

  get metricExport(): MetricExporter {
    return this.#reader('export.metrics.v1');
  }

  get historyWriter(): HistoryWriter {
    return this.#reader('ingest.history.v1');
  }

  get compat(): CompatTraceReader {
    return this.#reader('traces.compat.v1');
  }

  get native(): NativeTraceReader {
    return this.#reader('traces.native.v2');
  }

  get otlp(): OtlpTraceReader {
    return this.#reader('traces.otlp.v1');
  }

  get metricWriter(): MetricWriter {
    return this.#reader('ingest.metrics.v1');
  }

  get spanWriter(): CompatSpanWriter {
    return this.#reader('ingest.compat.v1');
  }

  get segmentWriter(): SegmentWriter {
    return this.#reader('ingest.native.v1');
  }

  get otlpWriter(): OtlpSpanWriter {
    return this.#reader('ingest.otlp.v1');
  }

  #reader<Name extends CapabilityName>(name: Name): NonNullable<Readers[Name]> {
    const reader = this.#readers[name];
    if (reader === undefined) {
      throw new GatewayError('unsupported_backend', `start() has not supplied ${name}, which is expected`);
    }
    return reader;
  }
}
