import {setMaxListeners} from 'node:events';
import {
  type AdapterContext,
  type CompatTrace,
  GatewayError,
  type Health,
  type NativeTrace,
  type Readers,
} from '../../core/api/adapter.js';
import {MS_PER_SECOND} from '../../core/toolkit/time.js';
import {BanyanDBConnection} from './client/connection.js';
import {BanyanDBMeasures} from './client/measures.js';
import {speaksTls} from './client/speaks-tls.js';
import type {BanyanDBConfig} from './config.js';
import {BanyanDBMetricExporter} from './export/metrics.js';
import {BanyanDBTraceExporter} from './export/traces.js';
import {BanyanDBMetadataReader} from './metadata/reader.js';
import {Traffic} from './metadata/traffic.js';
import {BanyanDBCatalog} from './metrics/catalog.js';
import {BanyanDBMetricReader} from './metrics/reader.js';
import {BanyanDBTopologyReader} from './metrics/topology.js';
import {type Deployment, inspectDeployment} from './schema/deployment.js';
import type {TimeZone} from './schema/time-zone.js';
import {BanyanDBCompatModel} from './traces/compat-model.js';
import {BanyanDBTraceLoader} from './traces/loader.js';
import type {BanyanDBTraceModel} from './traces/model.js';
import {BanyanDBNativeModel} from './traces/native-model.js';
import {BanyanDBTraceReader} from './traces/reader.js';
import type {TraceReadOptions} from './traces/search.js';

/** How long a start may wait for the rows of metrics that only those explain. */
const PROBE_TIME = 10 * MS_PER_SECOND;

type Context = AdapterContext<BanyanDBConfig>;

/** What is open between start and stop: the connection, and what is loaded for all callers together. */
export class BanyanDBRuntime {
  readonly #connection: BanyanDBConnection;
  readonly #lifetime: AbortController;
  readonly readers: Readers;

  private constructor(connection: BanyanDBConnection, lifetime: AbortController, readers: Readers) {
    this.#connection = connection;
    this.#lifetime = lifetime;
    this.readers = readers;
  }

  /** Finds out what the server is and has. Leaves nothing open when it fails. */
  static async open(context: Context, zone: TimeZone, signal: AbortSignal): Promise<BanyanDBRuntime> {
    const {config, log, meter} = context;
    const connection = new BanyanDBConnection(config, log, meter);
    const lifetime = new AbortController();
    // Every call that is not for one caller alone listens to it.
    setMaxListeners(0, lifetime.signal);
    try {
      const deployment = await inspectDeployment(connection, config.namespace, log, signal);
      const readers = await openReaders(context, connection, deployment, zone, lifetime.signal, signal);
      log.info('the server was inspected', {version: deployment.version, capabilities: Object.keys(readers)});
      return new BanyanDBRuntime(connection, lifetime, readers);
    } catch (error) {
      lifetime.abort(error);
      connection.close();
      throw (await tlsMistake(config, error, signal)) ?? startError(error);
    }
  }

  health(signal: AbortSignal): Promise<Health> {
    return this.#connection.health(signal);
  }

  close(): void {
    this.#lifetime.abort(new GatewayError('cancelled', 'the storage adapter is stopping'));
    this.#connection.close();
  }
}

async function openReaders(
  {config, log}: Context,
  connection: BanyanDBConnection,
  {layout, version, hasMetrics, hasCompatTraces, hasNativeTraces}: Deployment,
  zone: TimeZone,
  lifetime: AbortSignal,
  signal: AbortSignal,
): Promise<Readers> {
  const {layers, maxEntities, maxRows, maxSliceTraces, maxScannedTraces} = config;
  // The field was something else before 0.9.
  const hasStages = !/^v?0\.8(\.|$)/.test(version);
  const stages = hasStages ? config.stages : [];
  if (stages.length < config.stages.length) {
    log.warn('the option stages is left aside: the server has none before 0.9', {version});
  }
  const tracesOf = <Trace>(model: BanyanDBTraceModel<Trace>, group = ''): TraceReadOptions<Trace> => {
    const loader = new BanyanDBTraceLoader(connection, model, group, stages);
    return {model, loader, maxSliceTraces, maxScannedTraces};
  };
  const compat = tracesOf<CompatTrace>(new BanyanDBCompatModel(log), layout.zipkin);
  const native = tracesOf<NativeTrace>(new BanyanDBNativeModel({...config, log}), layout.trace);
  const traces: Readers = {
    ...(hasCompatTraces && {
      'traces.compat.v1': new BanyanDBTraceReader(compat),
      'export.compat.v1': new BanyanDBTraceExporter('compat', compat, ({spans}) => spans),
    }),
    ...(hasNativeTraces && {
      'traces.native.v2': new BanyanDBTraceReader(native),
      'export.native.v1': new BanyanDBTraceExporter('native', native, ({segments}) => segments),
    }),
  };
  if (!hasMetrics) return traces;
  const measures = new BanyanDBMeasures(connection, stages);
  const refresh = config.catalogRefresh;
  const catalog = new BanyanDBCatalog({connection, measures, layout, refresh, probeTime: PROBE_TIME, log, lifetime});
  const maxAge = config.metadataCache;
  const traffic = new Traffic({measures, schemas: catalog, zone, layers, maxEntities, maxAge, lifetime});
  // The first read shows whether the schemas can be read at all.
  await catalog.state(signal);
  const mayStopEarly = /^v?0\.[89](\.|$)/.test(version);
  const options = {connection, stages, measures, catalog, traffic, zone, maxEntities, maxRows, mayStopEarly};
  return {
    'metrics.query.v1': new BanyanDBMetricReader(options),
    'metadata.query.v1': new BanyanDBMetadataReader(traffic),
    'topology.query.v1': new BanyanDBTopologyReader(options),
    'export.metrics.v1': new BanyanDBMetricExporter(options),
    ...traces,
  };
}

/** A server that wants TLS does not say so in words that differ from those of a server that is not there yet. */
async function tlsMistake({tls, endpoints}: BanyanDBConfig, cause: unknown, signal: AbortSignal): Promise<unknown> {
  if (tls !== undefined || !GatewayError.is(cause) || cause.code !== 'storage_unavailable') return undefined;
  const answers = await Promise.all(endpoints.map(address => speaksTls(address, signal)));
  const found = endpoints.filter((_, i) => answers[i]);
  if (found.length === 0) return undefined;
  const message = `BanyanDB at ${found.join(', ')} cannot be reached: it speaks TLS; set the option tls`;
  return new GatewayError('storage_failed', message, {cause});
}

/** A server that has too much to do or is slow may be as good as down; the host tries a start again only then. */
function startError(error: unknown): unknown {
  if (!GatewayError.is(error) || error.cause === undefined) return error;
  if (error.code !== 'overloaded' && error.code !== 'timeout') return error;
  return new GatewayError('storage_unavailable', error.message, {cause: error});
}
