import {Worker} from 'node:worker_threads';
import {GatewayError} from '../../../core/api/adapter.js';
import {CancelFlags} from './cancel-flags.js';
import type {CallMessage, ReplyMessage} from './messages.js';
import type {Operations} from './operations.js';

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Megabytes for what is new in a thread's heap. Unless it is told, each thread takes up to 48, and fills them before it looks
 * for garbage; what it makes of rows is soon sent away.
 */
const LIMITS = {maxYoungGenerationSizeMb: 12};

/** The serving thread's end of one worker. Calls are answered in any order; all of them fail when the worker dies. */
export class WorkerClient<Table extends Operations> {
  readonly #name: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #flags = new CancelFlags();
  #next = 1;
  #dead: GatewayError | undefined;

  /** `died` is called once when the worker ends without `terminate`. */
  constructor(script: URL, name: string, died: (error: GatewayError) => void) {
    this.#name = name;
    this.#worker = new Worker(script, {name, workerData: this.#flags.shared, resourceLimits: LIMITS});
    this.#worker.on('message', (message: ReplyMessage) => this.#receive(message));
    let cause: unknown;
    this.#worker.on('error', error => {
      cause = error;
    });
    this.#worker.on('exit', code => {
      const stopped = this.#dead !== undefined;
      const reason = cause instanceof Error ? cause.message : `exit code ${code}`;
      const message = `the ${this.#name} thread of the embedded storage has died: ${reason}`;
      this.#fail(new GatewayError('storage_failed', message, {cause}));
      if (!stopped && this.#dead !== undefined) died(this.#dead);
    });
  }

  /** Calls that have no answer yet. */
  get pending(): number {
    return this.#waiting.size;
  }

  call<Name extends keyof Table & string>(
    operation: Name,
    request: Table[Name]['request'],
    {signal, transfer = []}: {readonly signal?: AbortSignal; readonly transfer?: ArrayBuffer[]} = {},
  ): Promise<Table[Name]['reply']> {
    if (this.#dead !== undefined) return Promise.reject(this.#dead);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const cancel = signal === undefined ? undefined : this.#flags.take();
      if (signal === undefined) {
        this.#waiting.set(id, {resolve, reject});
        this.#worker.postMessage({id, operation, request} satisfies CallMessage, transfer);
        return;
      }
      const abort = () => {
        if (cancel !== undefined) this.#flags.raise(cancel);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, {once: true});
      const release = () => {
        signal.removeEventListener('abort', abort);
        if (cancel !== undefined) this.#flags.give(cancel);
      };
      this.#waiting.set(id, {
        resolve: reply => {
          release();
          resolve(reply);
        },
        reject: error => {
          release();
          reject(error);
        },
      });
      const message = {id, operation, request};
      this.#worker.postMessage((cancel === undefined ? message : {...message, cancel}) satisfies CallMessage, transfer);
    });
  }

  async terminate(): Promise<void> {
    this.#dead ??= new GatewayError('storage_unavailable', 'the embedded storage has been stopped');
    await this.#worker.terminate();
  }

  #receive(message: ReplyMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if ('code' in message) waiting.reject(new GatewayError(message.code, message.message));
    else waiting.resolve(message.reply as never);
  }

  #fail(error: GatewayError): void {
    this.#dead ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#dead);
    this.#waiting.clear();
  }
}
