import {setMaxListeners} from 'node:events';
import type {ExecutionContext} from 'ava';
import type {
  Call,
  CompatTraceReader,
  LogFields,
  MetadataReader,
  Meter,
  MetricDefinition,
  MetricReader,
  NativeTraceReader,
  Readers,
} from '../../../../core/api/adapter.js';
import {Problems} from '../../../../core/config/config-error.js';
import {validate} from '../../../../core/config/validate.js';
import {type BanyanDBConfig, configSchema} from '../../../../storage-adapters/banyandb/config.js';
import {BanyanDBStorage} from '../../../../storage-adapters/banyandb/storage.js';
import {FakeBanyanDB, type FakeOptions} from '../../../fixtures/banyandb/fake.js';
import {Seeder, type SeederOptions} from '../../../fixtures/banyandb/seed/seeder.js';

const quiet = {add() {}, set() {}, observe() {}};
const meter: Meter = {
  counter: () => ({with: () => quiet}),
  gauge: () => ({with: () => quiet}),
  histogram: () => ({with: () => quiet}),
};

export function callWith(signal: AbortSignal): Call {
  return {signal, log: {debug() {}, info() {}, warn() {}, error() {}}};
}

const {signal: never} = new AbortController();
setMaxListeners(0, never);
export const call = callWith(never);

/** An adapter over a fake, with what it has logged as warnings. */
export class Opened {
  readonly storage: BanyanDBStorage;
  readonly warnings: {readonly message: string; readonly fields: LogFields}[] = [];
  #readers: Readers = {};

  /** `config` as an operator writes it. */
  constructor(config: Partial<BanyanDBConfig>) {
    const problems = new Problems();
    const settled = validate(configSchema, config, 'config', {environment: {}, folder: '.', problems});
    problems.throwIfAny();
    const note = (message: string, fields: LogFields = {}) => void this.warnings.push({message, fields});
    const log = {debug() {}, info() {}, warn: note, error: note};
    this.storage = new BanyanDBStorage({config: settled as BanyanDBConfig, log, meter});
  }

  async start(): Promise<this> {
    this.#readers = await this.storage.start(call.signal);
    return this;
  }

  get capabilities(): readonly string[] {
    return Object.keys(this.#readers).sort();
  }

  get metrics(): MetricReader {
    return supplied(this.#readers['metrics.query.v1']);
  }

  get metadata(): MetadataReader {
    return supplied(this.#readers['metadata.query.v1']);
  }

  get compat(): CompatTraceReader {
    return supplied(this.#readers['traces.compat.v1']);
  }

  get native(): NativeTraceReader {
    return supplied(this.#readers['traces.native.v2']);
  }

  async metric(name: string): Promise<MetricDefinition> {
    const found = (await this.metrics.catalog(call)).find(metric => metric.name === name);
    if (found === undefined) throw new Error(`the catalog lacks '${name}'`);
    return found;
  }
}

function supplied<Reader>(reader: Reader | undefined): Reader {
  if (reader === undefined) throw new Error('the adapter does not supply this reader');
  return reader;
}

export interface SceneOptions {
  readonly fake?: FakeOptions;
  readonly seed?: SeederOptions;
  readonly config?: Partial<BanyanDBConfig>;
  /** Stored before the adapter starts. */
  readonly data?: (seeder: Seeder) => Promise<void>;
}

export interface Scene {
  readonly fake: FakeBanyanDB;
  readonly seeder: Seeder;
  readonly adapter: Opened;
}

/** A fake with the layout of a deployment in it, and an adapter that has started on it; both end with the test. */
export async function openScene(t: ExecutionContext, options: SceneOptions = {}): Promise<Scene> {
  const fake = await FakeBanyanDB.start(options.fake);
  t.teardown(() => fake.stop());
  const release = options.fake?.release;
  const seeder = await Seeder.open(fake.local, {...(release === undefined ? {} : {release}), ...options.seed});
  await options.data?.(seeder);
  const adapter = new Opened({endpoints: fake.endpoints, ...options.config});
  t.teardown(() => adapter.storage.stop());
  await adapter.start();
  fake.requests.reset();
  return {fake, seeder, adapter};
}
