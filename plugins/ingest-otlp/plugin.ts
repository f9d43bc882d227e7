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
  type OtlpSpanWriter,
  type PluginDefinition,
  type PluginLimits,
  type PluginSockets,
  type PluginStarted,
  type Routes,
  reader,
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
import {TraceServer} from './grpc/trace-server.js';
import {renderError} from './http/errors.js';
import {otlpRoutes} from './http/routes.js';
import {SpanIntake} from './span-intake.js';

/** The name of the gRPC address in the ready line. */
const SOCKET = 'otlpGrpc';

interface OtlpConfig extends GrpcSocketConfig {
  readonly grpcListenAddr: string;
  readonly compat: boolean;
}

@injectable()
class IngestOtlp implements GatewayPlugin {
  readonly #config: OtlpConfig;
  readonly #limits: PluginLimits;
  readonly #services: GrpcSocketServices;
  readonly #intake: SpanIntake;
  #server: TraceServer | undefined;

  constructor(
    @use(config<OtlpConfig>()) settings: OtlpConfig,
    @use(reader('ingest.otlp.v1')) otlp: OtlpSpanWriter | undefined,
    @use(reader('ingest.compat.v1')) compat: CompatSpanWriter | undefined,
    @use(LOGGER) log: Logger,
    @use(METER) meter: Meter,
    @use(LIMITS) limits: PluginLimits,
    @use(ACCESS) access: AccessCheck,
  ) {
    const {compat: isCompat} = settings;
    this.#config = settings;
    this.#limits = limits;
    this.#services = {socket: SOCKET, right: 'write', access, log, meter};
    this.#intake = new SpanIntake({otlp, compat: isCompat ? compat : undefined}, limits, meter);
    const lacks = [...(otlp ? [] : ['ingest.otlp.v1']), ...(isCompat && !compat ? ['ingest.compat.v1'] : [])];
    if (lacks.length > 0) log.warn('spans are not written where the storage lacks a capability', {missing: lacks});
  }

  async start(_signal: AbortSignal, sockets: PluginSockets): Promise<PluginStarted> {
    const options = await grpcServerOptions(this.#config, this.#limits.ingestBody, this.#services);
    this.#server = new TraceServer(this.#intake, this.#limits, options);
    const address = parseHostPort(this.#config.grpcListenAddr);
    return {addresses: {[SOCKET]: await this.#server.listen(SOCKET, address, sockets)}};
  }

  routes(routes: Routes): void {
    otlpRoutes(routes, this.#intake);
  }

  drain(): void {
    this.#server?.drain();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }
}

/** Takes traces of the OpenTelemetry protocol over HTTP and gRPC, and writes them into the storage as they came. */
export default {
  kind: 'plugin',
  apiVersion: 1,
  name: 'ingest-otlp',
  requires: [],
  optional: ['ingest.otlp.v1', 'ingest.compat.v1'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...grpcSocketKeys(
        'Where senders connect over gRPC, as host:port; without a host on every address.',
        'write',
        '127.0.0.1:4317',
      ),
      compat: {
        type: 'boolean',
        default: false,
        description: 'Whether spans are also written as compat spans, as SkyWalking maps them.',
      },
    },
  },
  checkConfig: grpcSocketMistakes,
  sockets: (settings: OtlpConfig) => grpcSockets(SOCKET, settings),
  listener: {name: 'otlp', host: '127.0.0.1', port: 4318, prefix: '/'},
  right: 'write',
  renderError,
  main: IngestOtlp,
} satisfies PluginDefinition;
