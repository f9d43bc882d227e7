import {setMaxListeners} from 'node:events';
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
  ValueLabels,
} from '../../../core/api/adapter.js';
import type {PostgresConfig} from '../../../storage-adapters/postgres/config.js';
import {PostgresStorage} from '../../../storage-adapters/postgres/storage.js';
import type {PostgresServer} from '../../support/servers/postgres.js';

export interface Sample {
  readonly metric: string;
  readonly entity: Entity;
  readonly labels?: ValueLabels;
  /** Unix seconds. */
  readonly time: number;
  readonly value: number;
}

export interface Parts {
  readonly metrics?: readonly MetricDefinition[];
  readonly sightings?: MetricBatch['sightings'];
  readonly samples?: readonly Sample[];
  readonly records?: MetricBatch['records'];
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

const {signal} = new AbortController();
// Tests that run at once wait for it at once.
setMaxListeners(0, signal);
export const call = callWith(signal);

/** An adapter with its readers. */
export class Harness {
  readonly storage: PostgresStorage;
  readonly warnings: {readonly message: string; readonly fields: LogFields}[] = [];
  #readers: Awaited<ReturnType<PostgresStorage['start']>> = {};

  constructor(config: Partial<PostgresConfig> & {readonly url: string}, clock?: () => number) {
    const note = (message: string, fields: LogFields = {}) => void this.warnings.push({message, fields});
    const log = {debug() {}, info() {}, warn: note, error: note};
    const complete: PostgresConfig = {
      schema: 'query_gateway',
      createSchema: true,
      connections: 4,
      connectTimeout: 5000,
      writeTimeout: 60_000,
      ...config,
    };
    this.storage = new PostgresStorage({config: complete, log, meter}, clock);
  }

  /** An adapter on a new database of the server, stopped at the end of the test. */
  static async open(
    t: {teardown(end: () => Promise<void>): void},
    server: PostgresServer,
    config: Partial<PostgresConfig> = {},
    clock?: () => number,
  ): Promise<Harness> {
    const url = config.url ?? server.url(await server.database());
    const harness = new Harness({...config, url}, clock);
    t.teardown(() => harness.storage.stop());
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

  get readers() {
    return this.#readers;
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

  get spans(): CompatSpanWriter {
    return required(this.#readers['ingest.compat.v1']);
  }

  async write(parts: Parts): Promise<void> {
    await this.writer.write(batchOf(parts), call);
  }
}

export function batchOf({metrics = [], sightings = [], samples = [], records = []}: Parts): MetricBatch {
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
