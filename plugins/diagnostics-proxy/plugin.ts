import {status} from '@grpc/grpc-js';
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
import {ChannelServer} from './channel/server.js';
import {ChannelService} from './channel/service.js';
import {Collector} from './collect/collector.js';
import {Reporter} from './collect/reporter.js';
import {CONFIG_SCHEMA, checkConfig, type ProxyConfig} from './config.js';
import {renderError} from './http/errors.js';
import {addRoutes} from './http/routes.js';
import {REPLACED} from './proto/contract.js';
import type {Agent} from './registry/agent.js';
import {Registry, type RegistryEvents} from './registry/registry.js';
import {Repeats} from './repeats.js';
import {ProxyMetrics} from './telemetry.js';

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
    this.#registry = new Registry({...timeouts, maxAgents: settings.maxAgents}, this.#events());
    const options = {maxMessageSize: settings.grpcMaxMsgSize, heartbeatInterval: settings.heartbeatInterval};
    const service = new ChannelService(this.#registry, options, {log, metrics: this.#metrics, repeats: this.#repeats});
    this.#server = new ChannelServer(service, settings.grpcMaxMsgSize, log);
    const reporter = new Reporter(this.#metrics, log, this.#repeats);
    this.#collector = new Collector(this.#registry, this.#metrics, reporter);
  }

  async start(): Promise<PluginStarted> {
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

  #events(): RegistryEvents {
    const tell = (message: string, agent: Agent): void => {
      this.#count();
      const {id, podName, nodeRole, containerNames} = agent;
      this.#log.info(message, {agent_id: id, pod: podName, role: nodeRole, container_names: containerNames});
    };
    return {
      registered: agent => {
        this.#metrics.registered.add();
        tell('an agent has registered', agent);
      },
      removed: (agent, successor) => {
        if (successor === undefined) {
          tell('an agent was offline too long and is removed', agent);
          return;
        }
        tell('an agent is replaced by a newer registration of its pod and containers', agent);
        for (const call of agent.calls) call.fail(status.ABORTED, REPLACED);
      },
      wentOffline: agent => tell('an agent has sent no heartbeat and is offline', agent),
      cameBack: agent => tell('an agent is online again', agent),
    };
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
