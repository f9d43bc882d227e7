/** Where commands are written to. */
export interface CommandSink<Command> {
  write(command: Command): void;
  /** The agent has opened another stream, which takes its commands from now on. */
  replaced(): void;
}

export interface CommandStreamOptions<Command> {
  /** What becomes of an answer that comes after its time. */
  readonly late: 'drop' | 'keep';
  /** Whether an answer can be one to this command; left out, each can. */
  readonly fits?: (command: Command, answer: Buffer) => boolean;
}

interface Waiting {
  readonly finish: (answer: Buffer | undefined) => void;
  /** Takes an answer that may be a late one to an earlier command. */
  readonly offer: (answer: Buffer) => void;
}

/** How long an answer that did not come in time is still expected, in milliseconds. */
const PATIENCE = 60_000;
/** How long one that may be late is held back for another one behind it: late answers come in a burst. */
const BURST = 100;

/**
 * A stream on which the proxy sends a command and the agent one answer, at most one command at a time. Neither carries
 * a number: only their order tells which answer belongs to which command.
 *
 * What comes after its time is dropped or kept. Dropped: while answers are owed, one that fits is taken only when no other
 * comes right behind it, because an agent may be late or have left commands unanswered. Kept: it answers the next request,
 * and until it has come (or is given up) the agent gets no other command.
 */
export class CommandStream<Command> {
  readonly #options: CommandStreamOptions<Command>;
  #sink: CommandSink<Command> | undefined;
  #waiting: Waiting | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** What has been requested and not answered yet, by the command as text. */
  readonly #requests = new Map<string, Promise<Buffer | undefined>>();
  /** Commands whose time has passed and whose answers may still come. */
  #owed = 0;
  #sentAt = 0;
  #kept: Buffer | undefined;

  constructor(options: CommandStreamOptions<Command>) {
    this.#options = options;
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

  /**
   * The answer, or undefined when none comes until `deadline` (on the clock of `performance.now()`) or the stream ends.
   * Equal commands that overlap are one.
   */
  request(command: Command, deadline: number): Promise<Buffer | undefined> {
    const key = JSON.stringify(command);
    let answer = this.#requests.get(key);
    if (answer === undefined) {
      answer = this.#turn.then(() => this.#exchange(command, deadline)).finally(() => this.#requests.delete(key));
      this.#requests.set(key, answer);
      this.#turn = answer;
    }
    return answer;
  }

  /** An answer has come; undefined when it is one that cannot be taken. */
  receive(sink: CommandSink<Command>, answer: Buffer | undefined): void {
    if (this.#sink !== sink) return;
    if (this.#options.late === 'keep') {
      this.#owed = 0;
      if (this.#waiting === undefined) this.#kept = answer ?? this.#kept;
      else this.#waiting.finish(answer);
    } else if (this.#owed > 0) {
      this.#owed--;
      if (answer !== undefined) this.#waiting?.offer(answer);
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
    if (now - this.#sentAt > PATIENCE) this.#owed = 0;
    const answer = this.#wait(command, left);
    if (this.#options.late === 'keep' && this.#owed > 0) return answer;
    this.#sentAt = now;
    sink.write(command);
    return answer;
  }

  #wait(command: Command, time: number): Promise<Buffer | undefined> {
    return new Promise(resolve => {
      const finish = (answer: Buffer | undefined): void => {
        clearTimeout(timer);
        clearTimeout(burst);
        this.#waiting = undefined;
        resolve(answer);
      };
      const timer = setTimeout(() => {
        if (spare === undefined) this.#owed++;
        finishWithSpare();
      }, time);
      let spare: Buffer | undefined;
      let burst: NodeJS.Timeout | undefined;
      const finishWithSpare = (): void => {
        // None came behind it: the earlier commands were left unanswered.
        if (spare !== undefined) this.#owed = 0;
        finish(spare);
      };
      const offer = (answer: Buffer): void => {
        if (this.#options.fits?.(command, answer) === false) return;
        spare = answer;
        clearTimeout(burst);
        // What is there already when the time has passed, on a busy machine, is read before.
        burst = setTimeout(() => setImmediate(() => this.#waiting?.finish === finish && finishWithSpare()), BURST);
      };
      this.#waiting = {finish, offer};
    });
  }

  #reset(): void {
    this.#owed = 0;
    this.#kept = undefined;
    this.#waiting?.finish(undefined);
  }
}
