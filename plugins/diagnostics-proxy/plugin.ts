import {
  config,
  type GatewayPlugin,
  injectable,
  LOGGER,
  type Logger,
  METER,
  type Meter,
  type PluginDefinition,
  type PluginStarted,
  type Routes,
  use,
} from '../../core/api/plugin.js';
import {type Address, parseAddress} from './address.js';
import {ChannelServer} from './channel/channel-server.js';
import {ChannelService} from './channel/channel-service.js';
import {Collector} from './collector.js';
import {CONFIG_SCHEMA, checkConfig, type ProxyConfig, toldSeconds, warningsOf} from './config.js';
import {Reporter} from './fan-out/fan-out-report.js';
import {renderError} from './http/errors.js';
import {addRoutes} from './http/routes.js';
import {Registry} from './registry/agent-registry.js';
import type {Agent} from './registry/registered-agent.js';
import {RegistryLog} from './registry/registry-log.js';
import {ProxyMetrics} from './telemetry/proxy-metrics.js';
import {Repeats} from './telemetry/repeats.js';

@injectable()
class DiagnosticsProxy implements GatewayPlugin {
  readonly #config: ProxyConfig;
  readonly #log: Logger;
  readonly #metrics: ProxyMetrics;
  readonly #registry: Registry;
  readonly #repeats = new Repeats();
  readonly #server: ChannelServer;
  readonly #collector: Collector;

  constructor(@use(config<ProxyConfig>()) settings: ProxyConfig, @use(LOGGER) log: Logger, @use(METER) meter: Meter) {
    this.#config = settings;
    this.#log = log;
    this.#metrics = new ProxyMetrics(meter);
    const timeouts = {heartbeatTimeout: settings.agentHeartbeatTimeout, cleanupTimeout: settings.agentCleanupTimeout};
    const {maxAgents} = settings;
    const registryLog = new RegistryLog(log, this.#repeats, maxAgents, () => this.#count());
    this.#registry = new Registry({...timeouts, maxAgents}, registryLog);
    const options = {maxMessageSize: settings.grpcMaxMsgSize, heartbeatSeconds: toldSeconds(settings)};
    const telemetry = {log, registryLog, metrics: this.#metrics, repeats: this.#repeats};
    const service = new ChannelService(this.#registry, options, telemetry);
    const reporter = new Reporter(this.#metrics, log, this.#repeats);
    this.#collector = new Collector(this.#registry, this.#metrics, reporter);
    const learn = (agent: Agent): void => void this.#collector.learn(agent);
    this.#server = new ChannelServer(service, settings.grpcMaxMsgSize, log, learn);
  }

  async start(): Promise<PluginStarted> {
    for (const [message, fields] of warningsOf(this.#config)) this.#log.warn(message, fields);
    // The schema has checked the form.
    const address = parseAddress(this.#config.grpcListenAddr) as Address;
    return {addresses: {grpc: await this.#server.listen(address)}};
  }

  routes(routes: Routes): void {
    addRoutes(routes, this.#registry, this.#collector);
  }

  drain(): void {
    this.#collector.hurry();
  }

  async stop(): Promise<void> {
    this.#registry.stop();
    await this.#server.stop();
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
  requires: [],
  configSchema: CONFIG_SCHEMA,
  checkConfig,
  sockets: ({grpcListenAddr}: ProxyConfig) => [
    {name: 'grpc', key: 'grpcListenAddr', ...(parseAddress(grpcListenAddr) as Address)},
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
