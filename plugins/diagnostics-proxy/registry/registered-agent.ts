import type {
  LifecycleData,
  Node,
  PartialMessage,
  RegisterAgentRequest,
  StreamClusterTopologyResponse,
  StreamLifecycleResponse,
} from '../../diagnostics/proto/contract.js';
import {fitsCommand, type Window} from '../wire/metrics-message-reader.js';
import {CommandStream} from './command-stream.js';

export type AgentStatus = 'online' | 'offline';

/** What ends a call with a status of gRPC. */
export interface OpenCall {
  fail(code: number, details: string): void;
  end(): void;
}

/** One registered agent: who it is, how it is, and the streams for commands to it. */
export class RegisteredAgent {
  readonly id: string;
  readonly podName: string;
  readonly containerNames: readonly string[];
  /** Of agents with the same identity one is active. */
  readonly identity: string;
  /** The records of its own nodes that it gave last. */
  nodes: readonly Node[] = [];
  /** The lifecycle data that it gave last. */
  lifecycleData: LifecycleData | null | undefined;
  readonly registeredAt = Date.now();
  nodeRole: string;
  labels: Readonly<Record<string, string>>;
  status: AgentStatus = 'online';
  /** Whether the stream of its registration is open. */
  isConnected = true;
  /** Milliseconds since 1970. */
  lastHeartbeat = this.registeredAt;
  /** On the clock of `performance.now()`, which nobody sets: when the last heartbeat came, or the agent went offline. */
  since = performance.now();
  /** Every call of the agent that is open, the registration among them. */
  readonly calls = new Set<OpenCall>();
  readonly metrics = new CommandStream<Window>({late: 'drop', fits: fitsCommand});
  readonly topology = new CommandStream<PartialMessage<StreamClusterTopologyResponse>>({late: 'drop'});
  readonly lifecycle = new CommandStream<PartialMessage<StreamLifecycleResponse>>({late: 'keep'});

  constructor(id: string, {pod_name, container_names, node_role, labels}: RegisterAgentRequest) {
    this.id = id;
    this.podName = pod_name;
    this.containerNames = container_names;
    this.identity = JSON.stringify([pod_name, [...container_names].sort()]);
    this.nodeRole = node_role;
    this.labels = labels;
  }

  /** Knows of the node what an agent of the same names knew before it. */
  inherit({nodes, lifecycleData}: RegisteredAgent): void {
    if (this.nodes.length === 0) this.nodes = nodes;
    this.lifecycleData ??= lifecycleData;
  }

  heard({node_role, labels}: RegisterAgentRequest): void {
    this.status = 'online';
    this.lastHeartbeat = Date.now();
    this.since = performance.now();
    if (node_role === '' || node_role === UNRESOLVED || node_role === this.nodeRole) return;
    this.nodeRole = node_role;
    if (Object.keys(labels).length > 0) this.labels = labels;
  }
}

/** What an agent says while it does not know the role of its node. */
const UNRESOLVED = 'ROLE_UNSPECIFIED';
