import type {Cancellable} from '../../../core/toolkit/yielder.js';
import type {CommandStream} from '../registry/command-stream.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {FanOutLimiter} from './fan-out-limiter.js';

/** What one request to many agents gave. */
export interface FanOutRound<T> {
  readonly requested: readonly RegisteredAgent[];
  /** Of those agents that gave something, in the order in which they were requested. */
  readonly answers: ReadonlyMap<RegisteredAgent, T>;
  readonly seconds: number;
}

/** Why an answer was not read to its end. */
export class ReadingTimeout extends Error {
  override readonly name = 'ReadingTimeout';
}

/** The part of the write timeout in which agents may answer. */
const ANSWERING = 0.8;
/** The part after which no more of an answer is read; the rest is for writing what there is. */
const READING = 0.85;
/** The part in which every agent is sent its command, however slow the first ones are. */
const SENDING = 0.2;
/** Where the write timeout is not bounded, agents are. */
const UNBOUNDED = 10_000;

/** What an agent answered; `received` in milliseconds since 1970. */
export interface AgentAnswer {
  readonly bytes: Buffer;
  readonly received: number;
}

export interface FanOutOptions<Command, T> {
  readonly streamOf: (agent: RegisteredAgent) => CommandStream<Command>;
  /**
   * Makes of an answer what is kept of it, when it comes; undefined when it cannot be read. The signal of `call` aborts
   * with a `ReadingTimeout`.
   */
  readonly read: (
    agent: RegisteredAgent,
    answer: AgentAnswer,
    command: Command,
    call: Cancellable,
  ) => Promise<T | undefined>;
  /** Called once for each round. */
  readonly completed: (round: FanOutRound<T>) => void;
}

/** Sends one command to many agents, and reads what they answer. Equal rounds that overlap are one. */
export class FanOut<Command, T> {
  readonly #options: FanOutOptions<Command, T>;
  readonly #limiter = new FanOutLimiter();
  readonly #running = new Map<string, Promise<FanOutRound<T>>>();
  #reading: Promise<unknown> = Promise.resolve();
  /** Resolves, with nothing, when nobody is waited for any more. */
  readonly #waitingEnds: Promise<undefined>;
  #endWaiting: () => void = () => undefined;

  constructor(options: FanOutOptions<Command, T>) {
    this.#options = options;
    this.#waitingEnds = new Promise(resolve => {
      this.#endWaiting = () => resolve(undefined);
    });
  }

  /** Ends the rounds that wait with what has come, and those to come at once. */
  endWaiting(): void {
    this.#endWaiting();
  }

  /**
   * Resolves when each agent has answered or the time has passed. `writeTimeout` is that of the HTTP request, in
   * milliseconds, 0 for none.
   */
  request(command: Command, agents: readonly RegisteredAgent[], writeTimeout: number): Promise<FanOutRound<T>> {
    const key = JSON.stringify([command, agents.map(({id}) => id)]);
    let round = this.#running.get(key);
    if (round === undefined) {
      round = this.#round(command, agents, writeTimeout || UNBOUNDED).finally(() => this.#running.delete(key));
      this.#running.set(key, round);
    }
    return round;
  }

  async #round(command: Command, agents: readonly RegisteredAgent[], time: number): Promise<FanOutRound<T>> {
    const begun = performance.now();
    const patience = FanOutLimiter.patience(agents.length, SENDING * time);
    const reading = new AbortController();
    const timer = setTimeout(
      () => reading.abort(new ReadingTimeout('the time for reading answers is up')),
      READING * time,
    );
    const answers = await Promise.all(
      agents.map(async (agent): Promise<readonly [RegisteredAgent, T] | undefined> => {
        const slot = await this.#limiter.slot(patience);
        try {
          const requested = this.#options.streamOf(agent).request(command, begun + ANSWERING * time);
          const bytes = await Promise.race([requested, this.#waitingEnds]);
          if (bytes === undefined) return undefined;
          const answer = {bytes, received: Date.now()};
          slot.keep();
          // When the time is up, those that wait to be read would otherwise take a slice each.
          const read = async (): Promise<T | undefined> =>
            reading.signal.aborted ? undefined : this.#options.read(agent, answer, command, reading);
          const value = await this.#read(read);
          return value && [agent, value];
        } finally {
          slot.release();
        }
      }),
    );
    clearTimeout(timer);
    const round: FanOutRound<T> = {
      requested: agents,
      answers: new Map(answers.filter(each => each !== undefined)),
      seconds: (performance.now() - begun) / 1000,
    };
    this.#options.completed(round);
    return round;
  }

  /** One answer after the other: when the time is up, those that came first have been read whole. */
  #read(read: () => Promise<T | undefined>): Promise<T | undefined> {
    const value = this.#reading.then(read);
    this.#reading = value.catch(() => undefined);
    return value;
  }
}
