import {randomBytes} from 'node:crypto';
import type {Call, CapabilityName, LogFields, Meter, MetricDefinition, Readers} from '../../../core/api/adapter.js';
import type {ClickHouseConfig} from '../../../storage-adapters/clickhouse/config.js';
import {ClickHouseClient} from '../../../storage-adapters/clickhouse/http/client.js';
import {Instruments} from '../../../storage-adapters/clickhouse/instruments.js';
import {ClickHouseStorage} from '../../../storage-adapters/clickhouse/storage.js';
import type {Owner} from '../../support/gateway.js';
import {batchOf, type Sample} from '../embedded/harness.js';

const quiet = {add() {}, set() {}, observe() {}};
const meter: Meter = {
  counter: () => ({with: () => quiet}),
  gauge: () => ({with: () => quiet}),
  histogram: () => ({with: () => quiet}),
};

export function callWith(signal: AbortSignal): Call {
  return {signal, log: {debug() {}, info() {}, warn() {}, error() {}}};
}

export const call = callWith(new AbortController().signal);

/** A name for a database that no other test has. */
export function newDatabase(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

export interface HarnessOptions extends Partial<ClickHouseConfig> {
  readonly urls: readonly string[];
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** An adapter with its readers, in a database of its own unless one is named. */
export class Harness {
  readonly database: string;
  readonly storage: ClickHouseStorage;
  readonly warnings: {readonly message: string; readonly fields: LogFields | undefined}[] = [];
  readers: Readers = {};

  constructor(options: HarnessOptions) {
    const config = completed(options);
    this.database = config.database;
    const note = (message: string, fields?: LogFields) => void this.warnings.push({message, fields});
    const log = {debug() {}, info() {}, warn: note, error: note};
    this.storage = new ClickHouseStorage({config, log, meter}, options.clock);
  }

  /** Starts it; it stops with its owner. */
  static async start(owner: Owner, options: HarnessOptions): Promise<Harness> {
    const harness = new Harness(options);
    owner.teardown(() => harness.storage.stop());
    await harness.start();
    return harness;
  }

  async start(): Promise<void> {
    this.readers = await this.storage.start(call.signal);
  }

  get<Name extends CapabilityName>(name: Name): NonNullable<Readers[Name]> {
    const reader = this.readers[name];
    if (reader === undefined) throw new Error(`The adapter supplies no ${name}.`);
    return reader;
  }

  async write(batch: {
    readonly metrics?: readonly MetricDefinition[];
    readonly samples?: readonly Sample[];
  }): Promise<void> {
    await this.get('ingest.metrics.v1').write(batchOf(batch), call);
  }
}

/** A client by itself; closed with its owner. */
export function clientOf(owner: Owner, options: HarnessOptions): ClickHouseClient {
  const {log} = call;
  const client = new ClickHouseClient(completed(options), log, new Instruments(meter));
  owner.teardown(() => client.close());
  return client;
}

function completed({clock: _clock, database = newDatabase(), ...config}: HarnessOptions): ClickHouseConfig {
  return {createSchema: true, queryTimeout: 60_000, connections: 16, insertQuorum: 0, ...config, database};
}
