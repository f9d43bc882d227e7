import type {Logger} from '../../../core/api/plugin.js';
import type {Family} from '../exposition/model.js';
import {
  channelMethods,
  type Outgoing,
  type StreamClusterTopologyResponse,
  type StreamLifecycleResponse,
  type StreamMetricsResponse,
} from '../proto/contract.js';
import type {Agent} from '../registry/agent.js';
import type {Registry} from '../registry/registry.js';
import type {Kind, ProxyMetrics} from '../telemetry.js';
import {type Collection, Collections} from './collection.js';
import {decodeLatest, type Latest} from './latest.js';
import {mergeLifecycle} from './lifecycle.js';
import {buildPage, type Page} from './page.js';
import {toSeries} from './series.js';
import {Slices} from './slices.js';
import {mergeTopology} from './topology.js';
import {upFamily} from './up.js';
import {decodeWindow, type TimeSeries, type Window} from './windows.js';

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
  readonly #log: Logger;
  readonly #latest = new Collections<Outgoing<StreamMetricsResponse>>(agent => agent.metrics, this.slices);
  readonly #topology = new Collections<Outgoing<StreamClusterTopologyResponse>>(agent => agent.topology, this.slices);
  readonly #lifecycle = new Collections<Outgoing<StreamLifecycleResponse>>(agent => agent.lifecycle, this.slices);
  /** The page of each collection, made once for all requests that share it. */
  readonly #pages = new WeakMap<Collection, Promise<Collected<Page>>>();

  constructor(registry: Registry, metrics: ProxyMetrics, log: Logger) {
    this.#registry = registry;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** The latest values of the agents that are online, and the proxy's own. */
  page(writeTimeout: number): Promise<Collected<Page>> {
    const collection = this.#latest.ask({}, this.#online(), writeTimeout);
    let page = this.#pages.get(collection);
    if (page === undefined) {
      page = this.#makePage(collection);
      this.#pages.set(collection, page);
    }
    return page;
  }

  /** The samples of a window by agent; without a window, the latest ones. */
  async windows(
    window: Window | undefined,
    writeTimeout: number,
  ): Promise<Collected<ReadonlyMap<Agent, readonly TimeSeries[]>>> {
    const command = {
      ...(window?.start !== undefined && {start_time: window.start}),
      ...(window?.end !== undefined && {end_time: window.end}),
    };
    const bounds = window ?? {start: undefined, end: undefined};
    const collection = this.#latest.ask(command, this.#online(), writeTimeout);
    return this.#gather('metrics', collection, (agent, bytes) => decodeWindow(agent, bytes, bounds, this.slices));
  }

  async topology(writeTimeout: number): Promise<Collected<object>> {
    const agents = this.#registry.list();
    const asked = agents.filter(({topology}) => topology.isOpen);
    const collection = this.#topology.ask({request_topology: true}, asked, writeTimeout);
    const {value} = await this.#gather('topology', collection, async (_, bytes) => {
      await this.slices.turn();
      return channelMethods.StreamClusterTopology.requestDeserialize(bytes);
    });
    const topologies = [...value.values()].flatMap(({topology}) => topology ?? []);
    return {value: mergeTopology(topologies, agents), missing: agents.filter(agent => !value.has(agent))};
  }

  /** Agents without the stream do not count as missing: they have no lifecycle. */
  async lifecycle(writeTimeout: number): Promise<Collected<object>> {
    const asked = this.#registry.list().filter(({lifecycle}) => lifecycle.isOpen);
    const collection = this.#lifecycle.ask({request_lifecycle: true}, asked, writeTimeout);
    const {value} = await this.#gather('lifecycle', collection, async (_, bytes) => {
      await this.slices.turn();
      return channelMethods.StreamLifecycle.requestDeserialize(bytes);
    });
    return {value: mergeLifecycle([...value]), missing: asked.filter(agent => !value.has(agent))};
  }

  #online(): readonly Agent[] {
    return this.#registry.list().filter(({status}) => status === 'online');
  }

  async #makePage(collection: Collection): Promise<Collected<Page>> {
    const {value, missing} = await this.#gather('metrics', collection, (agent, bytes) =>
      decodeLatest(agent, bytes, this.slices),
    );
    const up = upFamily(this.#registry.list(), new Set(value.keys()));
    const own = ownValues([up, ...this.#metrics.families()]);
    return {value: await buildPage([own, ...value.values()], this.slices), missing};
  }

  /** Decodes each answer when it comes. An agent whose answer is damaged has given nothing. */
  async #gather<T>(
    kind: Kind,
    {answers}: Collection,
    decode: (agent: Agent, bytes: Buffer) => Promise<T>,
  ): Promise<Collected<ReadonlyMap<Agent, T>>> {
    const begun = performance.now();
    const decoded = await Promise.all(
      [...answers].map(async ([agent, answer]): Promise<readonly [Agent, T] | undefined> => {
        const bytes = await answer;
        return bytes && (await this.#decode(kind, agent, () => decode(agent, bytes)));
      }),
    );
    const value = new Map(decoded.filter(each => each !== undefined));
    const missing = this.#registry.list().filter(agent => !value.has(agent));
    this.#metrics.collections[kind].add();
    this.#metrics.seconds[kind].add((performance.now() - begun) / 1000);
    const silent = [...answers.keys()].filter(agent => !value.has(agent));
    this.#metrics.missing[kind].add(silent.length);
    if (silent.length > 0) {
      this.#log.warn('agents gave nothing to a collection', {kind, pods: silent.map(({podName}) => podName)});
    }
    return {value, missing};
  }

  async #decode<T>(kind: Kind, agent: Agent, decode: () => Promise<T>): Promise<readonly [Agent, T] | undefined> {
    try {
      return [agent, await decode()];
    } catch (error) {
      this.#metrics.malformed.add();
      this.#log.warn('an answer cannot be decoded', {kind, pod: agent.podName, err: error});
      return undefined;
    }
  }
}

/** What the proxy says itself comes first and is always the newest. */
function ownValues(families: readonly Family[]): Latest {
  const series = families.flatMap(({type, help: description, samples}) =>
    samples.map(({name, labels, value}) =>
      toSeries({name, labels: [], value, description, time: undefined, type}, labels),
    ),
  );
  return {time: Number.POSITIVE_INFINITY, series};
}
