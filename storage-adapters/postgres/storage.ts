import {
  type AdapterContext,
  GatewayError,
  HEALTHY,
  type Health,
  type Readers,
  type StorageAdapter,
} from '../../core/api/adapter.js';
import {machineTime, type TimeSource} from '../../core/toolkit/retention-clock.js';
import {PostgresDatabase} from './client/database.js';
import type {PostgresConfig} from './config.js';
import {PostgresInstruments} from './instruments.js';
import {PostgresMetadataReader} from './metadata/reader.js';
import {PostgresCatalog} from './metrics/catalog.js';
import {PostgresMetricReader} from './metrics/reader.js';
import {PostgresMetricWriter} from './metrics/writer.js';
import {PostgresRetentionJob} from './retention/job.js';
import {prepareSchema} from './schema/prepare.js';
import {PostgresListJob} from './traces/list-job.js';
import {PostgresTraceReader} from './traces/reader.js';
import {LIST_LIMITS, type ListLimits} from './traces/span-lists.js';
import {PostgresTraceWriter} from './traces/writer.js';

/** Milliseconds; the gateway waits for a second. */
const HEALTH_TIME = 900;
/** A server that carried out a statement so short a time ago is slow, and not down, when it is late with its health. */
const RECENT = 10_000;

/** What is open between start and stop. */
interface Open {
  readonly database: PostgresDatabase;
  readonly retention: PostgresRetentionJob;
  readonly lists: PostgresListJob;
  readonly writers: readonly {settled(): Promise<void>}[];
}

export class PostgresStorage implements StorageAdapter {
  readonly #context: AdapterContext<PostgresConfig>;
  readonly #instruments: PostgresInstruments;
  readonly #clock: () => number;
  readonly #time: TimeSource;
  readonly #limits: ListLimits;
  #open: Open | undefined;

  /** `clock`, on which time passes, and `steady` are for tests of what happens after days, `limits` for lists of few spans. */
  constructor(
    context: AdapterContext<PostgresConfig>,
    clock: () => number = Date.now,
    limits = LIST_LIMITS,
    steady = clock,
  ) {
    this.#context = context;
    this.#instruments = new PostgresInstruments(context.meter, context.log);
    this.#clock = clock;
    this.#time = clock === Date.now ? machineTime() : {wall: clock, steady};
    this.#limits = limits;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    signal.throwIfAborted();
    const {config, log} = this.#context;
    const database = new PostgresDatabase(config, log);
    const retention = new PostgresRetentionJob(database, config, this.#instruments, log, this.#time);
    try {
      await unlessAborted(
        prepareSchema(database, config, log, signal).then(() => retention.begin()),
        signal,
      );
    } catch (problem) {
      await retention.stop();
      await database.close();
      throw startProblem(problem);
    }
    const catalog = new PostgresCatalog(database);
    const metricWriter = new PostgresMetricWriter(database, catalog, config.schema, this.#instruments);
    const spanWriter = new PostgresTraceWriter(database, config.schema, {
      clock: () => retention.now,
      keep: config.retention?.traces,
      late: spans => this.#instruments.droppedSpans(spans),
    });
    const lists = new PostgresListJob(database, config.schema, this.#limits, log, this.#clock);
    this.#open = {database, retention, lists, writers: [metricWriter, spanWriter]};
    lists.begin();
    return {
      'metrics.query.v1': new PostgresMetricReader(database, catalog),
      'metadata.query.v1': new PostgresMetadataReader(database),
      'traces.compat.v1': new PostgresTraceReader(database),
      'ingest.metrics.v1': metricWriter,
      'ingest.compat.v1': spanWriter,
    };
  }

  async health(signal: AbortSignal): Promise<Health> {
    if (this.#open === undefined) return HEALTHY;
    const {database, retention} = this.#open;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIME)]);
    try {
      await database.supervise('SELECT version FROM store', [], limit);
      const {doubt} = retention;
      return doubt === undefined ? HEALTHY : {status: 'degraded', message: doubt};
    } catch (problem) {
      if (limit.aborted) {
        const isSlow = performance.now() - database.answeredAt < RECENT;
        const server = `PostgreSQL at ${database.server}`;
        return isSlow
          ? {status: 'degraded', message: `${server} is slow: it answers, but its health not within a second.`}
          : {status: 'failed', message: `${server} does not answer.`};
      }
      return {status: 'failed', message: GatewayError.from(problem).message};
    }
  }

  /** Does everything that is due at the time of the clock. */
  async settle(): Promise<void> {
    await this.#open?.retention.run();
    await this.#open?.lists.run();
  }

  async stop(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    await open.retention.stop();
    await open.lists.stop();
    for (const writer of open.writers) await writer.settled();
    await open.database.close();
  }
}

/** While it has too many connections the server may be as good as down; the host tries a start again only then. */
function startProblem(problem: unknown): unknown {
  if (!GatewayError.is(problem) || problem.code !== 'overloaded') return problem;
  return new GatewayError('storage_unavailable', problem.message, {cause: problem});
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
  });
  return Promise.race([promise, aborted]).finally(() => abort && signal.removeEventListener('abort', abort));
}
