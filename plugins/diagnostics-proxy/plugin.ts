import {
  ACCESS,
  type AccessCheck,
  config,
  type GatewayPlugin,
  injectable,
  LOGGER,
  type Logger,
  METER,
  type Meter,
  type PluginDefinition,
  type PluginSockets,
  type PluginStarted,
  type Routes,
  use,
} from '../../core/api/plugin.js';
import {AccessGuard} from '../../core/toolkit/grpc/access-guard.js';
import type {GrpcServerOptions} from '../../core/toolkit/grpc/grpc-server.js';
import {parseHostPort} from '../../core/toolkit/grpc/host-port.js';
import {LogOnce} from '../../core/toolkit/log-once.js';
import {WatchedServerTls} from '../../core/toolkit/tls/server-tls.js';
import {ChannelServer} from './channel/channel-server.js';
import {ChannelService} from './channel/channel-service.js';
import {Collector} from './collector.js';
import {CONFIG_SCHEMA, checkConfig, type ProxyConfig, toldSeconds, warningsOf} from './config.js';
import {FanOutReport} from './fan-out/fan-out-report.js';
import {renderError} from './http/errors.js';
import {diagnosticsRoutes} from './http/routes.js';
import {AgentRegistry} from './registry/agent-registry.js';
import type {RegisteredAgent} from './registry/registered-agent.js';
import {RegistryLog} from './registry/registry-log.js';
import {ProxyMetrics} from './telemetry/proxy-metrics.js';

/** The name of the channel's address in the ready line, in warnings and in metrics. */
const SOCKET = 'grpc';

@injectable()
class DiagnosticsProxy implements GatewayPlugin {
  readonly #config: ProxyConfig;
  readonly #log: Logger;
  readonly #metrics: ProxyMetrics;
  readonly #registry: AgentRegistry;
  readonly #once = new LogOnce();
  readonly #service: ChannelService;
  readonly #meter: Meter;
  readonly #access: AccessCheck;
  readonly #collector: Collector;
  #server: ChannelServer | undefined;

  constructor(
    @use(config<ProxyConfig>()) settings: ProxyConfig,
    @use(LOGGER) log: Logger,
    @use(METER) meter: Meter,
    @use(ACCESS) access: AccessCheck,
  ) {
    this.#config = settings;
    this.#log = log;
    this.#meter = meter;
    this.#access = access;
    this.#metrics = new ProxyMetrics(meter);
    const timeouts = {heartbeatTimeout: settings.agentHeartbeatTimeout, cleanupTimeout: settings.agentCleanupTimeout};
    const {maxAgents} = settings;
    const registryLog = new RegistryLog(log, this.#once, maxAgents, () => this.#count());
    this.#registry = new AgentRegistry({...timeouts, maxAgents}, registryLog);
    const options = {maxMessageSize: settings.grpcMaxMsgSize, heartbeatSeconds: toldSeconds(settings)};
    const telemetry = {log, registryLog, metrics: this.#metrics, once: this.#once};
    this.#service = new ChannelService(this.#registry, options, telemetry);
    const report = new FanOutReport(this.#metrics, log, this.#once);
    this.#collector = new Collector(this.#registry, this.#metrics, report);
  }

  async start(_signal: AbortSignal, sockets: PluginSockets): Promise<PluginStarted> {
    for (const {message, options, fields} of warningsOf(this.#config)) this.#log.warn(message, {options, ...fields});
    const learn = (agent: RegisteredAgent): void => void this.#collector.learnNodes(agent);
    this.#server = new ChannelServer(this.#service, this.#serverOptions(), learn);
    return {
      addresses: {[SOCKET]: await this.#server.listen(SOCKET, parseHostPort(this.#config.grpcListenAddr), sockets)},
    };
  }

  routes(routes: Routes): void {
    diagnosticsRoutes(routes, this.#registry, this.#collector);
  }

  drain(): void {
    this.#collector.endWaiting();
  }

  async stop(): Promise<void> {
    this.#registry.stop();
    await this.#server?.stop();
  }

  #serverOptions(): GrpcServerOptions {
    const {grpcMaxMsgSize: maxMessageSize, grpcTls, grpcAccess} = this.#config;
    const services = {socket: SOCKET, log: this.#log, meter: this.#meter};
    const tls = grpcTls && new WatchedServerTls(grpcTls, {...services, key: 'grpcTls'});
    const guard = grpcAccess ? new AccessGuard({...services, access: this.#access, right: 'agent'}) : undefined;
    return {maxMessageSize, log: this.#log, tls, guard};
  }

  #count(): void {
    this.#metrics.online.set(this.#registry.count('online'));
    this.#metrics.offline.set(this.#registry.count('offline'));
  }
}

const definition: PluginDefinition = {
  kind: 'plugin',
  apiVersion: 1,
  name: 'diagnostics-proxy',
  once: true,
  requires: [],
  configSchema: CONFIG_SCHEMA,
  checkConfig,
  sockets: ({grpcListenAddr, grpcTls, grpcAccess}: ProxyConfig) => [
    {
      name: SOCKET,
      key: 'grpcListenAddr',
      ...parseHostPort(grpcListenAddr),
      tls: grpcTls !== undefined,
      access: grpcAccess || grpcTls?.clientCa !== undefined,
      ...(grpcAccess && {accessKey: 'grpcAccess'}),
    },
  ],
  listener: {
    name: 'diagnostics',
    host: '0.0.0.0',
    port: 17_913,
    readTimeout: 10_000,
    writeTimeout: 10_000,
    prefix: '/',
  },
  renderError,
  main: DiagnosticsProxy,
};

export default definition;
