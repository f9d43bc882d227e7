import {randomBytes} from 'node:crypto';
import {ClickHouseClient} from '../../../storage-adapters/clickhouse/client/client.js';
import type {ClickHouseConfig} from '../../../storage-adapters/clickhouse/config.js';
import {ClickHouseInstruments} from '../../../storage-adapters/clickhouse/instruments.js';
import {ClickHouseStorage} from '../../../storage-adapters/clickhouse/storage.js';
import type {Owner} from '../../support/gateway.js';
import {call} from '../support/calls.js';
import {quietMeter, StorageHarness} from '../support/storage-harness.js';

/** A name for a database that no other test has. */
export function newDatabase(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

export interface HarnessOptions extends Partial<ClickHouseConfig> {
  readonly urls: readonly string[];
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly steady?: () => number;
}

/** An adapter with its readers, in a database of its own unless one is named. */
export class Harness extends StorageHarness<ClickHouseStorage> {
  readonly database: string;

  constructor(options: HarnessOptions) {
    const config = completed(options);
    super(context => new ClickHouseStorage({...context, config}, options.clock, options.steady));
    this.database = config.database;
  }

  /** Starts it; it stops with its owner. */
  static async start(owner: Owner, options: HarnessOptions): Promise<Harness> {
    const harness = new Harness(options);
    owner.teardown(() => harness.storage.stop());
    await harness.start();
    return harness;
  }
}

/** A client by itself; closed with its owner. */
export function clientOf(owner: Owner, options: HarnessOptions): ClickHouseClient {
  const client = new ClickHouseClient(completed(options), call.log, quietMeter, new ClickHouseInstruments(quietMeter));
  owner.teardown(() => client.close());
  return client;
}

function completed({
  clock: _clock,
  steady: _steady,
  database = newDatabase(),
  ...config
}: HarnessOptions): ClickHouseConfig {
  return {createSchema: true, queryTimeout: 60_000, connections: 16, ...config, database};
}
