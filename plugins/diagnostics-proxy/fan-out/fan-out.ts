import type {CommandStream} from '../registry/command-stream.js';
import type {Agent} from '../registry/registered-agent.js';
import type {Slices, Turns} from '../yielding/yielder.js';
import {Pacer} from './fan-out-limiter.js';

/** What one round of asking gave. */
export interface Gathered<T> {
  readonly asked: readonly Agent[];
  /** Of those agents that gave something, in the order in which they were asked. */
  readonly value: ReadonlyMap<Agent, T>;
  readonly seconds: number;
}

/** The part of the write timeout in which agents may answer. */
const ANSWERING = 0.8;
/** The part after which no more of an answer is read; the rest is for writing what there is. */
const READING = 0.85;
/** The part in which every agent is asked, however slow the first ones are. */
const ASKING = 0.2;
/** Where the write timeout is not bounded, agents are. */
const UNBOUNDED = 10_000;

export interface CollectionOptions<Command, T> {
  readonly streamOf: (agent: Agent) => CommandStream<Command>;
  /** Makes of an answer what is kept of it, when it comes; undefined when it cannot be read. */
  readonly read: (agent: Agent, answer: Buffer, command: Command, turns: Turns) => Promise<T | undefined>;
  /** Called once for each round. */
  readonly gathered: (gathered: Gathered<T>) => void;
}

/** Rounds of one kind. Equal ones that overlap are one. */
export class Collections<Command, T> {
  readonly #options: CollectionOptions<Command, T>;
  readonly #slices: Slices;
  readonly #pacer = new Pacer();
  readonly #running = new Map<string, Promise<Gathered<T>>>();
  #reading: Promise<unknown> = Promise.resolve();
  /** Resolves, with nothing, when nobody is waited for any more. */
  readonly #hurry: Promise<undefined>;
  #settleHurry: () => void = () => undefined;

  constructor(options: CollectionOptions<Command, T>, slices: Slices) {
    this.#options = options;
    this.#slices = slices;
    this.#hurry = new Promise(resolve => {
      this.#settleHurry = () => resolve(undefined);
    });
  }

  /** Ends the rounds that wait with what has come, and those to come at once. */
  hurry(): void {
    this.#settleHurry();
  }

  /** Resolves when each has answered or the time has passed. `writeTimeout` is that of the request, 0 for none. */
  ask(command: Command, agents: readonly Agent[], writeTimeout: number): Promise<Gathered<T>> {
    const key = JSON.stringify([command, agents.map(({id}) => id)]);
    let round = this.#running.get(key);
    if (round === undefined) {
      round = this.#round(command, agents, writeTimeout || UNBOUNDED).finally(() => this.#running.delete(key));
      this.#running.set(key, round);
    }
    return round;
  }

  /** One answer after the other: when the time is up, those that came first have been read whole. */
  #read(read: () => Promise<T | undefined>): Promise<T | undefined> {
    const value = this.#reading.then(read);
    this.#reading = value.catch(() => undefined);
    return value;
  }

  async #round(command: Command, agents: readonly Agent[], time: number): Promise<Gathered<T>> {
    const begun = performance.now();
    const patience = Pacer.patience(agents.length, ASKING * time);
    const turns = this.#slices.until(begun + READING * time);
    const answers = await Promise.all(
      agents.map(async (agent): Promise<readonly [Agent, T] | undefined> => {
        const place = await this.#pacer.place(patience);
        try {
          // Writing a thousand commands takes time too.
          await this.#slices.turn();
          const asked = this.#options.streamOf(agent).ask(command, begun + ANSWERING * time);
          const answer = await Promise.race([asked, this.#hurry]);
          if (answer === undefined) return undefined;
          place.keep();
          const value = await this.#read(() => this.#options.read(agent, answer, command, turns));
          return value && [agent, value];
        } finally {
          place.free();
        }
      }),
    );
    const value = new Map(answers.filter(each => each !== undefined));
    const gathered = {asked: agents, value, seconds: (performance.now() - begun) / 1000};
    this.#options.gathered(gathered);
    return gathered;
  }
}
