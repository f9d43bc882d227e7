import {randomUUID} from 'node:crypto';
import {compareNames} from '../../../core/api/plugin.js';
import type {RegisterAgentRequest} from '../../diagnostics/proto/contract.js';
import {type AgentStatus, RegisteredAgent} from './registered-agent.js';
import {MOST_OF_A_GROUP, StandbyGroup} from './standby-group.js';

export interface RegistryOptions {
  /** Milliseconds. */
  readonly heartbeatTimeout: number;
  /** Milliseconds. */
  readonly cleanupTimeout: number;
  readonly maxAgents: number;
}

/** Called when something has happened to an agent. */
export interface RegistryEvents {
  /** Requests go to it from now on, instead of `former` where another agent of its names was active until now. */
  activated(agent: RegisteredAgent, former: RegisteredAgent | undefined): void;
  /** It has sent a heartbeat though a newer registration of its names is active: two agents have the same names. */
  contested(agent: RegisteredAgent): void;
  /** It has no registration any more, and its streams are of no use: another one of its names is active. */
  discarded(agent: RegisteredAgent): void;
  /** Its entry is given up: it was offline too long, or had left and the registry is full. */
  removed(agent: RegisteredAgent, why: 'offline' | 'full'): void;
  wentOffline(agent: RegisteredAgent): void;
  cameBack(agent: RegisteredAgent): void;
}

/** Why a registration is refused. The text goes to the agent. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

/**
 * The agents that have registered. An agent without a heartbeat for the heartbeat timeout is offline, and one that has
 * been offline for the cleanup timeout is removed.
 *
 * A registration takes the place of the one of the same pod and containers, which stays known while it is connected:
 * agents of the database register again at once when a stream of theirs ends, so that two of the same names would drive
 * each other out without end. The one that was driven out is not asked, and comes back when the newer one has gone.
 */
export class AgentRegistry {
  readonly #options: RegistryOptions;
  readonly #events: RegistryEvents;
  /** All that are known, those that stand by among them. */
  readonly #byId = new Map<string, RegisteredAgent>();
  readonly #groups = new Map<string, StandbyGroup>();
  #sorted: readonly RegisteredAgent[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegistryOptions, events: RegistryEvents) {
    this.#options = options;
    this.#events = events;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** The active ones, in the order of pod and containers, which is the order of everything that is answered. */
  list(): readonly RegisteredAgent[] {
    this.#sorted ??= [...this.#groups.values()]
      .map(({active}) => active)
      .sort((a, b) => compareNames(a.podName, b.podName) || compareNames(a.identity, b.identity));
    return this.#sorted;
  }

  count(status: AgentStatus): number {
    let count = 0;
    for (const {active} of this.#groups.values()) if (active.status === status) count++;
    return count;
  }

  get(id: string): RegisteredAgent | undefined {
    return this.#byId.get(id);
  }

  /** Throws `RegistrationRefused`. */
  register(request: RegisterAgentRequest): RegisteredAgent {
    const {maxAgents} = this.#options;
    const agent = new RegisteredAgent(randomUUID(), request);
    const group = this.#groups.get(agent.identity);
    if (group === undefined && this.size >= maxAgents && !this.#makeRoom()) {
      throw new RegistrationRefused(`maximum number of agents (${maxAgents}) reached`);
    }
    if (request.node_role === '') throw new RegistrationRefused('node role cannot be empty');
    if (request.pod_name === '') throw new RegistrationRefused('pod name cannot be empty');
    if (group?.isFull === true) {
      const names = 'agents of this pod and its containers are connected; each needs names of its own';
      throw new RegistrationRefused(`${MOST_OF_A_GROUP} ${names}`);
    }
    const former = group?.active;
    this.#byId.set(agent.id, agent);
    if (group === undefined) this.#groups.set(agent.identity, new StandbyGroup(agent));
    else group.activate(agent);
    this.#sorted = undefined;
    this.#events.activated(agent, former);
    if (former?.isConnected === false) this.#discard(former);
    this.#schedule();
    return agent;
  }

  /** Whether the agent is known. */
  heartbeat(agent: RegisteredAgent, request: RegisterAgentRequest): boolean {
    const group = this.#groupOf(agent);
    if (group === undefined) return false;
    const wasOffline = agent.status === 'offline';
    agent.heard(request);
    if (group.active === agent) {
      if (wasOffline) this.#events.cameBack(agent);
    } else if (group.active.status === 'offline') {
      this.#handOver(group);
    } else {
      this.#events.contested(agent);
    }
    return true;
  }

  /** The stream of the agent's registration has ended. Its entry stays until its heartbeat is missed, or another takes it. */
  left(agent: RegisteredAgent): void {
    agent.isConnected = false;
    const group = this.#groupOf(agent);
    if (group === undefined) return;
    if (group.active === agent) this.#handOver(group);
    else this.#discard(agent);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #groupOf(agent: RegisteredAgent): StandbyGroup | undefined {
    return this.#byId.get(agent.id) === agent ? this.#groups.get(agent.identity) : undefined;
  }

  /** Another agent of the same names is asked from now on, where one is there. */
  #handOver(group: StandbyGroup): void {
    const former = group.active;
    const next = group.successor();
    if (next === undefined) return;
    group.activate(next);
    this.#sorted = undefined;
    this.#events.activated(next, former);
    if (!former.isConnected) this.#discard(former);
  }

  #discard(agent: RegisteredAgent): void {
    this.#byId.delete(agent.id);
    this.#groups.get(agent.identity)?.remove(agent);
    this.#events.discarded(agent);
  }

  #remove(agent: RegisteredAgent, why: 'offline' | 'full'): void {
    for (const each of this.#groups.get(agent.identity)?.all ?? []) this.#byId.delete(each.id);
    this.#groups.delete(agent.identity);
    this.#sorted = undefined;
    this.#events.removed(agent, why);
  }

  /** Gives up the entry that has been without a connection for longest. Whether there was one. */
  #makeRoom(): boolean {
    let gone: RegisteredAgent | undefined;
    for (const {active} of this.#groups.values()) {
      if (!active.isConnected && (gone === undefined || active.since < gone.since)) gone = active;
    }
    if (gone !== undefined) this.#remove(gone, 'full');
    return gone !== undefined;
  }

  /** One timer for the earliest deadline. A heartbeat only moves its agent's away, so it needs no new one. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#byId.size === 0) return;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const agent of this.#byId.values()) next = Math.min(next, this.#deadline(agent) - now);
    this.#timer = setTimeout(() => this.#sweep(), Math.max(next, 1)).unref();
  }

  #deadline({status, since}: RegisteredAgent): number {
    const {heartbeatTimeout, cleanupTimeout} = this.#options;
    return since + (status === 'online' ? heartbeatTimeout : cleanupTimeout);
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const agent of this.#byId.values()) {
      if (this.#deadline(agent) > now) continue;
      const group = this.#groupOf(agent);
      if (agent.status === 'online') {
        agent.status = 'offline';
        agent.since = now;
        if (group?.active !== agent) continue;
        this.#events.wentOffline(agent);
        this.#handOver(group);
      } else if (group?.active === agent) {
        this.#remove(agent, 'offline');
      } else {
        this.#discard(agent);
      }
    }
    this.#schedule();
  }
}
