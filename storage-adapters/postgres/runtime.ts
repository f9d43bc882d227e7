import {type AdapterContext, GatewayError, HEALTHY, type Health, type Readers} from '../../core/api/adapter.js';
import type {TimeSource} from '../../core/toolkit/retention-clock.js';
import {MS_PER_SECOND} from '../../core/toolkit/time.js';
import {unlessAborted} from '../../core/toolkit/unless-aborted.js';
import {PostgresDatabase} from './client/database.js';
import type {PostgresConfig} from './config.js';
import {PostgresMetricExporter} from './export/metrics.js';
import {PostgresTraceExporter} from './export/traces.js';
import type {PostgresInstruments} from './instruments.js';
import {PostgresMetadataReader} from './metadata/reader.js';
import {PostgresCatalog} from './metrics/catalog.js';
import {PostgresMetricReader} from './metrics/reader.js';
import {PostgresTopologyReader} from './metrics/topology.js';
import {PostgresMetricWriter} from './metrics/writer.js';
import {PostgresRetentionJob} from './retention/job.js';
import {prepareSchema} from './schema/prepare.js';
import {postgresCompatModel} from './traces/compat-model.js';
import {PostgresListJob} from './traces/list-job.js';
import type {PostgresTraceModel} from './traces/model.js';
import {postgresOtlpModel} from './traces/otlp-model.js';
import {PostgresOtlpReader} from './traces/otlp-reader.js';
import {PostgresTraceReader} from './traces/reader.js';
import type {ListLimits} from './traces/span-lists.js';
import {ALL_TRACE_TABLES} from './traces/tables.js';
import {PostgresTraceWriter} from './traces/writer.js';

/** Milliseconds; the gateway waits for a second. */
const HEALTH_TIME = 900;
/** A server that carried out a statement so short a time ago is slow, and not down, when it is late with its health. */
const RECENT = 10 * MS_PER_SECOND;

export interface PostgresRuntimeOptions {
  readonly instruments: PostgresInstruments;
  readonly time: TimeSource;
  readonly limits: ListLimits;
}

/** What is open between start and stop: connections, writers and jobs. */
export class PostgresRuntime {
  readonly readers: Readers;
  readonly #database: PostgresDatabase;
  readonly #retention: PostgresRetentionJob;
  readonly #lists: readonly PostgresListJob[];
  readonly #writers: readonly {settled(): Promise<void>}[];

  /** Connects, and makes sure of the tables. Leaves nothing open when it fails. */
  static async open(
    {config, log, meter}: AdapterContext<PostgresConfig>,
    options: PostgresRuntimeOptions,
    signal: AbortSignal,
  ): Promise<PostgresRuntime> {
    const database = new PostgresDatabase(config, log, meter);
    const retention = new PostgresRetentionJob(database, config, options.instruments, log, options.time);
    try {
      const prepared = prepareSchema(database, config, log, signal).then(() => retention.begin());
      await unlessAborted(prepared, signal);
    } catch (error) {
      await retention.stop();
      await database.close();
      throw startError(error);
    }
    const lists = ALL_TRACE_TABLES.map(
      tables => new PostgresListJob(database, config.schema, tables, options.limits, log, options.time.wall),
    );
    for (const job of lists) job.begin();
    return new PostgresRuntime(database, retention, lists, config, options.instruments);
  }

  private constructor(
    database: PostgresDatabase,
    retention: PostgresRetentionJob,
    lists: readonly PostgresListJob[],
    config: PostgresConfig,
    instruments: PostgresInstruments,
  ) {
    const {schema} = config;
    const catalog = new PostgresCatalog(database);
    const metrics = new PostgresMetricWriter(database, catalog, schema, instruments);
    const traceWriter = <Span, Trace, Time>(model: PostgresTraceModel<Span, Trace, Time>) =>
      new PostgresTraceWriter(model, database, schema, {
        clock: () => retention.now,
        keep: config.retention?.traces,
        late: spans => instruments.droppedSpans(spans),
      });
    const compat = traceWriter(postgresCompatModel);
    const otlp = traceWriter(postgresOtlpModel);
    this.#database = database;
    this.#retention = retention;
    this.#lists = lists;
    this.#writers = [metrics, compat, otlp];
    this.readers = {
      'metrics.query.v1': new PostgresMetricReader(database, catalog),
      'metadata.query.v1': new PostgresMetadataReader(database),
      'topology.query.v1': new PostgresTopologyReader(database, catalog),
      'traces.compat.v1': new PostgresTraceReader(postgresCompatModel, database),
      'traces.otlp.v1': new PostgresOtlpReader(postgresOtlpModel, database),
      'ingest.metrics.v1': metrics,
      'ingest.compat.v1': compat,
      'ingest.otlp.v1': otlp,
      'ingest.history.v1': {write: (page, call) => metrics.writePage(page, call)},
      'export.metrics.v1': new PostgresMetricExporter(database, catalog),
      'export.compat.v1': new PostgresTraceExporter(postgresCompatModel, database),
      'export.otlp.v1': new PostgresTraceExporter(postgresOtlpModel, database),
    };
  }

  async health(signal: AbortSignal): Promise<Health> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIME)]);
    try {
      const [[isStandby = false] = []] = await this.#database.supervise<[boolean]>(
        'SELECT pg_is_in_recovery() FROM store',
        [],
        limit,
      );
      if (isStandby) {
        const message = `PostgreSQL at ${this.#database.server} is a standby: it answers queries, and takes no writes until it is promoted`;
        return {status: 'degraded', message};
      }
      const {doubt} = this.#retention;
      return doubt === undefined ? HEALTHY : {status: 'degraded', message: doubt};
    } catch (error) {
      if (!limit.aborted) return {status: 'failed', message: GatewayError.from(error).message};
      const isSlow = performance.now() - this.#database.answeredAt < RECENT;
      const server = `PostgreSQL at ${this.#database.server}`;
      return isSlow
        ? {status: 'degraded', message: `${server} is slow: it answers, but its health not within a second`}
        : {status: 'failed', message: `${server} does not answer`};
    }
  }

  /** Does everything that is due at the time of the clock. */
  async runJobs(): Promise<void> {
    await this.#retention.run();
    for (const job of this.#lists) await job.run();
  }

  async close(): Promise<void> {
    await this.#retention.stop();
    for (const job of this.#lists) await job.stop();
    for (const writer of this.#writers) await writer.settled();
    await this.#database.close();
  }
}

/** While it has too many connections the server may be as good as down; the host tries a start again only then. */
function startError(error: unknown): unknown {
  if (!GatewayError.is(error) || error.code !== 'overloaded') return error;
  return new GatewayError('storage_unavailable', error.message, {cause: error});
}
