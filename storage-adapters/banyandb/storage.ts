import {setMaxListeners} from 'node:events';
import {
  type AdapterContext,
  type CompatTrace,
  GatewayError,
  HEALTHY,
  type Health,
  type NativeTrace,
  type Readers,
  type StorageAdapter,
} from '../../core/api/adapter.js';
import {BanyanDBConnection} from './client/connection.js';
import {BanyanDBMeasures} from './client/measures.js';
import {speaksTls} from './client/speaks-tls.js';
import type {BanyanDBConfig} from './config.js';
import {BanyanDBMetadataReader} from './metadata/reader.js';
import {Traffic} from './metadata/traffic.js';
import {BanyanDBCatalog} from './metrics/catalog.js';
import {BanyanDBMetricReader} from './metrics/reader.js';
import {type Deployment, probe} from './schema/deployment.js';
import {layerProblem} from './schema/layers.js';
import {TimeZone} from './schema/time-zone.js';
import {BanyanDBCompatModel} from './traces/compat-model.js';
import {BanyanDBTraceLoader} from './traces/loader.js';
import type {BanyanDBTraceModel} from './traces/model.js';
import {BanyanDBNativeModel} from './traces/native-model.js';
import {BanyanDBTraceReader} from './traces/reader.js';

/** How long a start may wait for the rows of metrics that only those explain; milliseconds. */
const LOOK_TIME = 10_000;

export class BanyanDBStorage implements StorageAdapter {
  readonly #context: AdapterContext<BanyanDBConfig>;
  #connection: BanyanDBConnection | undefined;
  #lifetime = new AbortController();

  constructor(context: AdapterContext<BanyanDBConfig>) {
    this.#context = context;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    signal.throwIfAborted();
    const {config, log} = this.#context;
    const zone = zoneOf(config.timeZone);
    const problem = layerProblem(config.layers);
    if (problem !== undefined) throw new GatewayError('storage_failed', `The option layers calls ${problem}.`);
    if (config.username !== undefined && config.tls === undefined) {
      log.warn('user and password go to the server in plain text, because the option tls is not set');
    }
    const connection = new BanyanDBConnection(config, log);
    const lifetime = new AbortController();
    // Every call that is not for one caller alone listens to it.
    setMaxListeners(0, lifetime.signal);
    try {
      const deployment = await probe(connection, config.namespace, log, signal);
      const readers = await this.#readers(connection, deployment, zone, lifetime.signal, signal);
      log.info('the server was looked at', {version: deployment.version, capabilities: Object.keys(readers)});
      this.#connection = connection;
      this.#lifetime = lifetime;
      return readers;
    } catch (problem) {
      lifetime.abort(problem);
      connection.close();
      throw (await tlsMistake(config, problem, signal)) ?? startProblem(problem);
    }
  }

  async health(signal: AbortSignal): Promise<Health> {
    return (await this.#connection?.health(signal)) ?? HEALTHY;
  }

  async stop(): Promise<void> {
    this.#lifetime.abort(new GatewayError('cancelled', 'The storage adapter is stopping.'));
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #readers(
    connection: BanyanDBConnection,
    {layout, version, hasMetrics, hasCompatTraces, hasNativeTraces}: Deployment,
    zone: TimeZone,
    lifetime: AbortSignal,
    signal: AbortSignal,
  ): Promise<Readers> {
    const {config, log} = this.#context;
    const {layers, maxEntities, maxRows, maxSliceTraces, maxScannedTraces} = config;
    // The field was something else before 0.9.
    const hasStages = !/^v?0\.8(\.|$)/.test(version);
    const stages = hasStages ? config.stages : [];
    if (stages.length < config.stages.length) {
      log.warn('the option stages is left aside: the server has none before 0.9', {version});
    }
    const reader = <Trace>(kind: BanyanDBTraceModel<Trace>, group = ''): BanyanDBTraceReader<Trace> => {
      const rows = new BanyanDBTraceLoader(connection, kind, group, stages);
      return new BanyanDBTraceReader({kind, rows, maxSliceTraces, maxScannedTraces});
    };
    const traces: Readers = {
      ...(hasCompatTraces && {'traces.compat.v1': reader<CompatTrace>(new BanyanDBCompatModel(log), layout.zipkin)}),
      ...(hasNativeTraces && {
        'traces.native.v2': reader<NativeTrace>(new BanyanDBNativeModel({...config, log}), layout.trace),
      }),
    };
    if (!hasMetrics) return traces;
    const measures = new BanyanDBMeasures(connection, stages);
    const refresh = config.catalogRefresh;
    const catalog = new BanyanDBCatalog({connection, measures, layout, refresh, lookTime: LOOK_TIME, log, lifetime});
    const traffic = new Traffic({
      measures,
      schemas: catalog,
      zone,
      layers,
      maxEntities,
      maxAge: config.metadataCache,
      lifetime,
    });
    // The first read shows whether the schemas can be read at all.
    await catalog.state(signal);
    const mayStopEarly = /^v?0\.[89](\.|$)/.test(version);
    const options = {connection, stages, measures, catalog, traffic, zone, maxEntities, maxRows, mayStopEarly};
    return {
      'metrics.query.v1': new BanyanDBMetricReader(options),
      'metadata.query.v1': new BanyanDBMetadataReader(traffic),
      ...traces,
    };
  }
}

function zoneOf(name: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch (error) {
    const message = `The option timeZone names the zone '${name}', which is unknown. Use a name such as Europe/Berlin.`;
    throw new GatewayError('storage_failed', message, {cause: error});
  }
}

/** A server that wants TLS does not say so in words that differ from those of a server that is not there yet. */
async function tlsMistake({tls, endpoints}: BanyanDBConfig, cause: unknown, signal: AbortSignal): Promise<unknown> {
  if (tls !== undefined || !GatewayError.is(cause) || cause.code !== 'storage_unavailable') return undefined;
  const answers = await Promise.all(endpoints.map(address => speaksTls(address, signal)));
  const found = endpoints.filter((_, i) => answers[i]);
  if (found.length === 0) return undefined;
  const message = `BanyanDB at ${found.join(', ')} cannot be reached: it speaks TLS. Set the option tls.`;
  return new GatewayError('storage_failed', message, {cause});
}

/** A server that has too much to do or is slow may be as good as down; the host tries a start again only then. */
function startProblem(problem: unknown): unknown {
  if (!GatewayError.is(problem) || problem.cause === undefined) return problem;
  if (problem.code !== 'overloaded' && problem.code !== 'timeout') return problem;
  return new GatewayError('storage_unavailable', problem.message, {cause: problem});
}
