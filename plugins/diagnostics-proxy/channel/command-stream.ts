/** Where commands are written to. */
export interface CommandSink<Command> {
  write(command: Command): void;
  /** The agent has opened another stream, on which it is asked from now on. */
  replaced(): void;
}

interface Waiting {
  readonly finish: (answer: Buffer | undefined) => void;
  /** An answer that was taken for one to an earlier command. */
  spare: Buffer | undefined;
}

/** How long an answer that did not come in time is still expected, in milliseconds. */
const PATIENCE = 60_000;

/**
 * A stream on which the proxy sends a command and the agent one answer, at most one command at a time. Neither carries
 * a number: only their order tells which answer belongs to which command.
 *
 * What comes after its time is dropped or kept. Dropped: the next answer is passed over as the late one, unless it stays
 * the only one, because an agent may also leave a command unanswered. Kept: it answers the next request, and until it has
 * come (or is given up) the agent is not asked again.
 */
export class CommandStream<Command> {
  readonly #late: 'drop' | 'keep';
  #sink: CommandSink<Command> | undefined;
  #waiting: Waiting | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** Commands whose time has passed and whose answers may still come. */
  #owed = 0;
  #asked = 0;
  #kept: Buffer | undefined;

  constructor(late: 'drop' | 'keep') {
    this.#late = late;
  }

  get isOpen(): boolean {
    return this.#sink !== undefined;
  }

  /** Begins anew on another stream of the agent. */
  open(sink: CommandSink<Command>): void {
    const before = this.#sink;
    this.#reset();
    this.#sink = sink;
    before?.replaced();
  }

  /** The stream has ended; one that has been replaced already does not matter. */
  close(sink: CommandSink<Command>): void {
    if (this.#sink !== sink) return;
    this.#sink = undefined;
    this.#reset();
  }

  /** The answer, or undefined when none comes until `deadline` (on the clock of `performance.now()`) or the stream ends. */
  ask(command: Command, deadline: number): Promise<Buffer | undefined> {
    const answer = this.#turn.then(() => this.#exchange(command, deadline));
    this.#turn = answer;
    return answer;
  }

  receive(sink: CommandSink<Command>, answer: Buffer): void {
    if (this.#sink !== sink) return;
    if (this.#late === 'keep') {
      this.#owed = 0;
      if (this.#waiting === undefined) this.#kept = answer;
      else this.#waiting.finish(answer);
    } else if (this.#owed > 0) {
      this.#owed--;
      if (this.#waiting !== undefined) this.#waiting.spare = answer;
    } else {
      this.#waiting?.finish(answer);
    }
  }

  async #exchange(command: Command, deadline: number): Promise<Buffer | undefined> {
    const sink = this.#sink;
    const left = deadline - performance.now();
    if (sink === undefined || left <= 0) return undefined;
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) return kept;
    const now = performance.now();
    if (now - this.#asked > PATIENCE) this.#owed = 0;
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        const spare = waiting.spare;
        this.#owed = spare === undefined ? this.#owed + 1 : 0;
        waiting.finish(spare);
      }, left);
      const waiting: Waiting = {
        finish: answer => {
          clearTimeout(timer);
          this.#waiting = undefined;
          resolve(answer);
        },
        spare: undefined,
      };
      this.#waiting = waiting;
      if (this.#late === 'keep' && this.#owed > 0) return;
      this.#asked = now;
      sink.write(command);
    });
  }

  #reset(): void {
    this.#owed = 0;
    this.#kept = undefined;
    this.#waiting?.finish(undefined);
  }
}
