import type {PostgresConfig} from '../../../storage-adapters/postgres/config.js';
import {PostgresStorage} from '../../../storage-adapters/postgres/storage.js';
import type {ListLimits} from '../../../storage-adapters/postgres/traces/span-lists.js';
import type {Owner} from '../../support/gateway.js';
import type {PostgresServer} from '../../support/servers/postgres.js';
import {StorageHarness} from '../support/storage-harness.js';

/** An adapter with its readers. */
export class Harness extends StorageHarness<PostgresStorage> {
  constructor(
    config: Partial<PostgresConfig> & {readonly url: string},
    clock?: () => number,
    limits?: ListLimits,
    steady?: () => number,
  ) {
    const complete: PostgresConfig = {
      schema: 'query_gateway',
      createSchema: true,
      connections: 4,
      connectTimeout: 5000,
      writeTimeout: 60_000,
      ...config,
    };
    super(context => new PostgresStorage({...context, config: complete}, clock, limits, steady));
  }

  /** An adapter on a new database of the server, stopped at the end of the test. */
  static async open(
    t: Owner,
    server: PostgresServer,
    config: Partial<PostgresConfig> = {},
    clock?: () => number,
    steady?: () => number,
  ): Promise<Harness> {
    const url = config.url ?? server.url(await server.database());
    const harness = new Harness({...config, url}, clock, undefined, steady);
    t.teardown(() => harness.storage.stop());
    await harness.start();
    return harness;
  }
}
