import type {Socket} from 'node:net';
import {fromWire, toWire, type WireError} from './wire-error.js';

/** What connects two processes, in order. A message to one that has gone is lost. */
export interface Wire {
  send(message: object, socket?: Socket): void;
  listen(listener: (message: unknown, socket: Socket | undefined) => void): void;
}

/** What one side does for the other, by name. */
type Calls<Remote> = {readonly [Name in keyof Remote]: (given: never, socket?: Socket) => unknown};

type Given<Call> = Call extends (given: infer Value, socket?: Socket) => unknown ? Value : never;
type Answer<Call> = Call extends (...parameters: never[]) => infer Value ? Awaited<Value> : never;

interface Message {
  /** What is called; without it this is the answer to a call. */
  readonly call?: string;
  readonly given?: unknown;
  /** The number of a call that wants an answer. */
  readonly id?: number;
  readonly answer?: unknown;
  readonly error?: WireError;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls between two processes, in the order in which they were made. Values are those of JSON; errors arrive as errors.
 *
 *     const channel = new Channel<WorkerCalls>(wire, {open: …, status: …});
 *     const status = await channel.ask('status', {});
 */
export class Channel<Remote extends Calls<Remote>> {
  readonly #wire: Wire;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #ended: Error | undefined;

  /** `own` is what the other side may call. */
  constructor(wire: Wire, own: object) {
    this.#wire = wire;
    wire.listen((message, socket) => this.#take(message as Message, socket, own as Readonly<Record<string, unknown>>));
  }

  /** Rejects with what the other side throws, or with the error of `end`. */
  async ask<Name extends keyof Remote & string>(call: Name, given: Given<Remote[Name]>): Promise<Answer<Remote[Name]>> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#calls;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, {resolve, reject}));
    this.#wire.send({call, given, id} satisfies Message);
    return (await answer) as Answer<Remote[Name]>;
  }

  /** Wants no answer. */
  tell<Name extends keyof Remote & string>(call: Name, given: Given<Remote[Name]>, socket?: Socket): void {
    if (this.#ended === undefined) this.#wire.send({call, given} satisfies Message, socket);
  }

  /** The other side is no more: what waits for an answer, and what is asked from now on, rejects. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const {reject} of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #take({call, given, id, answer, error}: Message, socket: Socket | undefined, own: Readonly<Record<string, unknown>>) {
    if (call === undefined) {
      const waiting = this.#waiting.get(id ?? 0);
      this.#waiting.delete(id ?? 0);
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(fromWire(error));
    } else if (id === undefined) {
      void this.#run(own[call], given, socket);
    } else {
      this.#run(own[call], given, socket).then(
        value => this.#wire.send({id, answer: value} satisfies Message),
        (reason: unknown) => this.#wire.send({id, error: toWire(reason)} satisfies Message),
      );
    }
  }

  /** In this turn: a connection must find its taker before anything is read from it. */
  #run(call: unknown, given: unknown, socket: Socket | undefined): Promise<unknown> {
    try {
      return Promise.resolve((call as (given: unknown, socket?: Socket) => unknown)(given, socket));
    } catch (error) {
      return Promise.reject(error);
    }
  }
}
