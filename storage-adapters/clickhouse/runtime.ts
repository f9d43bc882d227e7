import {setTimeout as wait} from 'node:timers/promises';
import {
  type AdapterContext,
  GatewayError,
  HEALTHY,
  type Health,
  type Logger,
  type Readers,
} from '../../core/api/adapter.js';
import {quote} from '../../core/toolkit/messages.js';
import {RetentionClock, type TimeSource} from '../../core/toolkit/retention-clock.js';
import {ClickHouseClient} from './client/client.js';
import {Quorum} from './client/quorum.js';
import {RateLimiter} from './client/rate-limiter.js';
import {ACCESS_DENIED, AUTHENTICATION, READ_ONLY_USER, serverErrorNumber} from './client/server-error.js';
import {sql} from './client/sql.js';
import {VersionClock} from './client/version-clock.js';
import type {ClickHouseConfig} from './config.js';
import {ClickHouseMetricExporter} from './export/metrics.js';
import {ClickHouseTraceExporter} from './export/traces.js';
import {ClickHouseInstruments} from './instruments.js';
import {ClickHouseMetadataReader} from './metadata/reader.js';
import {ClickHouseCatalog} from './metrics/catalog.js';
import {ClickHouseHistoryWriter} from './metrics/history-writer.js';
import {ClickHouseMetricReader} from './metrics/reader.js';
import {ClickHouseTopologyReader} from './metrics/topology.js';
import {ClickHouseMetricWriter} from './metrics/writer.js';
import {CUT_OFFS_FRESH, StoredCutOffs} from './retention/cut-offs.js';
import {ClickHouseRetentionJob} from './retention/job.js';
import {replicasOf} from './schema/cluster.js';
import {prepareSchema} from './schema/migrate.js';
import {isTooOld, probeServer} from './schema/server.js';
import {clickHouseCompatModel} from './traces/compat-model.js';
import {clickHouseNativeModel} from './traces/native-model.js';
import {clickHouseOtlpModel} from './traces/otlp-model.js';
import {ClickHouseOtlpReader} from './traces/otlp-reader.js';
import {ClickHouseTraceReader} from './traces/reader.js';
import {ClickHouseTraceWriter} from './traces/writer.js';

/** Inserts of one kind of data: so many at once, and so many a second further. */
const INSERTS_AT_ONCE = 100;
const INSERTS_PER_SECOND = 20;
const MAINTENANCE_EVERY = 600_000;
const PROBE_TIME = 900;
/** A server that carried out a statement so short a time ago is slow, and not down, when it is late with its health. */
const RECENT = 10_000;
const SKEW_LIMIT = 5;

/** Everything that lives between start and stop. */
export class ClickHouseRuntime {
  readonly #config: ClickHouseConfig;
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #believed: RetentionClock;
  readonly #client: ClickHouseClient;
  readonly #instruments: ClickHouseInstruments;
  readonly #retention: ClickHouseRetentionJob;
  readonly #cutOffs: StoredCutOffs;
  readonly #catalog: ClickHouseCatalog;
  readonly #metrics: ClickHouseMetricWriter;
  readonly #spans;
  readonly #segments;
  readonly #otlpSpans;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #maintenance: Promise<void> | undefined;

