import {type Cancellable, cooperate, pause} from '../../core/toolkit/yielder.js';
import {
  channelMethods,
  type Node,
  type PartialMessage,
  type StreamClusterTopologyRequest,
  type StreamClusterTopologyResponse,
  type StreamLifecycleRequest,
  type StreamLifecycleResponse,
  type Topology,
} from '../diagnostics/proto/contract.js';
import {KeptOutlines} from './families/kept-outlines.js';
import {toLatestSeries} from './families/latest-series.js';
import {type MergedPage, mergePage} from './families/merged-page.js';
import {type SourceFamilies, toLines} from './families/source-families.js';
import {SharedLayouts} from './families/source-layout.js';
import {upFamily} from './families/up-family.js';
import {type AgentAnswer, FanOut, type FanOutRound} from './fan-out/fan-out.js';
import type {FanOutReport} from './fan-out/fan-out-report.js';
import {mergeLifecycle} from './lifecycle/merge-lifecycle.js';
import type {AgentRegistry} from './registry/agent-registry.js';
import type {RegisteredAgent} from './registry/registered-agent.js';
import {type Drop, DroppedSamples} from './telemetry/dropped-samples.js';
import type {ProxyMetrics} from './telemetry/proxy-metrics.js';
import {type ClusterTopology, mergeTopology} from './topology/merge-topology.js';
import {type AgentWindow, readWindow} from './windows/read-window.js';
import type {Window} from './wire/metrics-message-reader.js';

/** How long an agent has to say what its nodes are, in milliseconds. */
const LEARNING = 2000;

/** What a fan-out gave, and which registered agents gave nothing to it. */
export interface FanOutResult<T> {
  readonly value: T;
  readonly missing: readonly RegisteredAgent[];
}

/** Collects from the agents what a request asks for. What has not come in time is left out. */
export class Collector {
  readonly #registry: AgentRegistry;
  readonly #metrics: ProxyMetrics;
  readonly #report: FanOutReport;
  readonly #latest: FanOut<Window, SourceFamilies>;
  readonly #windows: FanOut<Window, AgentWindow>;
  readonly #topology: FanOut<PartialMessage<StreamClusterTopologyResponse>, StreamClusterTopologyRequest>;
  readonly #lifecycle: FanOut<PartialMessage<StreamLifecycleResponse>, StreamLifecycleRequest>;
  readonly #layouts = new SharedLayouts();
  /** The page of each round, made once for all requests that share it. */
  readonly #pages = new WeakMap<FanOutRound<SourceFamilies>, Promise<MergedPage>>();

