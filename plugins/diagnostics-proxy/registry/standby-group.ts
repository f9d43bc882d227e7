import type {Agent} from './registered-agent.js';

/** So many agents of the same names may be connected. */
export const MOST_OF_A_PLACE = 32;

/** The agents of one pod and the same containers: one is asked, the others are connected and wait. */
export class Place {
  /** The one that is asked first, then the others as they lost the place, the last one first. */
  #agents: readonly Agent[];

  constructor(agent: Agent) {
    this.#agents = [agent];
  }

  get current(): Agent {
    return this.#agents[0] as Agent;
  }

  get all(): readonly Agent[] {
    return this.#agents;
  }

  get isFull(): boolean {
    return this.#agents.length >= MOST_OF_A_PLACE;
  }

  /** The agent is asked from now on, and goes on with what was known of the node before. */
  take(agent: Agent): void {
    agent.inherit(this.current);
    this.#agents = [agent, ...this.#agents.filter(each => each !== agent)];
  }

  drop(agent: Agent): void {
    this.#agents = this.#agents.filter(each => each !== agent);
  }

  /** Who can take the place: of those that wait, the first that is online. */
  next(): Agent | undefined {
    return this.#agents.slice(1).find(({status, isConnected}) => isConnected && status === 'online');
  }
}
