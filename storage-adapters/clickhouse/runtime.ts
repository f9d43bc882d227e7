import {setTimeout as wait} from 'node:timers/promises';
import {
  type AdapterContext,
  GatewayError,
  HEALTHY,
  type Health,
  type Logger,
  type Readers,
} from '../../core/api/adapter.js';
import {RetentionClock, type TimeSource} from '../../core/toolkit/retention-clock.js';
import {ClickHouseClient} from './client/client.js';
import {Quorum} from './client/quorum.js';
import {Pace} from './client/rate-limiter.js';
import {ACCESS_DENIED, AUTHENTICATION, READ_ONLY_USER, serverErrorNumber} from './client/server-error.js';
import {sql} from './client/sql.js';
import {VersionClock} from './client/version-clock.js';
import type {ClickHouseConfig} from './config.js';
import {Instruments} from './instruments.js';
import {ClickHouseMetadataReader} from './metadata/reader.js';
import {Catalog} from './metrics/catalog.js';
import {ClickHouseMetricReader} from './metrics/reader.js';
import {ClickHouseMetricWriter} from './metrics/writer.js';
import {BORDERS_FRESH, StoredBorders} from './retention/cut-offs.js';
import {Retention} from './retention/job.js';
import {replicasOf} from './schema/cluster.js';
import {prepareSchema} from './schema/migrate.js';
import {isTooOld, probeServer} from './schema/server.js';
import {compatKind} from './traces/compat-model.js';
import {nativeKind} from './traces/native-model.js';
import {ClickHouseTraceReader} from './traces/reader.js';
import {ClickHouseUnitWriter} from './traces/writer.js';

/** Inserts of one kind of data: so many at once, and so many a second further. */
const INSERTS_AT_ONCE = 100;
const INSERTS_PER_SECOND = 20;
const MAINTENANCE_EVERY = 600_000;
const PROBE_TIME = 900;
/** A server that carried out a statement so short a time ago is slow, and not down, when it is late with its health. */
const RECENT = 10_000;
const SKEW_LIMIT = 5;

/** Everything that lives between start and stop. */
export class OpenStorage {
  readonly #config: ClickHouseConfig;
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #believed: RetentionClock;
  readonly #client: ClickHouseClient;
  readonly #instruments: Instruments;
  readonly #retention: Retention;
  readonly #borders: StoredBorders;
  readonly #catalog: Catalog;
  readonly #metrics: ClickHouseMetricWriter;
  readonly #spans;
  readonly #segments;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #maintenance: Promise<void> | undefined;

