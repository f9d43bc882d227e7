import {setMaxListeners} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {
  Call,
  Column,
  CompatSpanWriter,
  CompatTraceReader,
  Entity,
  LogFields,
  MetadataReader,
  Meter,
  MetricBatch,
  MetricDefinition,
  MetricReader,
  MetricWriter,
  NamePages,
  NativeTraceReader,
  SegmentWriter,
  ValueLabels,
} from '../../../core/api/adapter.js';
import type {EmbeddedConfig} from '../../../storage-adapters/embedded/config.js';
import {EmbeddedStorage, type TestHooks} from '../../../storage-adapters/embedded/storage.js';

export interface Sample {
  readonly metric: string;
  readonly entity: Entity;
  readonly labels?: ValueLabels;
  /** Unix seconds. */
  readonly time: number;
  readonly value: number;
}

const quiet = {add() {}, set() {}, observe() {}};
const meter: Meter = {
  counter: () => ({with: () => quiet}),
  gauge: () => ({with: () => quiet}),
  histogram: () => ({with: () => quiet}),
};

export function callWith(signal: AbortSignal): Call {
  const log = {debug() {}, info() {}, warn() {}, error() {}};
  return {signal, log};
}

/** For any number of calls at once. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

export const call = callWith(sharedController().signal);

/** A folder that goes with the test, after the adapters on it have been stopped. */
export async function temporaryFolder(t: {teardown(end: () => Promise<void>): void}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-embedded-'));
  t.teardown(async () => {
    for (const harness of Harness.all) if (harness.path.startsWith(folder)) await harness.storage.stop();
    await rm(folder, {recursive: true, force: true});
  });
  return folder;
}

/** An adapter on a folder with its readers. */
export class Harness {
  static readonly all = new Set<Harness>();
  readonly path: string;
  readonly storage: EmbeddedStorage;
  readonly warnings: {readonly message: string; readonly fields?: LogFields}[] = [];
  #readers: Awaited<ReturnType<EmbeddedStorage['start']>> = {};

  constructor(config: Partial<EmbeddedConfig> & {readonly path: string}, hooks: TestHooks = {}) {
    this.path = config.path;
    Harness.all.add(this);
    const log = {
      debug() {},
      info() {},
      warn: (message: string, fields?: LogFields) => void this.warnings.push(fields ? {message, fields} : {message}),
      error: (message: string, fields?: LogFields) => void this.warnings.push(fields ? {message, fields} : {message}),
    };
    const complete: EmbeddedConfig = {durability: 'process', memory: 16 * 2 ** 20, ...config};
    this.storage = new EmbeddedStorage({config: complete, log, meter}, hooks);
  }

  static async open(
    config: Partial<EmbeddedConfig> & {readonly path: string},
    hooks: TestHooks = {},
  ): Promise<Harness> {
    const harness = new Harness(config, hooks);
    await harness.start();
    return harness;
  }

  async start(): Promise<void> {
    this.#readers = await this.storage.start(call.signal);
  }

  async restart(): Promise<void> {
    await this.storage.stop();
    await this.start();
  }

  get metrics(): MetricReader {
    return required(this.#readers['metrics.query.v1']);
  }

  get metadata(): MetadataReader {
    return required(this.#readers['metadata.query.v1']);
  }

  get writer(): MetricWriter {
    return required(this.#readers['ingest.metrics.v1']);
  }

  get compat(): CompatTraceReader {
    return required(this.#readers['traces.compat.v1']);
  }

  get native(): NativeTraceReader {
    return required(this.#readers['traces.native.v2']);
  }

  get spans(): CompatSpanWriter {
    return required(this.#readers['ingest.compat.v1']);
  }

  get segments(): SegmentWriter {
    return required(this.#readers['ingest.native.v1']);
  }

  async write(batch: {
    readonly metrics?: readonly MetricDefinition[];
    readonly sightings?: MetricBatch['sightings'];
    readonly samples?: readonly Sample[];
    readonly records?: MetricBatch['records'];
  }): Promise<void> {
    await this.writer.write(batchOf(batch), call);
  }
}

export function batchOf({
  metrics = [],
  sightings = [],
  samples = [],
  records = [],
}: {
  readonly metrics?: readonly MetricDefinition[];
  readonly sightings?: MetricBatch['sightings'];
  readonly samples?: readonly Sample[];
  readonly records?: MetricBatch['records'];
}): MetricBatch {
  return {
    metrics,
    sightings,
    records,
    samples: {
      series: samples.map(({metric, entity, labels = {}}) => ({metric, entity, labels})),
      index: Uint32Array.from(samples, (_, i) => i),
      time: Float64Array.from(samples, ({time}) => time),
      value: Float64Array.from(samples, ({value}) => value),
    },
  };
}

export function metric(name: string, options: Partial<MetricDefinition> = {}): MetricDefinition {
  return {
    name,
    scope: 'Service',
    kind: 'common',
    type: 'gauge',
    help: '',
    unit: '',
    rollup: 'avg',
    valueLabels: [],
    ...options,
  };
}

/** The values of a column with null where there is none. */
export function plain({labels, values, present}: Column): {labels: ValueLabels; values: (number | null)[]} {
  return {labels, values: Array.from(values, (value, i) => (present[i] === 1 ? value : null))};
}

export async function names(pages: NamePages): Promise<string[]> {
  const all: string[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

function required<T>(reader: T | undefined): T {
  if (reader === undefined) throw new Error('The adapter supplies no such reader.');
  return reader;
}
