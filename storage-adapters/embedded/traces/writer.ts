import {type Call, GatewayError} from '../../../core/api/adapter.js';
import type {TraceKind} from '../../../core/toolkit/traces/model.js';
import type {TraceBatch} from '../threads/protocol.js';
import {inSlices} from '../threads/slice.js';

/** Spans or segments of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 200_000;
const UNITS_BETWEEN_LOOKS = 256;

/** Encodes spans or segments, and has them stored in the order of the calls. */
export class EmbeddedUnitWriter<Unit> {
  readonly #kind: TraceKind<Unit, unknown>;
  readonly #store: (batch: TraceBatch) => Promise<void>;
  #queued = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #stored: Promise<unknown> = Promise.resolve();

  /** `store` resolves when a batch is stored; batches are stored in the order of its calls. */
  constructor(kind: TraceKind<Unit, unknown>, store: (batch: TraceBatch) => Promise<void>) {
    this.#kind = kind;
    this.#store = store;
  }

  get queued(): number {
    return this.#queued;
  }

  async write(units: readonly Unit[], call: Call): Promise<void> {
    if (this.#queued > 0 && this.#queued + units.length > QUEUE_LIMIT) {
      const what = this.#kind.name === 'compat' ? 'spans' : 'segments';
      throw new GatewayError(
        'overloaded',
        `The embedded storage has ${this.#queued} ${what} waiting to be written, and takes ${QUEUE_LIMIT} at most. Send the batch again in a second.`,
      );
    }
    call.signal.throwIfAborted();
    if (units.length === 0) return;
    this.#queued += units.length;
    try {
      // Wrapped so that the next batch is encoded before this one is stored.
      const sent = this.#sent.then(async () => {
        const batch = await this.#encode(units);
        const stored = this.#store(batch);
        stored.catch(() => undefined);
        return {stored};
      });
      this.#sent = sent.catch(() => undefined);
      const stored = sent.then(one => one.stored);
      this.#stored = Promise.all([this.#stored, stored.catch(() => undefined)]);
      await stored;
    } finally {
      this.#queued -= units.length;
    }
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#stored;
  }

  async #encode(units: readonly Unit[]): Promise<TraceBatch> {
    const traceIds: string[] = [];
    const bodies: string[] = [];
    await inSlices(
      units.length,
      (from, to) => {
        for (let i = from; i < to; i++) {
          const unit = units[i] as Unit;
          const id = this.#kind.traceId(unit);
          traceIds.push(this.#kind.canonicalId(id) ?? id);
          bodies.push(this.#kind.encode(unit));
        }
      },
      UNITS_BETWEEN_LOOKS,
    );
    return {kind: this.#kind.name, traceIds, bodies};
  }
}
