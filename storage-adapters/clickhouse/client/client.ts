import {randomBytes} from 'node:crypto';
import {setMaxListeners} from 'node:events';
import {performance} from 'node:perf_hooks';
import type {Readable} from 'node:stream';
import {promisify} from 'node:util';
import {createGunzip, gzip} from 'node:zlib';
import {GatewayError, type Logger, type Meter} from '../../../core/api/adapter.js';
import type {TlsFailureTerms} from '../../../core/toolkit/tls/tls-failure.js';
import {tlsOptionTerms} from '../../../core/toolkit/tls/tls-option.js';
import type {ClickHouseConfig} from '../config.js';
import type {ClickHouseInstruments} from '../instruments.js';
import {connectionMistake} from './connection-mistake.js';
import {ClickHouseConnector} from './connector.js';
import {type ClickHouseEndpoint, ClickHouseEndpoints} from './endpoints.js';
import type {Quorum, Send} from './quorum.js';
import {type RowColumns, RowReader} from './row-reader.js';
import {isUnavailable, ServerError} from './server-error.js';
import {type Sql, sql} from './sql.js';
import type {Settings, Statement} from './statement.js';

/** A smaller body is sent as it is. */
const COMPRESS_FROM = 16_384;
/** How much longer than the server's own limit an answer is waited for. */
const ANSWER_MARGIN = 10_000;
const ERROR_TEXT_LIMIT = 65_536;
/** Names of codings have no case, and a proxy on the way may write them as it likes. */
const GZIP = /^\s*(x-)?gzip\s*$/i;

const compress = promisify(gzip);

/** Sends statements, to the first endpoint that answers; a failed read or insert is tried again where that is safe. */
export class ClickHouseClient {
  readonly endpoints: ClickHouseEndpoints;
  readonly #config: ClickHouseConfig;
  readonly #log: Logger;
  readonly #instruments: ClickHouseInstruments;
  readonly #connector: ClickHouseConnector;
  readonly #tls: TlsFailureTerms;
  readonly #name = `gateway-${randomBytes(8).toString('hex')}`;
  /** Settings that go with every statement. The server refuses those it does not know, so they come from the probe. */
  settings: Settings = {};
  /** Undefined while the server is probed, because it refuses every statement for a database that it does not have. */
  database: string | undefined;
  /** How many replicas must have a write; undefined where there is one. */
  quorum: Quorum | undefined;
  #number = 0;

  /** Throws when files of the option `tls` cannot be used. Connects to nothing yet. */
  constructor(config: ClickHouseConfig, log: Logger, meter: Meter, instruments: ClickHouseInstruments) {
    const {urls, connections, queryTimeout, tls} = config;
    this.#config = config;
    this.#log = log;
    this.#instruments = instruments;
    this.#connector = new ClickHouseConnector(tls, log, meter);
    this.#tls = tlsOptionTerms(tls);
    const {connect} = this.#connector;
    this.endpoints = new ClickHouseEndpoints(urls, connect, connections, queryTimeout + ANSWER_MARGIN, log);
  }

  /** The rows of a SELECT whose first column is `toUInt8(1)`; `decode` reads the others. */
  async rows<T>(statement: Sql, decode: (row: RowColumns) => T, signal?: AbortSignal): Promise<T[]> {
    return this.#rows(statement, decode, signal, this.database);
  }

  /** As `rows`, for questions about health: also while every other connection is busy. */
  async probe<T>(statement: Sql, decode: (row: RowColumns) => T, signal: AbortSignal): Promise<T[]> {
    return this.#rows(statement, decode, signal, this.database, true);
  }

  /** The same of tables of the database `system`, which must be named: the one of the gateway need not be there. */
  async systemRows<T>(statement: Sql, decode: (row: RowColumns) => T, signal?: AbortSignal): Promise<T[]> {
    return this.#rows(statement, decode, signal, undefined);
  }

