import {setTimeout as sleep} from 'node:timers/promises';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import {GatewayError, type Logger, type Meter} from '../../../core/api/adapter.js';
import {MS_PER_MINUTE, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {unlessAborted} from '../../../core/toolkit/unless-aborted.js';
import type {PostgresConfig} from '../config.js';
import {type PoolName, PostgresPools, type Session} from './pools.js';
import {isCollision, isConnectionLost, storageError} from './storage-error.js';

/** A row by position. */
export type ResultRow = readonly unknown[];

/** Runs statements inside one transaction. */
export interface Transaction {
  query<R extends ResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** A connection in use for one statement. */
interface Lease {
  readonly session: Session;
  /** Ends what is left open when the statement has not failed. */
  readonly quiet?: () => Promise<void>;
  /** A statement that fails leaves the session in a state in which it is no good for others. */
  readonly isInTransaction?: boolean;
  /** The connection has been, or will be, given back. */
  returned?: boolean;
}

interface Stream<R extends ResultRow> {
  readonly session: Session;
  readonly cursor: Cursor<R>;
  readonly lease: Lease;
}

/** For what is done rarely, and may have to go through much. */
export const MAINTENANCE = {timeout: 10 * MS_PER_MINUTE};

const COLLISION_RETRIES = 5;
/** How long a cancelled statement may take to end before its connection is closed. */
const CANCEL_PATIENCE = 5 * MS_PER_SECOND;

/** Statements to one database: cancellable reads, streams of rows, and transactions. Everything rejects in our own terms. */
export class PostgresDatabase {
  readonly #pools: PostgresPools;
  readonly #writeTimeout: number;
  /** When the server last carried out a statement; milliseconds of the monotonic clock. */
  answeredAt = Number.NEGATIVE_INFINITY;

  /** Throws as the pools do. Connects to nothing yet. */
  constructor(config: PostgresConfig, log: Logger, meter: Meter) {
    this.#pools = new PostgresPools(config, log, meter);
    this.#writeTimeout = config.writeTimeout;
  }

  get server(): string {
    return this.#pools.site.server;
  }

  /** All rows of a statement. When `signal` aborts, it rejects with its reason at once, and the server stops working. */
  async query<R extends ResultRow>(text: string, values: readonly unknown[], signal: AbortSignal): Promise<R[]> {
    return this.#once('queries', text, values, signal);
  }

  /** As `query`, on a connection that is free when all the others are busy. */
  async supervise<R extends ResultRow>(text: string, values: readonly unknown[], signal: AbortSignal): Promise<R[]> {
    return this.#once('supervision', text, values, signal);
  }

  /** Some statements that all see the same state of the database. */
  async snapshot<T>(signal: AbortSignal, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#retried('queries', signal, async session => {
      const lease: Lease = {session, isInTransaction: true};
      const query = <R extends ResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
        this.#attended(lease, rowsOf<R>(session.client, text, values), signal);
      try {
        await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const result = await work({query});
        await query('COMMIT');
        session.release();
        return result;
      } catch (error) {
        if (!lease.returned) session.release(true);
        throw error;
      }
    });
  }

  /**
   * The rows of a statement, some at a time, all of one snapshot. The statement ends when the consumer stops; when
   * `signal` aborts it is cancelled at the server.
   */
  async *pages<R extends ResultRow>(
    text: string,
    values: readonly unknown[],
    size: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly R[]> {
    const open = (session: Session): Stream<R> => {
      const cursor = session.client.query(new Cursor<R>(text, [...values], {rowMode: 'array'}));
      return {session, cursor, lease: {session, quiet: () => cursor.close()}};
    };
    const {stream, first} = await this.#retried('queries', signal, async session => {
      const stream = open(session);
      return {stream, first: await this.#attended(stream.lease, stream.cursor.read(size), signal)};
    });
    const {cursor, lease} = stream;
    try {
      let rows = first;
      while (rows.length > 0) {
        yield rows;
        if (rows.length < size) break;
        rows = await this.#attended(lease, cursor.read(size), signal);
      }
    } catch (error) {
      throw this.#explained(error, signal);
    } finally {
      if (!lease.returned) {
        const closed = await cursor.close().then(
          () => true,
          () => false,
        );
        stream.session.release(!closed);
      }
    }
  }

  /**
   * Runs `work` in one transaction and commits it. What loses against another transaction, or its connection before the
   * end, is done anew: work must give the same result when it is done twice.
   */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    {timeout = this.#writeTimeout}: {readonly timeout?: number} = {},
  ): Promise<T> {
    let lost = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work, timeout);
      } catch (error) {
        const again = isCollision(error) ? attempt <= COLLISION_RETRIES : isConnectionLost(error) && ++lost === 1;
        if (!again) throw storageError(error, this.#pools.site);
        if (isCollision(error)) await sleep(Math.random() * 20 * attempt);
      }
    }
  }

  async close(): Promise<void> {
    await this.#pools.close();
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>, timeout: number): Promise<T> {
    const session = await this.#pools.acquire('writers');
    const {client} = session;
    const late = new GatewayError(
      'timeout',
      `PostgreSQL at ${this.server} has not ended a transaction within ${timeout / MS_PER_SECOND} s (storage.config.writeTimeout); it may be committed or not, doing it again is safe`,
    );
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, timeout, late);
    });
    const run = async (): Promise<T> => {
      // Whatever the server's default is: what comes after a lock must see what its holder has committed.
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      if (timeout !== this.#writeTimeout) await client.query(`SET LOCAL statement_timeout = ${timeout}`);
      const result = await work({query: (text, values = []) => rowsOf(client, text, values)});
      await client.query('COMMIT');
      return result;
    };
    try {
      const result = await Promise.race([run(), deadline]);
      this.answeredAt = performance.now();
      session.release();
      return result;
    } catch (error) {
      if (error === late || isConnectionLost(error)) session.release(true);
      else
        await Promise.race([client.query('ROLLBACK'), deadline]).then(
          () => session.release(),
          () => session.release(true),
        );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #once<R extends ResultRow>(
    pool: PoolName,
    text: string,
    values: readonly unknown[],
    signal: AbortSignal,
  ): Promise<R[]> {
    return this.#retried(pool, signal, async session => {
      const rows = await this.#attended({session}, rowsOf<R>(session.client, text, values), signal);
      session.release();
      return rows;
    });
  }

  /**
   * Runs `work` on a connection, a second time when the first turns out to be broken: the server may have been started
   * anew since it was used last.
   */
  async #retried<T>(pool: PoolName, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted();
        try {
          return await work(await this.#acquired(pool, signal));
        } catch (error) {
          if (attempt === 2 || !isConnectionLost(error)) throw error;
        }
      }
    } catch (error) {
      throw this.#explained(error, signal);
    }
  }

  #explained(error: unknown, signal: AbortSignal): unknown {
    return signal.aborted && error === signal.reason ? error : storageError(error, this.#pools.site);
  }

  /** Waits for a connection; one that comes after an abort goes back unused. */
  async #acquired(pool: PoolName, signal: AbortSignal): Promise<Session> {
    const acquiring = this.#pools.acquire(pool);
    const giveBack = (): void => {
      acquiring.then(
        session => session.release(),
        () => undefined,
      );
    };
    return unlessAborted(acquiring, signal, giveBack);
  }

  /** Waits for a running statement. One that fails, or is cancelled because of an abort, gives its connection back. */
  async #attended<T>(lease: Lease, running: Promise<T>, signal: AbortSignal): Promise<T> {
    const cancel = (): void => {
      lease.returned = true;
      void this.#cancel(lease, running);
    };
    try {
      const result = await unlessAborted(running, signal, cancel);
      this.answeredAt = performance.now();
      return result;
    } catch (error) {
      if (!lease.returned) {
        lease.returned = true;
        lease.session.release(lease.isInTransaction || isConnectionLost(error));
      }
      throw error;
    }
  }

  /**
   * The connection stays out of the pool until the request to cancel has been dealt with and the statement has ended,
   * so that it can hit no statement but this one.
   */
  async #cancel({session, quiet, isInTransaction = false}: Lease, running: Promise<unknown>): Promise<void> {
    const ended = running.then(
      () => quiet?.(),
      error => (isConnectionLost(error) ? Promise.reject(error) : undefined),
    );
    const orderly = Promise.all([this.#sendCancel(session.pid), ended]).then(
      ([sent]) => sent,
      () => false,
    );
    const patience = new AbortController();
    const tooLong = sleep(CANCEL_PATIENCE, false, {signal: patience.signal, ref: false}).catch(() => false);
    const isOrderly = await Promise.race([orderly, tooLong]);
    session.release(isInTransaction || !isOrderly);
    patience.abort();
  }

  async #sendCancel(pid: number): Promise<boolean> {
    try {
      const supervisor = await this.#pools.acquire('supervision');
      try {
        await supervisor.client.query('SELECT pg_cancel_backend($1)', [pid]);
        supervisor.release();
        return true;
      } catch (error) {
        supervisor.release(true);
        throw error;
      }
    } catch {
      return false;
    }
  }
}

async function rowsOf<R extends ResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<R[]> {
  return (await client.query<unknown[]>({text, values: [...values], rowMode: 'array'})).rows as unknown as R[];
}
