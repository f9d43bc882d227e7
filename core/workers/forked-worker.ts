import {type ChildProcess, fork} from 'node:child_process';
import type {Socket} from 'node:net';
import {GatewayError} from '../api/errors.js';
import type {PrimaryCalls, Source, WorkerCalls} from './calls.js';
import {Channel, type Wire} from './channel.js';
import type {PortMember} from './shared-ports.js';

/** What a worker runs: a module, and the words that it is given. */
export interface WorkerCommand {
  readonly module: string;
  readonly words: readonly string[];
}

/** One process that serves, as the one sees it that holds all together. */
export class ForkedWorker implements PortMember {
  /** The place that it has, counted from 1; 0 while it has none. */
  index = 0;
  readonly channel: Channel<WorkerCalls>;
  /** Resolves when the process has ended and nothing more comes from it, with how it ended. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  /** `callsFor` gives what the process may ask of this one. */
  constructor({module, words}: WorkerCommand, callsFor: (worker: ForkedWorker) => PrimaryCalls) {
    this.#child = fork(module, words, {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
    this.channel = new Channel<WorkerCalls>(wireOf(this.#child), callsFor(this));
    this.ended = this.#ending();
  }

  get name(): string {
    return this.index === 0 ? 'the spare worker' : `worker ${this.index}`;
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Has it load what a start with that source needs. Of what cannot be loaded the start tells. */
  async warm(source: Source): Promise<void> {
    await this.channel.ask('warm', {source}).catch(() => undefined);
  }

  give(id: number, connection: number, socket: Socket): void {
    this.channel.tell('take', {id, connection}, socket);
  }

  shed(id: number, count: number): void {
    this.channel.tell('shed', {id, count});
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #ending(): Promise<string> {
    const child = this.#child;
    const how = await new Promise<string>(resolve => {
      child.once('error', ({message}) => resolve(message));
      // Not `disconnect`, which does not come when the process was killed in the middle of a message. By now what it has
      // sent before is read to the end.
      child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    this.channel.end(new GatewayError('overloaded', `${this.name} has ended (${how}); try again`));
    return how;
  }
}

function wireOf(child: ChildProcess): Wire {
  return {
    // That it has gone is seen by its end.
    send: (message, socket) => {
      if (child.connected) child.send(message, socket, {keepOpen: true}, () => undefined);
    },
    listen: listener => child.on('message', (message, handle) => listener(message, handle as Socket | undefined)),
  };
}
