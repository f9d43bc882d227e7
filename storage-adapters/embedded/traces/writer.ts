import {type Call, GatewayError} from '../../../core/api/adapter.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import {type Body, joinBytes} from '../threads/bodies.js';
import {forEachRange} from '../threads/ranges.js';
import type {TraceBatch, TracePart} from '../threads/writer-protocol.js';
import type {EmbeddedTraceModel} from './fragments/model.js';

/** Spans or segments of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 200_000;
const FRAGMENTS_BETWEEN_LOOKS = 64;
/** How much goes to the writing thread in one message: characters or bytes, about, and fragments. */
const PART_LENGTH = 512 * 1024;
const PART_FRAGMENTS = 2048;

type WrittenModel<Fragment> = Pick<
  EmbeddedTraceModel<Fragment, unknown>,
  'name' | 'fragments' | 'traceId' | 'canonicalId' | 'encode'
>;

/** Where the batches of one kind of traces go. */
export interface TraceHost {
  /** Hands over what can be before. Batches are stored in the order in which they are prepared, if they are stored in it. */
  prepare(model: TraceModelName, parts: readonly TracePart[]): Promise<TraceBatch>;
  store(batch: TraceBatch): Promise<void>;
}

/** Encodes spans or segments, and has them stored in the order of the calls. */
export class EmbeddedTraceWriter<Fragment> {
  readonly #model: WrittenModel<Fragment>;
  readonly #host: TraceHost;
  #queued = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #stored: Promise<unknown> = Promise.resolve();

  constructor(model: WrittenModel<Fragment>, host: TraceHost) {
    this.#model = model;
    this.#host = host;
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
        const batch = await this.#host.prepare(this.#model.name, await this.#encode(fragments));
        const stored = this.#host.store(batch);
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

  async #encode(fragments: readonly Fragment[]): Promise<readonly TracePart[]> {
    const parts: TracePart[] = [];
    let traceIds: string[] = [];
    let bodies: Body[] = [];
    let length = 0;
    const endPart = (): void => {
      const isText = this.#model.name !== 'otlp';
      parts.push({traceIds, bodies: isText ? (bodies as string[]) : joinBytes(bodies)});
      [traceIds, bodies, length] = [[], [], 0];
    };
    await forEachRange(
      fragments.length,
      (from, to) => {
        if (length >= PART_LENGTH || bodies.length >= PART_FRAGMENTS) endPart();
        for (const fragment of fragments.slice(from, to)) {
          const id = this.#model.traceId(fragment);
          traceIds.push(this.#model.canonicalId(id) ?? id);
          const body = this.#model.encode(fragment);
          bodies.push(body);
          length += body.length;
        }
      },
      FRAGMENTS_BETWEEN_LOOKS,
    );
    endPart();
    return parts;
  }
}