  constructor({config, log, meter}: AdapterContext<ClickHouseConfig>, time: TimeSource) {
    const clock = time.wall;
    this.#config = config;
    this.#log = log;
    this.#clock = clock;
    this.#believed = new RetentionClock(time, log);
    this.#instruments = new ClickHouseInstruments(meter);
    const client = new ClickHouseClient(config, log, meter, this.#instruments);
    this.#client = client;
    this.#catalog = new ClickHouseCatalog(client, Date.now);
    this.#cutOffs = new StoredCutOffs(client, Date.now);
    const place = {database: config.database, cluster: config.cluster};
    this.#retention = new ClickHouseRetentionJob(client, this.#catalog, this.#cutOffs, place, config.retention ?? {}, {
      log,
      removed: this.#instruments.removedRows,
    });
    const versions = new VersionClock(Date.now);
    const shared = {client, instruments: this.#instruments, clock: versions};
    const late = {
      firstDay: () => this.#retention.firstDayOfTraces(this.#now()),
      late: (spans: number) => this.#droppedSpans(spans),
    };
    const rate = () => new RateLimiter(INSERTS_PER_SECOND, INSERTS_AT_ONCE, Date.now);
    this.#metrics = new ClickHouseMetricWriter({
      ...shared,
      catalog: this.#catalog,
      rate: rate(),
      cutOff: () => this.#retention.firstMinute(this.#now()),
      dropped: samples => this.#dropped(samples),
    });
    const ofTraces = () => ({...shared, ...late, rate: rate(), now: clock});
    this.#spans = new ClickHouseTraceWriter(clickHouseCompatModel, ofTraces());
    this.#segments = new ClickHouseTraceWriter(clickHouseNativeModel, ofTraces());
    this.#otlpSpans = new ClickHouseTraceWriter(clickHouseOtlpModel, ofTraces());
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const {cluster, database} = this.#config;
    const client = this.#client;
    try {
      const server = await probeServer(client, signal);
      if (isTooOld(server.version)) {
        throw new GatewayError('storage_failed', `ClickHouse ${server.version} is too old: 18.16 or later is needed`);
      }
      client.settings = server.settings;
      client.quorum = await this.#quorum(signal);
      await this.#checkClock(signal);
      client.database = database;
      await prepareSchema(client, {database, cluster}, server, this.#config, this.#log, signal);
    } catch (error) {
      if (AUTHENTICATION.includes(serverErrorNumber(error) ?? 0)) throw this.#refused(error);
      throw error;
    }
    await this.#catalog.readNow();
    await this.#cutOffs.read();
    if (this.#config.retention !== undefined) await this.#restoreClock(signal);
    const canWrite = await this.#canWrite(signal);
    this.#timer = setInterval(() => void this.#maintain(), MAINTENANCE_EVERY).unref();
    void this.#maintain();
    const readers: Readers = {
      'metrics.query.v1': new ClickHouseMetricReader(client, this.#catalog, () => this.#cutOffs.get()),
      'metadata.query.v1': new ClickHouseMetadataReader(client),
      'topology.query.v1': new ClickHouseTopologyReader(client, this.#catalog, () => this.#cutOffs.get()),
      'traces.compat.v1': new ClickHouseTraceReader(client, clickHouseCompatModel, this.#clock),
      'traces.native.v2': new ClickHouseTraceReader(client, clickHouseNativeModel, this.#clock),
      'traces.otlp.v1': new ClickHouseOtlpReader(client, clickHouseOtlpModel, this.#clock),
    };
    const cutOffs = () => this.#cutOffs.get();
    const exporters: Readers = {
      'export.metrics.v1': new ClickHouseMetricExporter(client, this.#catalog, cutOffs),
      'export.compat.v1': new ClickHouseTraceExporter(client, clickHouseCompatModel),
      'export.native.v1': new ClickHouseTraceExporter(client, clickHouseNativeModel),
      'export.otlp.v1': new ClickHouseTraceExporter(client, clickHouseOtlpModel),
    };
    if (!canWrite) return {...readers, ...exporters};
    const history = new ClickHouseHistoryWriter(client, this.#catalog, this.#metrics, {
      keepBefore: (borders, stopped) => this.#retention.keepBefore(borders, stopped),
    });
    return {
      ...readers,
      ...exporters,
      'ingest.metrics.v1': this.#metrics,
      'ingest.compat.v1': this.#spans,
      'ingest.native.v1': this.#segments,
      'ingest.otlp.v1': this.#otlpSpans,
      'ingest.history.v1': history,
    };
  }

  async health(signal: AbortSignal): Promise<Health> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIME)]);
    try {
      await this.#client.probe(sql`SELECT toUInt8(1), max(value) FROM meta`, row => row.int64(), limit);
    } catch (error) {
      const answeredAt = Math.max(...this.#client.endpoints.all.map(endpoint => endpoint.answeredAt));
      if (limit.aborted && performance.now() - answeredAt < RECENT) {
        return {status: 'degraded', message: 'ClickHouse is slow: it answers, but its health not within a second'};
      }
      const reason = limit.aborted ? 'it does not answer within a second' : GatewayError.from(error).message;
      return {status: 'failed', message: `ClickHouse cannot be asked: ${reason}`};
    }
    const down = this.#client.endpoints.all.filter(endpoint => endpoint.problem !== undefined);
    if (down.length > 0) {
      return {status: 'degraded', message: `ClickHouse does not answer at ${down.map(({url}) => url).join(', ')}`};
    }
    if (this.#believed.doubt !== undefined) return {status: 'degraded', message: this.#believed.doubt};
    const shortage = this.#client.quorum?.shortage;
    if (shortage !== undefined) {
      return {
        status: 'degraded',
        message: `writes are acknowledged without a replica that is dead or behind: ${shortage}`,
      };
    }
    return HEALTHY;
  }

  async settle(): Promise<void> {
    await this.#written();
    await this.#runRetention(async () => undefined);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#written();
    await this.#maintenance;
    await this.#client.close();
  }

  async #written(): Promise<void> {
    const writers = [this.#metrics, this.#spans, this.#segments, this.#otlpSpans];
    await Promise.all(writers.map(writer => writer.settled()));
  }

  async #maintain(): Promise<void> {
    if (this.#maintenance !== undefined || this.#config.retention === undefined) return;
    const {signal} = this.#stopped;
    this.#maintenance = this.#runRetention(() => wait(2 * CUT_OFFS_FRESH, undefined, {signal}))
      .catch(error => {
        if (!signal.aborted) this.#log.warn('removing old data failed, and is tried again later', {err: error});
      })
      .finally(() => {
        this.#maintenance = undefined;
      });
    await this.#maintenance;
  }

  async #runRetention(pause: () => Promise<void>): Promise<void> {
    if (this.#config.retention === undefined) return;
    const now = this.#now();
    await this.#retention.run(now, pause, this.#stopped.signal);
    await this.#cutOffs.keepTime(now);
  }

  /** The time that retention goes by. */
  #now(): number {
    return this.#config.retention === undefined ? this.#clock() : this.#believed.now();
  }

  async #restoreClock(signal: AbortSignal): Promise<void> {
    const time = await this.#cutOffs.keptTime();
    const newest = time === undefined ? await this.#retention.newestDay(signal) : undefined;
    this.#believed.restore(time === undefined ? undefined : {time, ahead: 0}, newest);
  }

  #dropped(samples: number): void {
    this.#instruments.droppedSamples.add(samples);
    this.#log.warn('dropped samples that are older than the retention of minutes', {samples});
  }

  #droppedSpans(spans: number): void {
    this.#instruments.droppedSpans.add(spans);
    this.#log.warn('dropped spans that are older than the retention of traces', {spans});
  }

  async #quorum(signal: AbortSignal): Promise<Quorum | undefined> {
    const {cluster, insertQuorum} = this.#config;
    const replicas = cluster === undefined ? 1 : await replicasOf(this.#client, cluster, signal);
    const wanted = insertQuorum ?? replicas;
    const short = () => this.#instruments.shortWrites.add();
    return wanted < 2 ? undefined : new Quorum(wanted, insertQuorum !== undefined, this.#log, short);
  }

  /** The latest write of several gateways stands by their clocks. */
  async #checkClock(signal: AbortSignal): Promise<void> {
    const [theirs = 0] = await this.#client.rows(
      sql`SELECT toUInt8(1), toInt64(toUnixTimestamp(now()))`,
      row => row.int64(),
      signal,
    );
    const seconds = theirs - Math.floor(Date.now() / 1000);
    if (Math.abs(seconds) > SKEW_LIMIT)
      this.#log.warn('the clock of the storage differs from that of this machine', {seconds});
  }

  /** Inserts nothing, which a user without the right may not either. */
  async #canWrite(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.insert(sql`meta (key, value)`, Buffer.alloc(0));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const number = serverErrorNumber(error);
      if (number !== ACCESS_DENIED && number !== READ_ONLY_USER) throw error;
      this.#log.warn('the user may not write to the storage: nothing can be ingested', {
        user: this.#config.username ?? 'default',
      });
      return false;
    }
  }

  #refused(error: unknown): GatewayError {
    const {username = 'default', urls} = this.#config;
    return new GatewayError(
      'storage_failed',
      `ClickHouse at ${urls.join(', ')} refuses the user ${quote(username)}: check username and password`,
      {cause: error},
    );
  }
}
