import type {Logger} from '../../core/api/telemetry.js';
import {every} from '../../core/toolkit/periodic.js';
import {
  type Node,
  nodeMethods,
  type Role,
  type RouteTable,
  type Topology,
} from '../../plugins/diagnostics/proto/contract.js';
import {reasonOf} from '../error-reason.js';
import {retry} from '../retry.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {TroubleLog} from '../telemetry/trouble-log.js';
import {buildTopology} from './build-topology.js';
import {isUnimplemented, NodeClient} from './node-client.js';

const CALL_TIMEOUT_MS = 5000;
const FIRST_WAIT_MS = 100;

export interface ClusterStateOptions {
  readonly ports: readonly number[];
  /** Milliseconds. */
  readonly interval: number;
  readonly podName: string;
}

/** One port that is asked, and what it said last. */
interface Source {
  readonly port: number;
  readonly client: NodeClient;
  /** Whether it has said who it is, or failed to. */
  isTried: boolean;
  node?: Node;
  routeTables?: Readonly<Record<string, RouteTable>>;
  readonly troubles: TroubleLog;
}

/** What the database nodes beside the agent know of themselves and of their cluster, polled. */
export class ClusterState {
  readonly #options: ClusterStateOptions;
  readonly #sources: readonly Source[];
  readonly #metrics: AgentMetrics;
  readonly #log: Logger;
  #role = '';
  #nodeLabels: Readonly<Record<string, string>> = {};
  /** Resolves when the role is known. */
  readonly known: Promise<void>;
  #settleKnown: () => void = () => undefined;

  constructor(options: ClusterStateOptions, {metrics, log}: {readonly metrics: AgentMetrics; readonly log: Logger}) {
    this.#options = options;
    this.#sources = options.ports.map(port => ({
      port,
      client: new NodeClient(port),
      isTried: false,
      troubles: new TroubleLog(log),
    }));
    this.#metrics = metrics;
    this.#log = log;
    this.known = new Promise(resolve => {
      this.#settleKnown = resolve;
    });
    for (const {port} of this.#sources) metrics.clusterUp.set({port: String(port)}, 0);
  }

  /** The node's role as the wire names it; empty until one is known. Once known it never becomes unknown again. */
  get role(): string {
    return this.#role;
  }

  get nodeLabels(): Readonly<Record<string, string>> {
    return this.#nodeLabels;
  }

  get topology(): Topology {
    const views = this.#sources.flatMap(({node, routeTables}) =>
      node === undefined || routeTables === undefined ? [] : [{node, routeTables}],
    );
    return buildTopology(views, this.#options.podName);
  }

  /** Polls each port at once and then in every interval, until the signal aborts. One that hangs delays no other. */
  async poll(signal: AbortSignal): Promise<void> {
    const ask = (source: Source): Promise<void> => this.#ask(source, signal);
    await Promise.all(this.#sources.map(source => every(this.#options.interval, signal, () => ask(source))));
    for (const {client} of this.#sources) client.close();
  }

  /** A node that does not answer keeps what it said before. */
  async #ask(source: Source, signal: AbortSignal): Promise<void> {
    const {client, port} = source;
    const options = {wait: FIRST_WAIT_MS, mayPass: (error: unknown) => !isUnimplemented(error), signal};
    const call = {timeout: CALL_TIMEOUT_MS, signal};
    try {
      const {node} = await retry(() => client.call(nodeMethods.GetCurrentNode, call), options);
      if (node !== null) source.node = node;
      this.#tried(source);
      source.routeTables = await retry(() => client.call(nodeMethods.GetClusterState, call), options).then(
        ({route_tables}) => route_tables,
        // A node without the service knows no others, and is one all the same.
        error => (isUnimplemented(error) ? {} : Promise.reject(error)),
      );
      this.#metrics.clusterUp.set({port: String(port)}, 1);
      source.troubles.report();
    } catch (error) {
      if (signal.aborted) return;
      this.#metrics.clusterUp.set({port: String(port)}, 0);
      const reason = reasonOf(error);
      source.troubles.report({message: 'a node gave no cluster state', fields: {port, reason}, key: reason});
      this.#tried(source);
    }
  }

  #tried(source: Source): void {
    source.isTried = true;
    this.#settleRole();
  }

  /** The first port that gives a role decides, once it is known of those before it that they give none. */
  #settleRole(): void {
    for (const {node, isTried} of this.#sources) {
      if (!isTried) return;
      const role = node === undefined ? undefined : roleOf(node.roles);
      if (node === undefined || role === undefined) continue;
      if (role !== this.#role) this.#log.info('the role of the node is known', {role});
      this.#role = role;
      this.#nodeLabels = node.labels;
      this.#settleKnown();
      return;
    }
  }
}

const NAMED: readonly Role[] = ['ROLE_LIAISON', 'ROLE_DATA'];

/** A node that also keeps metadata is named by its other role. */
function roleOf(roles: readonly Role[]): Role | undefined {
  return roles.find(role => NAMED.includes(role)) ?? roles.find(role => role === 'ROLE_META');
}
