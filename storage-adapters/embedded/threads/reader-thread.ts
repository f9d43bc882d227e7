import type {GatewayError} from '../../../core/api/adapter.js';
import {Semaphore} from '../../../core/toolkit/semaphore.js';
import type {ReaderOperations} from './reader-protocol.js';
import {WorkerClient} from './worker-client.js';

/** Long calls that share a thread. With more, all of them would take longer and none would end sooner. */
const LONG_CALLS = 8;

type Operation = keyof ReaderOperations & string;

/** One reading thread. */
export class Reader {
  readonly #client: WorkerClient<ReaderOperations>;
  readonly #long = new Semaphore(LONG_CALLS);

  /** `died` is called once when the thread ends without `terminate`. */
  constructor(died: (error: GatewayError) => void) {
    this.#client = new WorkerClient(new URL('../worker/reader.js', import.meta.url), 'reading', died);
  }

  /** Calls that have no answer yet. */
  get pending(): number {
    return this.#client.pending + this.#long.waiting;
  }

  call<Name extends Operation>(
    operation: Name,
    request: ReaderOperations[Name]['request'],
    signal?: AbortSignal,
  ): Promise<ReaderOperations[Name]['reply']> {
    return this.#client.call(operation, request, signal === undefined ? {} : {signal});
  }

  /** A call that works in slices: some run at once, the others wait on this side, where they hold up nobody. */
  callLong<Name extends Operation>(
    operation: Name,
    request: ReaderOperations[Name]['request'],
    signal: AbortSignal,
  ): Promise<ReaderOperations[Name]['reply']> {
    return this.#long.run(() => this.#client.call(operation, request, {signal}), signal);
  }

  terminate(): Promise<void> {
    return this.#client.terminate();
  }
}