  async #rows<T>(
    statement: Sql,
    decode: (row: RowColumns) => T,
    signal: AbortSignal | undefined,
    database: string | undefined,
    isProbe = false,
  ): Promise<T[]> {
    const text = `${statement.text} FORMAT RowBinary`;
    return this.#run({text, settings: {}, signal, database, isProbe}, 'read', async body => {
      const rows: T[] = [];
      const reader = new RowReader(decode);
      for await (const chunk of body) reader.push(chunk as Buffer, rows);
      const failure = reader.end(rows);
      if (failure !== undefined) throw new ServerError(failure);
      return rows;
    });
  }

  /** A statement that defines or alters something, in whichever database it names. */
  async execute(statement: Sql, options: {settings?: Settings; signal?: AbortSignal} = {}): Promise<void> {
    const {settings = {}, signal} = options;
    await this.#execute({text: statement.text, settings, signal, database: undefined});
  }

  /** Stores rows in the format RowBinary. Storing them twice must be harmless, because a broken connection does that. */
  async insert(into: Sql, rows: Buffer): Promise<void> {
    const text = `INSERT INTO ${into.text} FORMAT RowBinary`;
    await this.#store(settings =>
      this.#run({text, body: rows, settings, database: this.database}, 'insert', async body => {
        const answer = await textOf(body);
        if (answer !== '') throw new ServerError(answer);
      }),
    );
  }

  async #store(send: Send): Promise<void> {
    if (this.quorum === undefined) await send({});
    else await this.quorum.store(send);
  }

  async #execute(statement: Statement): Promise<void> {
    await this.#run(statement, 'execute', async body => {
      const text = await textOf(body);
      if (/^Code: \d+/.test(text)) throw new ServerError(text);
    });
  }

  async close(): Promise<void> {
    this.#connector.close();
    await this.endpoints.close();
  }

  async #run<T>(
    statement: Statement,
    kind: 'read' | 'insert' | 'execute',
    take: (body: Readable) => Promise<T>,
  ): Promise<T> {
    const {signal} = statement;
    const begun = performance.now();
    const tried = new Set<ClickHouseEndpoint>();
    // A connection that the server has closed meanwhile fails at first use: so even a single endpoint is asked twice.
    for (let left = Math.max(2, this.endpoints.all.length); ; left--) {
      signal?.throwIfAborted();
      const endpoint = this.endpoints.pick(tried);
      try {
        const result = await this.#send(endpoint, statement, take);
        this.endpoints.answered(endpoint);
        this.#instruments.statementSeconds.with({kind}).observe((performance.now() - begun) / 1000);
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        const failure = errorAt(endpoint, error, this.#tls);
        this.#instruments.statementErrors.with({kind}).add();
        if (!isUnavailable(failure) && connectionMistake(error, this.#tls) === undefined) throw failure;
        if (!(error instanceof ServerError)) this.endpoints.failed(endpoint, failure.message);
        if (left === 1) throw failure;
        tried.add(endpoint);
      }
    }
  }

  async #send<T>(endpoint: ClickHouseEndpoint, statement: Statement, take: (body: Readable) => Promise<T>): Promise<T> {
    const {text, body, settings, signal, database, isProbe = false} = statement;
    const id = `${this.#name}-${++this.#number}`;
    const {queryTimeout, compression = !endpoint.isLocal} = this.#config;
    const query = new URLSearchParams({query_id: id, max_execution_time: String(Math.ceil(queryTimeout / 1000))});
    if (database !== undefined) query.set('database', database);
    for (const [name, value] of Object.entries({...this.settings, ...settings})) query.set(name, String(value));
    const headers = this.#identity();
    if (compression) {
      query.set('enable_http_compression', '1');
      headers['accept-encoding'] = 'gzip';
    }
    let sent: Buffer | string = text;
    if (body !== undefined) {
      query.set('query', text);
      sent = body;
      if (compression && body.length >= COMPRESS_FROM) {
        sent = await compress(body, {level: 1});
        headers['content-encoding'] = 'gzip';
      }
    }
    let finished = false;
    const abandon = () => {
      if (!finished) this.#kill(endpoint, id);
    };
    if (signal !== undefined) {
      // One request of a client may make many statements at once.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', abandon, {once: true});
    }
    try {
      const pool = isProbe ? endpoint.probes : endpoint.pool;
      const answer = await pool.request({
        path: `/?${query}`,
        method: 'POST',
        headers,
        body: sent,
        ...(signal === undefined ? {} : {signal}),
      });
      const isZipped = GZIP.test(String(answer.headers['content-encoding']));
      const content = isZipped ? unzipped(answer.body as Readable) : (answer.body as Readable);
      if (answer.statusCode !== 200) throw new ServerError(await textOf(content));
      return await take(content);
    } finally {
      finished = true;
      signal?.removeEventListener('abort', abandon);
    }
  }

  /** The server takes headers as UTF-8, of which HTTP sees single bytes. */
  #identity(): Record<string, string> {
    const {username, password} = this.#config;
    const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
    return {
      ...(username === undefined ? {} : {'x-clickhouse-user': bytes(username)}),
      ...(password === undefined ? {} : {'x-clickhouse-key': bytes(password)}),
    };
  }

  /** The caller has gone. The server would go on to the end otherwise; nobody waits for this. */
  #kill(endpoint: ClickHouseEndpoint, id: string): void {
    const {text} = sql`KILL QUERY WHERE query_id = ${id} ASYNC`;
    endpoint.pool
      .request({path: '/', method: 'POST', headers: this.#identity(), body: text})
      .then(async ({statusCode, body}) => {
        const answer = await body.text();
        if (statusCode !== 200) throw new ServerError(answer);
      })
      .catch(error => this.#log.debug('a statement could not be stopped', {id, err: error}));
  }
}

function unzipped(body: Readable): Readable {
  const plain = createGunzip();
  body.on('error', error => plain.destroy(error));
  return body.pipe(plain);
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size <= ERROR_TEXT_LIMIT) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function errorAt({url}: ClickHouseEndpoint, error: unknown, tls: TlsFailureTerms): GatewayError {
  if (GatewayError.is(error)) return error;
  if (error instanceof ServerError) return error.toGatewayError(url);
  const {code, message} = error as {code?: string; message: string};
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new GatewayError('timeout', `ClickHouse at ${url} did not answer in time`, {cause: error});
  }
  if (error instanceof RangeError || error instanceof TypeError) {
    if (code === undefined && !/fetch|terminated/.test(message)) return GatewayError.from(error);
  }
  const mistake = connectionMistake(error, tls);
  if (mistake !== undefined) {
    return new GatewayError('storage_failed', `ClickHouse at ${url} cannot be reached: ${mistake}`, {cause: error});
  }
  const reason = [code, message].filter(part => part !== undefined && part !== '').join(': ');
  return new GatewayError('storage_unavailable', `ClickHouse at ${url} cannot be reached (${reason})`, {
    cause: error,
  });
}
