import {randomUUID} from 'node:crypto';
import {compareNames} from '../../../core/api/plugin.js';
import type {RegisterAgentRequest} from '../proto/contract.js';
import {Agent, type AgentStatus} from './agent.js';

export interface RegistryOptions {
  /** Milliseconds. */
  readonly heartbeatTimeout: number;
  /** Milliseconds. */
  readonly cleanupTimeout: number;
  readonly maxAgents: number;
}

/** Called when something has happened to an agent. */
export interface RegistryEvents {
  registered(agent: Agent): void;
  /** It has been taken out; `successor` has its place, unless it was removed for being offline too long. */
  removed(agent: Agent, successor: Agent | undefined): void;
  wentOffline(agent: Agent): void;
  cameBack(agent: Agent): void;
}

/** Why a registration is refused. The text goes to the agent. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

/**
 * The agents that have registered. An agent without a heartbeat for the heartbeat timeout is offline, and one that has
 * been offline for the cleanup timeout is removed. A registration replaces the one of the same pod and containers.
 */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #events: RegistryEvents;
  readonly #byId = new Map<string, Agent>();
  readonly #byIdentity = new Map<string, Agent>();
  #sorted: readonly Agent[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegistryOptions, events: RegistryEvents) {
    this.#options = options;
    this.#events = events;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** In the order of pod and containers, which is the order of everything that is answered. */
  list(): readonly Agent[] {
    this.#sorted ??= [...this.#byId.values()].sort(
      (a, b) => compareNames(a.podName, b.podName) || compareNames(a.identity, b.identity),
    );
    return this.#sorted;
  }

  count(status: AgentStatus): number {
    let count = 0;
    for (const agent of this.#byId.values()) if (agent.status === status) count++;
    return count;
  }

  get(id: string): Agent | undefined {
    return this.#byId.get(id);
  }

  /** Throws `RegistrationRefused`. */
  register(request: RegisterAgentRequest): Agent {
    const {maxAgents} = this.#options;
    const agent = new Agent(randomUUID(), request);
    const {identity} = agent;
    const earlier = this.#byIdentity.get(identity);
    if (earlier === undefined && this.#byId.size >= maxAgents) {
      throw new RegistrationRefused(`maximum number of agents (${maxAgents}) reached`);
    }
    if (request.node_role === '') throw new RegistrationRefused('node role cannot be empty');
    if (request.pod_name === '') throw new RegistrationRefused('pod name cannot be empty');
    if (earlier !== undefined) {
      this.#byId.delete(earlier.id);
      agent.nodes = earlier.nodes;
    }
    this.#byId.set(agent.id, agent);
    this.#byIdentity.set(identity, agent);
    this.#sorted = undefined;
    if (earlier !== undefined) this.#events.removed(earlier, agent);
    this.#events.registered(agent);
    this.#schedule();
    return agent;
  }

  /** Whether the agent is known. */
  heartbeat(agent: Agent, request: RegisterAgentRequest): boolean {
    if (this.#byId.get(agent.id) !== agent) return false;
    const wasOffline = agent.status === 'offline';
    agent.heard(request);
    if (wasOffline) this.#events.cameBack(agent);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** One timer for the earliest deadline. A heartbeat only moves its agent's away, so it needs no new one. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#byId.size === 0) return;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const agent of this.#byId.values()) next = Math.min(next, this.#deadline(agent) - now);
    this.#timer = setTimeout(() => this.#sweep(), Math.max(next, 1)).unref();
  }

  #deadline({status, since}: Agent): number {
    const {heartbeatTimeout, cleanupTimeout} = this.#options;
    return since + (status === 'online' ? heartbeatTimeout : cleanupTimeout);
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const agent of this.#byId.values()) {
      if (this.#deadline(agent) > now) continue;
      if (agent.status === 'online') {
        agent.status = 'offline';
        agent.since = now;
        this.#events.wentOffline(agent);
      } else {
        this.#byId.delete(agent.id);
        this.#byIdentity.delete(agent.identity);
        this.#sorted = undefined;
        this.#events.removed(agent, undefined);
      }
    }
    this.#schedule();
  }
}
