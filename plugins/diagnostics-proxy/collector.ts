import {
  channelMethods,
  type Node,
  type Outgoing,
  type StreamClusterTopologyRequest,
  type StreamClusterTopologyResponse,
  type StreamLifecycleRequest,
  type StreamLifecycleResponse,
  type Topology,
} from '../diagnostics/proto/contract.js';
import {type Latest, readLatest, toLatest} from './families/agent-families.js';
import {toSeries} from './families/latest-series.js';
import {buildPage, type Page} from './families/merged-page.js';
import {upFamily} from './families/up-family.js';
import {Collections, type Gathered} from './fan-out/fan-out.js';
import {Drops, type Reporter} from './fan-out/fan-out-report.js';
import {mergeLifecycle} from './lifecycle/merge-lifecycle.js';
import type {Registry} from './registry/agent-registry.js';
import type {Agent} from './registry/registered-agent.js';
import type {Drop} from './telemetry/dropped-samples.js';
import type {ProxyMetrics} from './telemetry/proxy-metrics.js';
import {type ClusterTopology, mergeTopology} from './topology/merge-topology.js';
import {type AgentWindow, readWindow} from './windows/windows.js';
import type {Window} from './wire/metrics-message-reader.js';
import {Slices, type Turns} from './yielding/yielder.js';

/** How long an agent has to say what its nodes are, in milliseconds. */
const LEARNING = 2000;

/** What a collection gave, and which registered agents gave nothing to it. */
export interface Collected<T> {
  readonly value: T;
  readonly missing: readonly Agent[];
}

/** Collects from the agents what a request asks for. What has not come in time is left out. */
export class Collector {
  readonly slices = new Slices();
  readonly #registry: Registry;
  readonly #metrics: ProxyMetrics;
  readonly #reporter: Reporter;
  readonly #latest: Collections<Window, Latest>;
  readonly #windows: Collections<Window, AgentWindow>;
  readonly #topology: Collections<Outgoing<StreamClusterTopologyResponse>, StreamClusterTopologyRequest>;
  readonly #lifecycle: Collections<Outgoing<StreamLifecycleResponse>, StreamLifecycleRequest>;
  /** The page of each round, made once for all requests that share it. */
  readonly #pages = new WeakMap<Gathered<Latest>, Promise<Page>>();

