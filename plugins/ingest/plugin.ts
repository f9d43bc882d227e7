import {
  type CompatSpanWriter,
  config,
  type GatewayPlugin,
  injectable,
  LIMITS,
  LOGGER,
  type Logger,
  METER,
  type Meter,
  type MetricWriter,
  type PluginDefinition,
  type PluginLimits,
  type PluginStarted,
  type Readers,
  type Routes,
  reader,
  type SegmentWriter,
  use,
} from '../../core/api/plugin.js';
import {parseHostPort} from '../../core/toolkit/grpc/host-port.js';
import {listenAddress, listenAddressMistakes} from '../../core/toolkit/grpc/listen-address.js';
import {ingestFormats} from './formats/all-formats.js';
import {renderError} from './http/errors.js';
import {managementRoutes} from './http/management-routes.js';
import {ingestRoutes} from './http/routes.js';
import {AgentServer} from './skywalking/agent-server.js';
import {Instances} from './skywalking/instances.js';

interface IngestConfig {
  readonly grpcListenAddr?: string;
}

@injectable()
class Ingest implements GatewayPlugin {
  readonly #writers: Readers;
  readonly #meter: Meter;
  readonly #limits: PluginLimits;
  readonly #instances: Instances;
  /** The address of SkyWalking's agents and what listens there; undefined when it is off. */
  readonly #agents: {readonly address: string; readonly server: AgentServer} | undefined;

  constructor(
    @use(config<IngestConfig>()) {grpcListenAddr: address}: IngestConfig,
    @use(reader('ingest.metrics.v1')) metrics: MetricWriter | undefined,
    @use(reader('ingest.compat.v1')) compat: CompatSpanWriter | undefined,
    @use(reader('ingest.native.v1')) native: SegmentWriter | undefined,
    @use(LOGGER) log: Logger,
    @use(METER) meter: Meter,
    @use(LIMITS) limits: PluginLimits,
  ) {
    this.#writers = {
      ...(metrics && {'ingest.metrics.v1': metrics}),
      ...(compat && {'ingest.compat.v1': compat}),
      ...(native && {'ingest.native.v1': native}),
    };
    this.#meter = meter;
    this.#limits = limits;
    this.#instances = new Instances(metrics);
    this.#agents =
      address === undefined
        ? undefined
        : {address, server: new AgentServer(native, this.#instances, {log, meter, limits})};
  }

  async start(): Promise<PluginStarted | undefined> {
    if (this.#agents === undefined) return undefined;
    const {address, server} = this.#agents;
    return {addresses: {ingestGrpc: await server.listen(parseHostPort(address))}};
  }

  routes(routes: Routes): void {
    ingestRoutes(routes, ingestFormats(this.#limits), this.#writers, this.#meter);
    managementRoutes(routes, this.#instances);
  }

  async stop(): Promise<void> {
    await this.#agents?.server.stop();
  }
}

/** Takes metrics and both kinds of traces over HTTP, those of SkyWalking's agents over gRPC, and writes them into the storage. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'ingest',
  requires: [],
  optional: ['ingest.metrics.v1', 'ingest.compat.v1', 'ingest.native.v1'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      grpcListenAddr: listenAddress(
        'Where agents of SkyWalking report, as host:port (they know port 11800); off unless set.',
      ),
    },
  },
  checkConfig: ({grpcListenAddr: address}: IngestConfig) =>
    address === undefined ? [] : listenAddressMistakes('grpcListenAddr', address),
  sockets: ({grpcListenAddr: address}: IngestConfig) =>
    address === undefined ? [] : [{name: 'ingestGrpc', key: 'grpcListenAddr', ...parseHostPort(address)}],
  listener: {name: 'ingest', host: '127.0.0.1', port: 9411, prefix: '/'},
  right: 'write',
  renderError,
  main: Ingest,
} satisfies PluginDefinition;