  constructor({config, log, meter}: AdapterContext<ClickHouseConfig>, time: TimeSource) {
    const clock = time.wall;
    this.#config = config;
    this.#log = log;
    this.#clock = clock;
    this.#believed = new RetentionClock(time, log);
    this.#instruments = new Instruments(meter);
    const client = new ClickHouseClient(config, log, this.#instruments);
    this.#client = client;
    this.#catalog = new Catalog(client, Date.now);
    this.#borders = new StoredBorders(client, Date.now);
    const place = {database: config.database, cluster: config.cluster};
    this.#retention = new Retention(client, this.#catalog, this.#borders, place, config.retention ?? {}, {
      log,
      removed: this.#instruments.removedRows,
    });
    const versions = new VersionClock(Date.now);
    const shared = {client, instruments: this.#instruments, clock: versions};
    const late = {
      firstDay: () => this.#retention.firstDayOfTraces(this.#now()),
      late: (spans: number) => this.#droppedSpans(spans),
    };
    const pace = () => new Pace(INSERTS_PER_SECOND, INSERTS_AT_ONCE, Date.now);
    this.#metrics = new ClickHouseMetricWriter({
      ...shared,
      catalog: this.#catalog,
      pace: pace(),
      border: () => this.#retention.firstMinute(this.#now()),
      dropped: samples => this.#dropped(samples),
    });
    this.#spans = new ClickHouseUnitWriter(compatKind, {...shared, ...late, pace: pace(), now: clock});
    this.#segments = new ClickHouseUnitWriter(nativeKind, {...shared, ...late, pace: pace(), now: clock});
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const {cluster, database} = this.#config;
    const client = this.#client;
    try {
      const server = await probeServer(client, signal);
      if (isTooOld(server.version)) {
        throw new GatewayError('storage_failed', `ClickHouse ${server.version} is too old: 18.16 or later is needed.`);
      }
      client.settings = server.settings;
      client.quorum = await this.#quorum(signal);
      await this.#checkClock(signal);
      client.database = database;
      await prepareSchema(client, {database, cluster}, server, this.#config, this.#log, signal);
    } catch (problem) {
      if (AUTHENTICATION.includes(serverErrorNumber(problem) ?? 0)) throw this.#refused(problem);
      throw problem;
    }
    await this.#catalog.readNow();
    if (this.#config.retention !== undefined) await this.#restoreClock(signal);
    const canWrite = await this.#canWrite(signal);
    this.#timer = setInterval(() => void this.#maintain(), MAINTENANCE_EVERY).unref();
    void this.#maintain();
    const readers: Readers = {
      'metrics.query.v1': new ClickHouseMetricReader(client, this.#catalog, () => this.#borders.get()),
      'metadata.query.v1': new ClickHouseMetadataReader(client),
      'traces.compat.v1': new ClickHouseTraceReader(client, compatKind, this.#clock),
      'traces.native.v2': new ClickHouseTraceReader(client, nativeKind, this.#clock),
    };
    if (!canWrite) return readers;
    return {
      ...readers,
      'ingest.metrics.v1': this.#metrics,
      'ingest.compat.v1': this.#spans,
      'ingest.native.v1': this.#segments,
    };
  }

  async health(signal: AbortSignal): Promise<Health> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIME)]);
    try {
      await this.#client.probe(sql`SELECT toUInt8(1), max(value) FROM meta`, row => row.int64(), limit);
    } catch (problem) {
      const answeredAt = Math.max(...this.#client.endpoints.all.map(endpoint => endpoint.answeredAt));
      if (limit.aborted && performance.now() - answeredAt < RECENT) {
        return {status: 'degraded', message: 'ClickHouse is slow: it answers, but its health not within a second.'};
      }
      const reason = limit.aborted ? 'It does not answer within a second.' : GatewayError.from(problem).message;
      return {status: 'failed', message: `ClickHouse cannot be asked. ${reason}`};
    }
    const down = this.#client.endpoints.all.filter(endpoint => endpoint.problem !== undefined);
    if (down.length > 0) {
      return {status: 'degraded', message: `These endpoints do not answer: ${down.map(({url}) => url).join(', ')}.`};
    }
    if (this.#believed.doubt !== undefined) return {status: 'degraded', message: this.#believed.doubt};
    const shortage = this.#client.quorum?.shortage;
    if (shortage !== undefined) {
      return {
        status: 'degraded',
        message: `Writes are acknowledged without a replica that is dead or behind. ${shortage}`,
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
    await Promise.all([this.#metrics.settled(), this.#spans.settled(), this.#segments.settled()]);
  }

  async #maintain(): Promise<void> {
    if (this.#maintenance !== undefined || this.#config.retention === undefined) return;
    const {signal} = this.#stopped;
    this.#maintenance = this.#runRetention(() => wait(2 * BORDERS_FRESH, undefined, {signal}))
      .catch(problem => {
        if (!signal.aborted) this.#log.warn('Removing old data failed, and is tried again later', {err: problem});
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
    await this.#borders.keepTime(now);
  }

  /** The time that retention goes by. */
  #now(): number {
    return this.#config.retention === undefined ? this.#clock() : this.#believed.now();
  }

  async #restoreClock(signal: AbortSignal): Promise<void> {
    const time = await this.#borders.keptTime();
    const newest = time === undefined ? await this.#retention.newestDay(signal) : undefined;
    this.#believed.restore(time === undefined ? undefined : {time, ahead: 0}, newest);
  }

  #dropped(samples: number): void {
    this.#instruments.droppedSamples.add(samples);
    this.#log.warn('Dropped samples that are older than the retention of minutes', {samples});
  }

  #droppedSpans(spans: number): void {
    this.#instruments.droppedSpans.add(spans);
    this.#log.warn('Dropped spans that are older than the retention of traces', {spans});
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
      this.#log.warn('The clock of the storage differs from that of this machine', {seconds});
  }

  /** Inserts nothing, which a user without the right may not either. */
  async #canWrite(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.insert(sql`meta (key, value)`, Buffer.alloc(0));
      return true;
    } catch (problem) {
      signal.throwIfAborted();
      const number = serverErrorNumber(problem);
      if (number !== ACCESS_DENIED && number !== READ_ONLY_USER) throw problem;
      this.#log.warn('The user may not write to the storage: nothing can be ingested', {
        user: this.#config.username ?? 'default',
      });
      return false;
    }
  }

  #refused(problem: unknown): GatewayError {
    const {username = 'default', urls} = this.#config;
    return new GatewayError(
      'storage_failed',
      `ClickHouse at ${urls.join(', ')} refuses the user '${username}': check username and password.`,
      {cause: problem},
    );
  }
}
