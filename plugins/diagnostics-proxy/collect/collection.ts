import type {CommandStream} from '../channel/command-stream.js';
import type {Agent} from '../registry/agent.js';
import type {Slices} from './slices.js';

/** One round of asking agents. */
export interface Collection {
  /** Those that were asked, and of each its answer; undefined when it gave none. */
  readonly answers: ReadonlyMap<Agent, Promise<Buffer | undefined>>;
  /** Resolves when each has answered or the time has passed. */
  readonly settled: Promise<void>;
}

/** The part of the write timeout in which agents may answer; the rest is for writing what they gave. */
const SHARE = 0.8;
/** Where the write timeout is not bounded, agents are. */
const UNBOUNDED = 10_000;

/** Rounds of one kind. Equal ones that overlap are one. */
export class Collections<Command> {
  readonly #streamOf: (agent: Agent) => CommandStream<Command>;
  readonly #slices: Slices;
  readonly #running = new Map<string, Collection>();

  constructor(streamOf: (agent: Agent) => CommandStream<Command>, slices: Slices) {
    this.#streamOf = streamOf;
    this.#slices = slices;
  }

  /** Asks `agents`, unless the same command is being asked already. `writeTimeout` is that of the request, 0 for none. */
  ask(command: Command, agents: readonly Agent[], writeTimeout: number): Collection {
    const key = JSON.stringify(command);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const deadline = performance.now() + SHARE * (writeTimeout || UNBOUNDED);
    const answers = new Map(agents.map(agent => [agent, this.#askOne(agent, command, deadline)]));
    const settled = Promise.all(answers.values()).then(() => {
      this.#running.delete(key);
    });
    const collection = {answers, settled};
    this.#running.set(key, collection);
    return collection;
  }

  /** Writing a thousand commands takes time too. */
  async #askOne(agent: Agent, command: Command, deadline: number): Promise<Buffer | undefined> {
    await this.#slices.turn();
    return this.#streamOf(agent).ask(command, deadline);
  }
}