  constructor(registry: Registry, metrics: ProxyMetrics, reporter: Reporter) {
    this.#registry = registry;
    this.#metrics = metrics;
    this.#reporter = reporter;
    const {slices} = this;
    const {StreamClusterTopology, StreamLifecycle} = channelMethods;
    this.#latest = new Collections(
      {
        streamOf: agent => agent.metrics,
        read: reporter.reading('metrics', (agent, answer, _, turns, drop) => readLatest(agent, answer, turns, drop)),
        gathered: round => reporter.gathered('metrics', round),
      },
      slices,
    );
    this.#windows = new Collections(
      {
        streamOf: agent => agent.metrics,
        read: reporter.reading('metrics', readWindow),
        gathered: round => reporter.gathered('metrics', round),
      },
      slices,
    );
    this.#topology = new Collections(
      {
        streamOf: agent => agent.topology,
        read: reporter.reading('topology', inOneStep(StreamClusterTopology.requestDeserialize)),
        gathered: round => reporter.gathered('topology', round),
      },
      slices,
    );
    this.#lifecycle = new Collections(
      {
        streamOf: agent => agent.lifecycle,
        read: reporter.reading('lifecycle', inOneStep(StreamLifecycle.requestDeserialize)),
        gathered: round => reporter.gathered('lifecycle', round),
      },
      slices,
    );
  }

  /** Waits for no agent any more: what has come is given at once. */
  hurry(): void {
    for (const collections of [this.#latest, this.#windows, this.#topology, this.#lifecycle]) collections.hurry();
  }

  /** The latest values of the agents that are online, and the proxy's own. `pods`: those that are wanted, none for all. */
  async page(pods: readonly string[], writeTimeout: number): Promise<Collected<Page>> {
    const round = await this.#latest.ask({}, this.#online(pods), writeTimeout);
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
  ): Promise<Collected<readonly AgentWindow[]>> {
    const round = await this.#windows.ask(window, this.#online(pods), writeTimeout);
    return {value: [...round.value.values()], missing: this.#missing(round, pods)};
  }

  async topology(writeTimeout: number): Promise<Collected<ClusterTopology>> {
    const asked = this.#registry.list().filter(({topology}) => topology.isOpen);
    const round = await this.#topology.ask({request_topology: true}, asked, writeTimeout);
    for (const [agent, {topology}] of round.value) agent.nodes = ownNodes(agent, topology);
    const silent = this.#registry.list().filter(agent => !round.value.has(agent));
    const none = {nodes: [], calls: []};
    const all = [
      ...[...round.value].map(([agent, {topology}]) => [agent, topology ?? none] as const),
      // Without them the nodes of agents that have gone would lose their pods, or be nowhere.
      ...silent.map(agent => [agent, {nodes: agent.nodes, calls: []}] as const),
    ];
    return {value: await mergeTopology(all, this.slices), missing: this.#missing(round, [])};
  }

  /** Asks for the nodes of an agent of which nothing is known yet: were it to vanish before anyone asks, they had no pod. */
  async learn(agent: Agent): Promise<void> {
    if (agent.nodes.length > 0) return;
    const answer = await agent.topology.ask({request_topology: true}, performance.now() + LEARNING);
    if (answer === undefined || agent.nodes.length > 0) return;
    await this.slices.turn();
    try {
      const {topology} = channelMethods.StreamClusterTopology.requestDeserialize(answer);
      agent.nodes = ownNodes(agent, topology);
    } catch {
      // A collection says so.
    }
  }

  /**
   * What an agent gave last stands until it gives something else or is removed. Agents without the stream do not count as
   * missing: they have no lifecycle.
   */
  async lifecycle(writeTimeout: number): Promise<Collected<object>> {
    const asked = this.#registry.list().filter(({lifecycle}) => lifecycle.isOpen);
    const {value} = await this.#lifecycle.ask({request_lifecycle: true}, asked, writeTimeout);
    for (const [agent, {lifecycle_data}] of value) agent.lifecycleData = lifecycle_data;
    const stale = this.#registry
      .list()
      .filter(agent => !value.has(agent) && (agent.lifecycle.isOpen || agent.lifecycleData !== undefined));
    const known = [...value.keys(), ...stale].map(agent => [agent, agent.lifecycleData ?? null] as const);
    return {value: mergeLifecycle(known.filter(([agent]) => agent.lifecycleData !== undefined)), missing: stale};
  }

  /**
   * The agents that are asked for metrics: of the pods that are wanted, where each is one that has registered. The labels
   * of another's series may name those that have not.
   */
  #online(pods: readonly string[]): readonly Agent[] {
    const all = this.#registry.list();
    const names = new Set(all.map(({podName}) => podName));
    const wanted = pods.every(pod => names.has(pod)) ? takes(pods) : () => true;
    return all.filter(agent => agent.status === 'online' && wanted(agent));
  }

  #missing({value}: Gathered<unknown>, pods: readonly string[]): readonly Agent[] {
    const wanted = takes(pods);
    return this.#registry.list().filter(agent => !value.has(agent) && wanted(agent));
  }

  async #makePage({value}: Gathered<Latest>): Promise<Page> {
    const families = [upFamily(this.#registry.list(), new Set(value.keys())), ...this.#metrics.families()];
    const series = families.flatMap(({type, help: description, samples}) =>
      samples.map(({name, labels, value: number}) => toSeries({name, value: number, description, type}, labels)),
    );
    const own = await toLatest({pod: undefined, time: Number.POSITIVE_INFINITY}, series, this.slices, new Drops().drop);
    const drops = new Map([...value].map(([agent, latest]) => [latest, {agent, drops: new Drops()}]));
    const dropOf = (latest: Latest): Drop => (drops.get(latest)?.drops ?? new Drops()).drop;
    const page = await buildPage([own, ...value.values()], this.slices, dropOf);
    for (const {agent, drops: left} of drops.values()) this.#reporter.dropped('page', agent, left);
    return page;
  }
}

/** The records that an agent gives of its own nodes. */
function ownNodes({podName}: Agent, topology: Topology | null): readonly Node[] {
  return topology?.nodes.filter(({labels}) => labels.pod_name === podName) ?? [];
}

function takes(pods: readonly string[]): (agent: Agent) => boolean {
  const names = new Set(pods);
  return ({podName}) => names.size === 0 || names.has(podName);
}

/** Reads a message that is small enough for one step. */
function inOneStep<T>(decode: (answer: Buffer) => T): (...args: [Agent, Buffer, object, Turns]) => Promise<T> {
  return async (_agent, answer, _command, turns) => {
    await turns.turn();
    return decode(answer);
  };
}
