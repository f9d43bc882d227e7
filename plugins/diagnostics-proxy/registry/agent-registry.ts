import {randomUUID} from 'node:crypto';
import {compareNames} from '../../../core/api/plugin.js';
import type {RegisterAgentRequest} from '../../diagnostics/proto/contract.js';
import {Agent, type AgentStatus} from './registered-agent.js';
import {MOST_OF_A_PLACE, Place} from './standby-group.js';

export interface RegistryOptions {
  /** Milliseconds. */
  readonly heartbeatTimeout: number;
  /** Milliseconds. */
  readonly cleanupTimeout: number;
  readonly maxAgents: number;
}

/** Called when something has happened to an agent. */
export interface RegistryEvents {
  /** It is asked from now on, instead of `former` where another agent of its names was until now. */
  tookPlace(agent: Agent, former: Agent | undefined): void;
  /** It has sent a heartbeat though a newer registration of its names has its place: two agents have the same names. */
  contested(agent: Agent): void;
  /** It has no registration any more, and its streams are of no use: another one of its names has its place. */
  discarded(agent: Agent): void;
  /** Its entry is given up: it was offline too long, or had left and the registry is full. */
  removed(agent: Agent, why: 'offline' | 'full'): void;
  wentOffline(agent: Agent): void;
  cameBack(agent: Agent): void;
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
export class Registry {
  readonly #options: RegistryOptions;
  readonly #events: RegistryEvents;
  /** All that are known, those that are not asked among them. */
  readonly #byId = new Map<string, Agent>();
  readonly #places = new Map<string, Place>();
  #sorted: readonly Agent[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegistryOptions, events: RegistryEvents) {
    this.#options = options;
    this.#events = events;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Those that are asked, in the order of pod and containers, which is the order of everything that is answered. */
  list(): readonly Agent[] {
    this.#sorted ??= [...this.#places.values()]
      .map(({current}) => current)
      .sort((a, b) => compareNames(a.podName, b.podName) || compareNames(a.identity, b.identity));
    return this.#sorted;
  }

  count(status: AgentStatus): number {
    let count = 0;
    for (const {current} of this.#places.values()) if (current.status === status) count++;
    return count;
  }

  get(id: string): Agent | undefined {
    return this.#byId.get(id);
  }

  /** Throws `RegistrationRefused`. */
  register(request: RegisterAgentRequest): Agent {
    const {maxAgents} = this.#options;
    const agent = new Agent(randomUUID(), request);
    const place = this.#places.get(agent.identity);
    if (place === undefined && this.size >= maxAgents && !this.#makeRoom()) {
      throw new RegistrationRefused(`maximum number of agents (${maxAgents}) reached`);
    }
    if (request.node_role === '') throw new RegistrationRefused('node role cannot be empty');
    if (request.pod_name === '') throw new RegistrationRefused('pod name cannot be empty');
    if (place?.isFull === true) {
      const names = 'agents of this pod and its containers are connected; each needs names of its own';
      throw new RegistrationRefused(`${MOST_OF_A_PLACE} ${names}`);
    }
    const former = place?.current;
    this.#byId.set(agent.id, agent);
    if (place === undefined) this.#places.set(agent.identity, new Place(agent));
    else place.take(agent);
    this.#sorted = undefined;
    this.#events.tookPlace(agent, former);
    if (former?.isConnected === false) this.#discard(former);
    this.#schedule();
    return agent;
  }

  /** Whether the agent is known. */
  heartbeat(agent: Agent, request: RegisterAgentRequest): boolean {
    const place = this.#placeOf(agent);
    if (place === undefined) return false;
    const wasOffline = agent.status === 'offline';
    agent.heard(request);
    if (place.current === agent) {
      if (wasOffline) this.#events.cameBack(agent);
    } else if (place.current.status === 'offline') {
      this.#handOver(place);
    } else {
      this.#events.contested(agent);
    }
    return true;
  }

  /** The stream of the agent's registration has ended. Its entry stays until its heartbeat is missed, or another takes it. */
  left(agent: Agent): void {
    agent.isConnected = false;
    const place = this.#placeOf(agent);
    if (place === undefined) return;
    if (place.current === agent) this.#handOver(place);
    else this.#discard(agent);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #placeOf(agent: Agent): Place | undefined {
    return this.#byId.get(agent.id) === agent ? this.#places.get(agent.identity) : undefined;
  }

  /** Another agent of the same names is asked from now on, where one is there. */
  #handOver(place: Place): void {
    const former = place.current;
    const next = place.next();
    if (next === undefined) return;
    place.take(next);
    this.#sorted = undefined;
    this.#events.tookPlace(next, former);
    if (!former.isConnected) this.#discard(former);
  }

  #discard(agent: Agent): void {
    this.#byId.delete(agent.id);
    this.#places.get(agent.identity)?.drop(agent);
    this.#events.discarded(agent);
  }

  #remove(agent: Agent, why: 'offline' | 'full'): void {
    for (const each of this.#places.get(agent.identity)?.all ?? []) this.#byId.delete(each.id);
    this.#places.delete(agent.identity);
    this.#sorted = undefined;
    this.#events.removed(agent, why);
  }

  /** Gives up the entry that has been without a connection for longest. Whether there was one. */
  #makeRoom(): boolean {
    let gone: Agent | undefined;
    for (const {current} of this.#places.values()) {
      if (!current.isConnected && (gone === undefined || current.since < gone.since)) gone = current;
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

  #deadline({status, since}: Agent): number {
    const {heartbeatTimeout, cleanupTimeout} = this.#options;
    return since + (status === 'online' ? heartbeatTimeout : cleanupTimeout);
  }

  #sweep(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const agent of this.#byId.values()) {
      if (this.#deadline(agent) > now) continue;
      const place = this.#placeOf(agent);
      if (agent.status === 'online') {
        agent.status = 'offline';
        agent.since = now;
        if (place?.current !== agent) continue;
        this.#events.wentOffline(agent);
        this.#handOver(place);
      } else if (place?.current === agent) {
        this.#remove(agent, 'offline');
      } else {
        this.#discard(agent);
      }
    }
    this.#schedule();
  }
}
