import type {RegisteredAgent} from './registered-agent.js';

/** So many agents of the same names may be connected. */
export const MOST_OF_A_GROUP = 32;

/** The agents of one pod and the same containers: one is active, the others are connected and stand by. */
export class StandbyGroup {
  #active: RegisteredAgent;
  /** As they were replaced, the last one first. */
  #standbys: readonly RegisteredAgent[] = [];

  constructor(agent: RegisteredAgent) {
    this.#active = agent;
  }

  /** The one that requests go to. */
  get active(): RegisteredAgent {
    return this.#active;
  }

  get all(): readonly RegisteredAgent[] {
    return [this.#active, ...this.#standbys];
  }

  get isFull(): boolean {
    return this.#standbys.length + 1 >= MOST_OF_A_GROUP;
  }

  /** The agent is active from now on, and goes on with what was known of the node before. */
  activate(agent: RegisteredAgent): void {
    agent.inherit(this.#active);
    this.#standbys = [this.#active, ...this.#standbys].filter(each => each !== agent);
    this.#active = agent;
  }

  /** A standby has gone. */
  remove(standby: RegisteredAgent): void {
    this.#standbys = this.#standbys.filter(each => each !== standby);
  }

  /** Who can become active: of those that stand by, the first that is online. */
  successor(): RegisteredAgent | undefined {
    return this.#standbys.find(({status, isConnected}) => isConnected && status === 'online');
  }
}
