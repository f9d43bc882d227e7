import type {ExecutionContext} from 'ava';
import {Harness as ClickHouse} from '../storage-adapters/clickhouse/harness.js';
import {Harness as Embedded, temporaryFolder} from '../storage-adapters/embedded/harness.js';
import {Harness as Postgres} from '../storage-adapters/postgres/harness.js';
import type {StorageHarness} from '../storage-adapters/support/storage-harness.js';
import {type ClickHouseServer, startClickHouse} from '../support/servers/clickhouse.js';
import {type PostgresServer, startPostgres} from '../support/servers/postgres.js';

/** A storage, and what moves its rows about without changing what they say. */
export interface RankingStorage {
  readonly name: string;
  readonly harness: StorageHarness;
  readonly stir: () => Promise<unknown>;
}

/**
 * Storages on servers that stay, empty again after so many histories: starting the storages, and moving all that they hold
 * about, would otherwise take longer with each history.
 */
export class RankingStorages {
  readonly #t: ExecutionContext;
  readonly #clickHouse: ClickHouseServer;
  readonly #postgres: PostgresServer;
  #open: readonly RankingStorage[] = [];
  #left = 0;

  private constructor(t: ExecutionContext, clickHouse: ClickHouseServer, postgres: PostgresServer) {
    this.#t = t;
    this.#clickHouse = clickHouse;
    this.#postgres = postgres;
  }

  static async start(t: ExecutionContext): Promise<RankingStorages> {
    return new RankingStorages(t, ...(await Promise.all([startClickHouse(t), startPostgres(t)])));
  }

  async for(histories: number): Promise<readonly RankingStorage[]> {
    if (this.#left <= 0) {
      await Promise.all(this.#open.map(({harness}) => harness.storage.stop()));
      this.#open = await Promise.all([this.#embedded(), this.#inClickHouse(), this.#inPostgres()]);
      this.#left = 300;
    }
    this.#left -= histories;
    return this.#open;
  }

  async #embedded(): Promise<RankingStorage> {
    const harness = await Embedded.open({path: await temporaryFolder(this.#t)});
    return {name: 'embedded', harness, stir: () => harness.restart()};
  }

  async #inClickHouse(): Promise<RankingStorage> {
    const harness = await ClickHouse.start(this.#t, {urls: [this.#clickHouse.url]});
    const stir = async () => {
      await this.#clickHouse.query(`OPTIMIZE TABLE ${harness.database}.minutes`);
      await harness.restart();
    };
    return {name: 'clickhouse', harness, stir};
  }

  async #inPostgres(): Promise<RankingStorage> {
    const server = this.#postgres;
    const database = await server.database();
    const harness = await Postgres.open(this.#t, server, {url: server.url(database)});
    const stir = async () => {
      const tables = await server.sql(
        "SELECT relid::regclass::text AS name FROM pg_stat_user_tables WHERE relname LIKE 'hours\\_%'",
        [],
        database,
      );
      for (const {name} of tables)
        await server.sql(`CLUSTER ${name} USING ${String(name).split('.').at(-1)}_pkey`, [], database);
      await harness.restart();
    };
    return {name: 'postgres', harness, stir};
  }
}
