import {type Call, GatewayError} from '../../../core/api/adapter.js';
import {type Body, joinBytes} from '../threads/bodies.js';
import {forEachRange} from '../threads/ranges.js';
import type {TraceBatch} from '../threads/writer-protocol.js';
import type {EmbeddedTraceModel} from './fragments/model.js';

/** Spans or segments of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 200_000;
const FRAGMENTS_BETWEEN_LOOKS = 256;

type WrittenModel<Fragment> = Pick<
  EmbeddedTraceModel<Fragment, unknown>,
  'name' | 'fragments' | 'traceId' | 'canonicalId' | 'encode'
>;

/** Encodes spans or segments, and has them stored in the order of the calls. */
export class EmbeddedTraceWriter<Fragment> {
  readonly #model: WrittenModel<Fragment>;
  readonly #store: (batch: TraceBatch) => Promise<void>;
  #queued = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #stored: Promise<unknown> = Promise.resolve();

  /** `store` resolves when a batch is stored; batches are stored in the order of its calls. */
  constructor(model: WrittenModel<Fragment>, store: (batch: TraceBatch) => Promise<void>) {
    this.#model = model;
    this.#store = store;
  }

  get queued(): number {
    return this.#queued;
  }

  async write(fragments: readonly Fragment[], call: Call): Promise<void> {
    if (this.#queued > 0 && this.#queued + fragments.length > QUEUE_LIMIT) {
      throw new GatewayError(
        'overloaded',
        `the embedded storage has ${this.#queued} ${this.#model.fragments} waiting to be written, at most ${QUEUE_LIMIT} may wait; send the batch again in a second`,
      );
    }
    call.signal.throwIfAborted();
    if (fragments.length === 0) return;
    this.#queued += fragments.length;
    try {
      // Wrapped so that the next batch is encoded before this one is stored.
      const sent = this.#sent.then(async () => {
        const batch = await this.#encode(fragments);
        const stored = this.#store(batch);
        stored.catch(() => undefined);
        return {stored};
      });
      this.#sent = sent.catch(() => undefined);
      const stored = sent.then(one => one.stored);
      this.#stored = Promise.all([this.#stored, stored.catch(() => undefined)]);
      await stored;
    } finally {
      this.#queued -= fragments.length;
    }
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#stored;
  }

  async #encode(fragments: readonly Fragment[]): Promise<TraceBatch> {
    const traceIds: string[] = [];
    const bodies: Body[] = [];
    await forEachRange(
      fragments.length,
      (from, to) => {
        for (const fragment of fragments.slice(from, to)) {
          const id = this.#model.traceId(fragment);
          traceIds.push(this.#model.canonicalId(id) ?? id);
          bodies.push(this.#model.encode(fragment));
        }
      },
      FRAGMENTS_BETWEEN_LOOKS,
    );
    const {name} = this.#model;
    return {model: name, traceIds, bodies: name === 'otlp' ? joinBytes(bodies) : (bodies as string[])};
  }
}
