import {type Call, GatewayError} from '../../../core/api/adapter.js';
import type {TraceModel, TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {TraceBatch, TracePart} from '../threads/writer-protocol.js';

/** Spans or segments of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 200_000;
/** How much goes to the writing thread in one message: characters or bytes, about, and fragments. */
export const PART_LENGTH = 512 * 1024;
export const PART_FRAGMENTS = 2048;

/** Where the batches of one kind of traces go. */
export interface TraceHost {
  /** Hands over what can be before. Batches are stored in the order in which they are prepared, if they are stored in it. */
  prepare(model: TraceModelName, parts: readonly TracePart[]): Promise<TraceBatch>;
  store(batch: TraceBatch): Promise<void>;
}

/** Batches of one kind of traces on their way: stored in the order of the calls, and refused when too much waits. */
export class FragmentQueue {
  readonly #name: TraceModelName;
  readonly #fragments: string;
  readonly #host: TraceHost;
  #queued = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #stored: Promise<unknown> = Promise.resolve();

  constructor({name, fragments}: Pick<TraceModel<never, unknown, never>, 'name' | 'fragments'>, host: TraceHost) {
    this.#name = name;
    this.#fragments = fragments;
    this.#host = host;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#stored;
  }

  /** Stores a batch of so many fragments; `encode` is called in its turn, and gives one part at least. */
  protected async store(count: number, encode: () => Promise<readonly TracePart[]>, call: Call): Promise<void> {
    if (this.#queued > 0 && this.#queued + count > QUEUE_LIMIT) {
      throw new GatewayError(
        'overloaded',
        `the embedded storage has ${this.#queued} ${this.#fragments} waiting to be written, at most ${QUEUE_LIMIT} may wait; send the batch again in a second`,
      );
    }
    call.signal.throwIfAborted();
    if (count === 0) return;
    this.#queued += count;
    try {
      // Wrapped so that the next batch is encoded before this one is stored.
      const sent = this.#sent.then(async () => {
        const batch = await this.#host.prepare(this.#name, await encode());
        const stored = this.#host.store(batch);
        stored.catch(() => undefined);
        return {stored};
      });
      this.#sent = sent.catch(() => undefined);
      const stored = sent.then(one => one.stored);
      this.#stored = Promise.all([this.#stored, stored.catch(() => undefined)]);
      await stored;
    } finally {
      this.#queued -= count;
    }
  }
}
