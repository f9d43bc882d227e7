import {GatewayError} from '../../../core/api/adapter.js';
import type {ReaderOperations} from './reader-protocol.js';
import {Reader} from './reader-thread.js';

const SIZE = 2;
const RESTART_DELAY = 500;

/**
 * The reading threads. A call goes to the one with the fewest calls; one that dies is replaced. All but the first begin when
 * a call finds the others at work: a thread is a tenth of what it takes to start a gateway, and a command asks one thing at a
 * time.
 */
export class ReaderPool {
  readonly #path: string;
  readonly #died: (error: GatewayError) => void;
  readonly #clients = new Set<Reader>();
  /** Threads that were begun and not given up: those at work, and those that are opened or wait to be opened again. */
  #begun = 0;
  /** Ends when the threads that are being opened are open, or are not. */
  #opening: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** `died` learns of each thread that ended by itself. */
  constructor(path: string, died: (error: GatewayError) => void) {
    this.#path = path;
    this.#died = died;
  }

  get isRunning(): boolean {
    return this.#clients.size > 0;
  }

  async start(): Promise<void> {
    this.#begun = 1;
    await this.#add();
  }

  async call<Name extends keyof ReaderOperations>(
    operation: Name,
    request: ReaderOperations[Name]['request'],
    signal?: AbortSignal,
  ): Promise<ReaderOperations[Name]['reply']> {
    return this.pick().call(operation, request, signal);
  }

  /** The thread with the fewest calls, for those that have to go to the same one. */
  pick(): Reader {
    let best: Reader | undefined;
    for (const client of this.#clients) if (best === undefined || client.pending < best.pending) best = client;
    if (best === undefined) {
      throw new GatewayError('storage_unavailable', 'no reading thread of the embedded storage is running');
    }
    if (best.pending > 0 && this.#begun < SIZE) {
      this.#begun++;
      this.#replace();
    }
    return best;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const clients = [...this.#clients];
    this.#clients.clear();
    await this.#opening;
    await Promise.all(
      clients.map(async client => {
        await client.call('close', null).catch(() => undefined);
        await client.terminate();
      }),
    );
  }

  async #add(): Promise<void> {
    const client = new Reader(error => {
      this.#clients.delete(client);
      if (this.#stopped) return;
      this.#died(error);
      setTimeout(() => this.#replace(), RESTART_DELAY).unref();
    });
    try {
      await client.call('open', {path: this.#path});
    } catch (error) {
      await client.terminate();
      throw error;
    }
    if (this.#stopped) await client.terminate();
    else this.#clients.add(client);
  }

  #replace(): void {
    if (this.#stopped) return;
    const opened = this.#add().catch(() => {
      setTimeout(() => this.#replace(), RESTART_DELAY).unref();
    });
    this.#opening = Promise.all([this.#opening, opened]);
  }
}
