import pg from 'pg';
import type {Logger, Meter} from '../../../core/api/adapter.js';
import {MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {tlsOptionTerms} from '../../../core/toolkit/tls/tls-option.js';
import type {PostgresConfig} from '../config.js';
import type {PostgresSite} from './storage-error.js';
import {PostgresTls} from './tls.js';
import {addressOf, forDriver, termsOf} from './url.js';

/** One for the transactions of each of the three writers, and one for what is done between them. */
const WRITERS = 4;
/** Cancelling statements and asking for health must go on when every other connection is busy. */
const SUPERVISORS = 1;
const IDLE = MS_PER_MINUTE;

export interface Session {
  readonly client: pg.PoolClient;
  /** The process of the server that serves it. */
  readonly pid: number;
  /** Gives the connection back, or closes it. */
  release(close?: boolean): void;
}

export type PoolName = 'queries' | 'writers' | 'supervision';

/** The connections to one database, in groups that cannot starve each other. */
export class PostgresPools {
  readonly site: PostgresSite;
  readonly #pools: Readonly<Record<PoolName, pg.Pool>>;
  readonly #pids = new WeakMap<object, number>();
  readonly #tls: PostgresTls | undefined;

  /** Throws when the url is no url, or it or the option `tls` names a file that cannot be used. Connects to nothing yet. */
  constructor(config: PostgresConfig, log: Logger, meter: Meter) {
    const {url, tls, schema, connections, connectTimeout, writeTimeout} = config;
    const {host, port, database} = addressOf(url, tls !== undefined);
    this.site = {server: `${host}:${port}/${database}`, tls: tls === undefined ? termsOf(url) : tlsOptionTerms(tls)};
    this.#tls = tls === undefined ? undefined : new PostgresTls(tls, host, log, meter);
    const ssl = this.#tls?.current;
    const pool = (max: number, timeout: number): pg.Pool => {
      const pool = new pg.Pool({
        connectionString: forDriver(url),
        ...(ssl !== undefined && {ssl}),
        application_name: 'query-gateway',
        max,
        connectionTimeoutMillis: connectTimeout,
        idleTimeoutMillis: IDLE,
        keepAlive: true,
        onConnect: client => this.#prepare(client, schema, timeout),
      });
      pool.on('error', error => log.debug('an idle connection to PostgreSQL was lost', {err: error}));
      return pool;
    };
    this.#pools = {
      queries: pool(connections, 0),
      writers: pool(WRITERS, writeTimeout),
      supervision: pool(SUPERVISORS, connectTimeout),
    };
    this.#tls?.onChange(current => {
      for (const {options} of Object.values(this.#pools)) options.ssl = current;
    });
  }

  async acquire(name: PoolName): Promise<Session> {
    const client = await this.#pools[name].connect();
    const pid = this.#pids.get(client) ?? 0;
    return {client, pid, release: (close = false) => client.release(close)};
  }

  async close(): Promise<void> {
    this.#tls?.close();
    await Promise.all(Object.values(this.#pools).map(pool => pool.end()));
  }

  /**
   * What a session needs to be one of ours. Doubles come with all their digits; statements end when the gateway is gone,
   * and a transaction that a gateway has left behind does not hold its locks for ever.
   */
  async #prepare(client: pg.ClientBase, schema: string, timeout: number): Promise<void> {
    // A connection may break while nobody waits for an answer; whoever asks next learns of it.
    client.on('error', () => undefined);
    const {rows} = await client.query<{readonly pid: number}>(
      `SELECT pg_backend_pid() AS pid, set_config('search_path', $1, false), set_config('extra_float_digits', '1', false),
              set_config('client_connection_check_interval', '2s', false),
              set_config('statement_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $2, false)`,
      [`"${schema}", pg_catalog`, String(timeout)],
    );
    this.#pids.set(client, rows[0]?.pid ?? 0);
  }
}
