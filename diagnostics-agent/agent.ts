import type {Logger} from '../core/api/telemetry.js';
import {lifecycleStream} from './channel/lifecycle-stream.js';
import {metricsStream} from './channel/metrics-stream.js';
import {ProxyClient} from './channel/proxy-client.js';
import {ProxySecurity} from './channel/proxy-security.js';
import type {ProxySecurityOptions} from './channel/security-options.js';
import {topologyStream} from './channel/topology-stream.js';
import {controllerOfMany} from './child-signal.js';
import {ClusterState} from './cluster/cluster-state.js';
import {LifecycleCollector, type LifecycleOptions} from './lifecycle/lifecycle-collector.js';
import {readMemoryLimit} from './recorder/memory-limit.js';
import {Recorder} from './recorder/recorder.js';
import {PageFetcher} from './scrape/fetch-page.js';
import {scrapeAll} from './scrape/scrape-all.js';
import {ScrapeEndpoint} from './scrape/scrape-endpoint.js';
import {AgentMetrics} from './telemetry/agent-metrics.js';
import {type ListenAddress, MetricsServer} from './telemetry/metrics-server.js';

/** What the flags ask for. Times are milliseconds. */
export interface AgentOptions {
  readonly scrape: {
    readonly interval: number;
    readonly endpoints: readonly {readonly port: number; readonly containerName: string}[];
  };
  /** Of the memory limit, in percent. */
  readonly memoryPercentage: number;
  readonly listen: ListenAddress;
  readonly podName: string;
  readonly proxy: ProxySecurityOptions & {
    readonly address: string;
    readonly heartbeatInterval: number;
    readonly reconnectInterval: number;
  };
  readonly cluster: {readonly ports: readonly number[]; readonly interval: number};
  /** A port of 0 collects nothing. */
  readonly lifecycle: LifecycleOptions;
}

/** The memory that is shared out where no limit is set: the machine's own belongs to others too. */
const ASSUMED_LIMIT = 2 ** 30;

/** The agent of one database node: scrapes and records, polls the cluster state, and answers the proxy. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #loggerOf: (component: string) => Logger;
  readonly #stopping = controllerOfMany();
  readonly #metrics = new AgentMetrics();
  readonly #server = new MetricsServer(this.#metrics);
  readonly #fetcher = new PageFetcher();
  readonly #recorder: Recorder;
  readonly #cluster: ClusterState | undefined;
  readonly #lifecycle: LifecycleCollector | undefined;
  #tasks: readonly Promise<void>[] = [];

  constructor(options: AgentOptions, loggerOf: (component: string) => Logger) {
    this.#options = options;
    this.#loggerOf = loggerOf;
    const {scrape, memoryPercentage, cluster, lifecycle, podName} = options;
    const limit = readMemoryLimit() ?? ASSUMED_LIMIT;
    // Beside each endpoint stands whether it is up.
    this.#recorder = new Recorder(Math.floor((limit * memoryPercentage) / 100), 2 * scrape.endpoints.length);
    const metrics = this.#metrics;
    if (cluster.ports.length > 0) {
      this.#cluster = new ClusterState({...cluster, podName}, {metrics, log: loggerOf('cluster')});
    }
    if (lifecycle.port !== 0) this.#lifecycle = new LifecycleCollector(lifecycle, loggerOf('lifecycle'));
    metrics.observe('recorder_budget_bytes', 'Memory that recorded metrics may take.', () => this.#recorder.budget);
    metrics.observe('recorder_bytes', 'Memory that recorded metrics take.', () => this.#recorder.memory);
    metrics.observe('recorder_series', 'Series with recorded samples.', () => this.#recorder.table.size);
    metrics.observe('recorder_samples', 'Recorded samples.', () => this.#recorder.samples);
    metrics.observeTotal(
      'recorder_evicted_samples_total',
      'Samples that were given up for newer ones.',
      () => this.#recorder.evicted,
    );
  }

  /** Opens the agent's own endpoint and begins to work. Gives the URL of the endpoint. */
  async start(): Promise<string> {
    const url = await this.#server.listen(this.#options.listen);
    const {signal} = this.#stopping;
    const {scrape, podName} = this.#options;
    const cluster = this.#cluster;
    const services = {
      fetcher: this.#fetcher,
      recorder: this.#recorder,
      metrics: this.#metrics,
      log: this.#loggerOf('scrape'),
    };
    const endpoints = scrape.endpoints.map((endpoint, index) => {
      const upIndex = scrape.endpoints.length + index;
      return new ScrapeEndpoint({index, upIndex, ...endpoint}, services);
    });
    this.#tasks = [
      scrapeAll(endpoints, {interval: scrape.interval, podName, node: cluster}, signal),
      ...(cluster === undefined ? [] : [cluster.poll(signal)]),
      this.#register(signal),
    ];
    return url;
  }

  /** Ends all work and closes the endpoint; bounded by the time that its parts give themselves. Safe without `start`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#tasks, this.#server.close(), this.#fetcher.close()]);
    this.#lifecycle?.close();
  }

  /** Stays registered, from when address, pod name and role are known. */
  async #register(signal: AbortSignal): Promise<void> {
    const {proxy, podName, scrape} = this.#options;
    const cluster = this.#cluster;
    const log = this.#loggerOf('proxy');
    const missing = [
      ...(proxy.address === '' ? ['--proxy-addr is empty'] : []),
      ...(podName === '' ? ['--pod-name is empty'] : []),
      ...(cluster === undefined ? ['--cluster-state-ports is empty, so the role of the node stays unknown'] : []),
    ];
    if (cluster === undefined || missing.length > 0) {
      log.warn('the agent does not register with a proxy', {missing});
      return;
    }
    const security = new ProxySecurity(proxy, log);
    signal.addEventListener('abort', () => security.close());
    await Promise.race([cluster.known, new Promise(resolve => signal.addEventListener('abort', resolve))]);
    const containerNames = scrape.endpoints.map(({containerName}) => containerName).filter(name => name !== '');
    const client = new ProxyClient(
      {
        proxyAddress: proxy.address,
        security,
        podName,
        heartbeatInterval: proxy.heartbeatInterval,
        reconnectInterval: proxy.reconnectInterval,
        registration: () => ({
          node_role: cluster.role,
          labels: cluster.nodeLabels,
          pod_name: podName,
          container_names: containerNames,
        }),
        streams: [
          metricsStream(this.#recorder),
          topologyStream(() => cluster.topology),
          ...(this.#lifecycle === undefined ? [] : [lifecycleStream(this.#lifecycle, podName)]),
        ],
      },
      {metrics: this.#metrics, log},
    );
    await client.run(signal);
  }
}