  constructor(registry: AgentRegistry, metrics: ProxyMetrics, report: FanOutReport) {
    this.#registry = registry;
    this.#metrics = metrics;
    this.#report = report;
    const {StreamClusterTopology, StreamLifecycle} = channelMethods;
    const outlines = new KeptOutlines(this.#layouts);
    this.#latest = new FanOut({
      streamOf: agent => agent.metrics,
      read: report.reader('metrics', (agent, answer, _, drop, call) => outlines.read(agent, answer, drop, call)),
      completed: round => report.completed('metrics', round),
    });
    this.#windows = new FanOut({
      streamOf: agent => agent.metrics,
      read: report.reader('metrics', readWindow),
      completed: round => report.completed('metrics', round),
    });
    this.#topology = new FanOut({
      streamOf: agent => agent.topology,
      read: report.reader('topology', inOneStep(StreamClusterTopology.requestDeserialize)),
      completed: round => report.completed('topology', round),
    });
    this.#lifecycle = new FanOut({
      streamOf: agent => agent.lifecycle,
      read: report.reader('lifecycle', inOneStep(StreamLifecycle.requestDeserialize)),
      completed: round => report.completed('lifecycle', round),
    });
  }

  /** Waits for no agent any more: what has come is given at once. */
  endWaiting(): void {
    for (const fanOut of [this.#latest, this.#windows, this.#topology, this.#lifecycle]) fanOut.endWaiting();
  }

  /** The latest values of the agents that are online, and the proxy's own. `pods`: those that are wanted, none for all. */
  async page(pods: readonly string[], writeTimeout: number): Promise<FanOutResult<MergedPage>> {
    const round = await this.#latest.request({}, this.#online(pods), writeTimeout);
    let page = this.#pages.get(round);
    if (page === undefined) {
      page = this.#makePage(round);
      this.#pages.set(round, page);
    }
    return {value: await page, missing: this.#missing(round, pods)};
  }

  /** The samples of a window by agent; without bounds, the latest ones. */
  async windows(
    window: Window,
    pods: readonly string[],
    writeTimeout: number,
  ): Promise<FanOutResult<readonly AgentWindow[]>> {
    const round = await this.#windows.request(window, this.#online(pods), writeTimeout);
    return {value: [...round.answers.values()], missing: this.#missing(round, pods)};
  }

  async topology(writeTimeout: number): Promise<FanOutResult<ClusterTopology>> {
    const agents = this.#registry.list().filter(({topology}) => topology.isOpen);
    const round = await this.#topology.request({request_topology: true}, agents, writeTimeout);
    for (const [agent, {topology}] of round.answers) agent.nodes = ownNodes(agent, topology);
    const silent = this.#registry.list().filter(agent => !round.answers.has(agent));
    const none = {nodes: [], calls: []};
    const all = [
      ...[...round.answers].map(([agent, {topology}]) => [agent, topology ?? none] as const),
      // Without them the nodes of agents that have gone would lose their pods, or be nowhere.
      ...silent.map(agent => [agent, {nodes: agent.nodes, calls: []}] as const),
    ];
    return {value: await mergeTopology(all), missing: this.#missing(round, [])};
  }

  /**
   * Requests the nodes of an agent of which nothing is known yet: were it to vanish before anyone wants the topology, they
   * had no pod.
   */
  async learnNodes(agent: RegisteredAgent): Promise<void> {
    if (agent.nodes.length > 0) return;
    const answer = await agent.topology.request({request_topology: true}, performance.now() + LEARNING);
    if (answer === undefined || agent.nodes.length > 0) return;
    await pause();
    try {
      const {topology} = channelMethods.StreamClusterTopology.requestDeserialize(answer);
      agent.nodes = ownNodes(agent, topology);
    } catch {
      // A fan-out says so.
    }
  }

  /**
   * What an agent gave last stands until it gives something else or is removed. Agents without the stream do not count as
   * missing: they have no lifecycle.
   */
  async lifecycle(writeTimeout: number): Promise<FanOutResult<object>> {
    const agents = this.#registry.list().filter(({lifecycle}) => lifecycle.isOpen);
    const {answers} = await this.#lifecycle.request({request_lifecycle: true}, agents, writeTimeout);
    for (const [agent, {lifecycle_data}] of answers) agent.lifecycleData = lifecycle_data;
    const stale = this.#registry
      .list()
      .filter(agent => !answers.has(agent) && (agent.lifecycle.isOpen || agent.lifecycleData !== undefined));
    const known = [...answers.keys(), ...stale].map(agent => [agent, agent.lifecycleData ?? null] as const);
    return {value: mergeLifecycle(known.filter(([agent]) => agent.lifecycleData !== undefined)), missing: stale};
  }

  /**
   * The agents that metrics are requested from: of the pods that are wanted, where each is one that has registered. The
   * labels of another's series may name those that have not.
   */
  #online(pods: readonly string[]): readonly RegisteredAgent[] {
    const all = this.#registry.list();
    const names = new Set(all.map(({podName}) => podName));
    const isWanted = pods.every(pod => names.has(pod)) ? ofPods(pods) : () => true;
    return all.filter(agent => agent.status === 'online' && isWanted(agent));
  }

  #missing({answers}: FanOutRound<unknown>, pods: readonly string[]): readonly RegisteredAgent[] {
    const isWanted = ofPods(pods);
    return this.#registry.list().filter(agent => !answers.has(agent) && isWanted(agent));
  }

  async #makePage({answers}: FanOutRound<SourceFamilies>): Promise<MergedPage> {
    const families = [upFamily(this.#registry.list(), new Set(answers.keys())), ...this.#metrics.families()];
    const all = families.flatMap(({type, help: description, samples}) =>
      samples.map(sample => ({...sample, description, type})),
    );
    const series = all.map(({labels, ...sample}, place) => toLatestSeries({...sample, place}, labels));
    const none = new DroppedSamples().drop;
    const own: SourceFamilies = {
      pod: undefined,
      time: Number.POSITIVE_INFINITY,
      lines: await cooperate(toLines(series, this.#layouts, none)),
      values: Float64Array.from(all, ({value}) => value),
    };
    const dropped = new Map([...answers].map(([agent, source]) => [source, {agent, samples: new DroppedSamples()}]));
    const dropOf = (source: SourceFamilies): Drop => dropped.get(source)?.samples.drop ?? none;
    const page = await mergePage([own, ...answers.values()], {layouts: this.#layouts, dropOf});
    for (const {agent, samples} of dropped.values()) this.#report.dropped('page', agent, samples);
    return page;
  }
}

/** The records that an agent gives of its own nodes. */
function ownNodes({podName}: RegisteredAgent, topology: Topology | null): readonly Node[] {
  return topology?.nodes.filter(({labels}) => labels.pod_name === podName) ?? [];
}

/** Whether an agent is one of these pods; none for any. */
function ofPods(pods: readonly string[]): (agent: RegisteredAgent) => boolean {
  const names = new Set(pods);
  return ({podName}) => names.size === 0 || names.has(podName);
}

/** Reads a message that is small enough for one step. */
function inOneStep<T>(decode: (answer: Buffer) => T) {
  return async (
    _agent: RegisteredAgent,
    {bytes}: AgentAnswer,
    _command: object,
    _drop: Drop,
    call: Cancellable,
  ): Promise<T> => {
    await pause(call);
    return decode(bytes);
  };
}
