import {
  ACCESS,
  type AccessCheck,
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
  type PluginSockets,
  type PluginStarted,
  type Readers,
  type Routes,
  reader,
  type SegmentWriter,
  use,
} from '../../core/api/plugin.js';
import {
  type GrpcSocketConfig,
  type GrpcSocketServices,
  grpcServerOptions,
  grpcSocketKeys,
  grpcSocketMistakes,
  grpcSockets,
} from '../../core/toolkit/grpc/grpc-socket.js';
import {parseHostPort} from '../../core/toolkit/grpc/host-port.js';
import {ingestFormats} from './formats/all-formats.js';
import {renderError} from './http/errors.js';
import {managementRoutes} from './http/management-routes.js';
import {ingestRoutes} from './http/routes.js';
import type {AgentServer} from './skywalking/agent-server.js';
import {AGENT_CREDENTIALS} from './skywalking/authentication.js';
import {Instances} from './skywalking/instances.js';

/** The name of the address of SkyWalking's agents in the ready line. */
const SOCKET = 'ingestGrpc';

@injectable()
class Ingest implements GatewayPlugin {
  readonly #writers: Readers;
  readonly #meter: Meter;
  readonly #limits: PluginLimits;
  readonly #instances: Instances;
  readonly #config: GrpcSocketConfig;
  readonly #services: GrpcSocketServices;
  readonly #segments: SegmentWriter | undefined;
  #server: AgentServer | undefined;

  constructor(
    @use(config<GrpcSocketConfig>()) settings: GrpcSocketConfig,
    @use(reader('ingest.metrics.v1')) metrics: MetricWriter | undefined,
    @use(reader('ingest.compat.v1')) compat: CompatSpanWriter | undefined,
    @use(reader('ingest.native.v1')) native: SegmentWriter | undefined,
    @use(LOGGER) log: Logger,
    @use(METER) meter: Meter,
    @use(LIMITS) limits: PluginLimits,
    @use(ACCESS) access: AccessCheck,
  ) {
    this.#writers = {
      ...(metrics && {'ingest.metrics.v1': metrics}),
      ...(compat && {'ingest.compat.v1': compat}),
      ...(native && {'ingest.native.v1': native}),
    };
    this.#meter = meter;
    this.#limits = limits;
    this.#instances = new Instances(metrics);
    this.#config = settings;
    this.#services = {socket: SOCKET, right: 'write', access, log, meter, place: AGENT_CREDENTIALS};
    this.#segments = native;
  }

  /** Opens the address of SkyWalking's agents, if there is one. */
  async start(_signal: AbortSignal, sockets: PluginSockets): Promise<PluginStarted | undefined> {
    const {grpcListenAddr: address} = this.#config;
    if (address === undefined) return undefined;
    const options = await grpcServerOptions(this.#config, this.#limits.ingestBody, this.#services);
    const services = {...this.#services, limits: this.#limits};
    // Its messages and gRPC are loaded where agents report.
    const {AgentServer} = await import('./skywalking/agent-server.js');
    this.#server = new AgentServer(this.#segments, this.#instances, services, options);
    return {addresses: {[SOCKET]: await this.#server.listen(SOCKET, parseHostPort(address), sockets)}};
  }

  routes(routes: Routes): void {
    ingestRoutes(routes, ingestFormats(this.#limits), this.#writers, this.#meter);
    managementRoutes(routes, this.#instances);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
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
      ...grpcSocketKeys(
        'Where agents of SkyWalking report, as host:port (they know port 11800); off unless set.',
        'write',
      ),
    },
  },
  checkConfig: grpcSocketMistakes,
  sockets: (settings: GrpcSocketConfig) => grpcSockets(SOCKET, settings),
  listener: {name: 'ingest', host: '127.0.0.1', port: 9411, prefix: '/'},
  right: 'write',
  renderError,
  main: Ingest,
} satisfies PluginDefinition;
