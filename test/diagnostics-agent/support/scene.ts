import type {Owner} from '../../support/gateway.js';
import {type RunningAgent, startAgent} from './agent.js';
import {type FakeEndpoint, startEndpoint} from './fake-endpoint.js';
import {DATA_HOT, FakeNode} from './fake-node.js';
import {FakeProxy, type FakeProxyOptions} from './fake-proxy.js';
import {until} from './until.js';

export interface Scene {
  readonly endpoint: FakeEndpoint;
  readonly node: FakeNode;
  readonly proxy: FakeProxy;
  readonly agent: RunningAgent;
  /** Waits until a scrape that began from now on has ended well or badly. */
  scraped(): Promise<void>;
}

export interface SceneOptions {
  readonly page?: string;
  readonly flags?: Readonly<Record<string, string | number>>;
  readonly proxy?: FakeProxyOptions;
}

/** An agent with everything around it: an endpoint that it scrapes often, a data node and a proxy. */
export async function startScene(
  t: Owner,
  {page = 'up 1\n', flags = {}, proxy: options = {}}: SceneOptions = {},
): Promise<Scene> {
  const [endpoint, node, proxy] = await Promise.all([
    startEndpoint(t, page),
    FakeNode.start(t, {node: DATA_HOT}),
    FakeProxy.start(t, options),
  ]);
  const agent = await startAgent(t, {
    'poll-metrics-ports': endpoint.port,
    'poll-metrics-interval': '50ms',
    'pod-name': 'data-hot-0',
    'proxy-addr': proxy.address,
    'cluster-state-ports': node.port,
    'cluster-state-poll-interval': '50ms',
    'reconnect-interval': '50ms',
    ...flags,
  });
  const scraped = async (): Promise<void> => {
    // The second request from now follows the end of a scrape that began from now on.
    const before = endpoint.requests.length;
    await until(() => endpoint.requests.length >= before + 2, 'two scrapes');
  };
  return {endpoint, node, proxy, agent, scraped};
}
