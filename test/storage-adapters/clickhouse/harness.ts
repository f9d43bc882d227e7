import {randomBytes} from 'node:crypto';
import type {TestFn} from 'ava';
import type {Call, CapabilityName, LogFields, Meter, MetricDefinition, Readers} from '../../../core/api/adapter.js';
import type {ClickHouseConfig} from '../../../storage-adapters/clickhouse/config.js';
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

/** What the tests of a file share: it ends after the last of them, the newest first. */
export function shared(test: TestFn): Owner {
  const ends: (() => unknown)[] = [];
  test.after.always('what the tests share is ended', async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return {teardown: end => void ends.push(end)};
}

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

  constructor({clock, ...config}: HarnessOptions) {
    this.database = config.database ?? newDatabase();
    const note = (message: string, fields?: LogFields) => void this.warnings.push({message, fields});
    const log = {debug() {}, info() {}, warn: note, error: note};
    const complete: ClickHouseConfig = {
      createSchema: true,
      queryTimeout: 60_000,
      connections: 16,
      insertQuorum: 0,
      ...config,
      database: this.database,
    };
    this.storage = new ClickHouseStorage({config: complete, log, meter}, clock);
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
