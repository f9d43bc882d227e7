import type {Call} from '../../../core/api/adapter.js';
import type {BatchKind} from './batches.js';
import type {TeeWrites} from './writes.js';

interface Writer<Batch> {
  write(batch: Batch, call: Call): Promise<void>;
}

const ignore = (): void => undefined;

/**
 * Writes to both storages, to the secondary in the order of the calls and only what the primary has stored: what that refuses
 * is in neither.
 */
export class TeeWriter<Batch> implements Writer<Batch> {
  readonly #primary: Writer<Batch>;
  readonly #secondary: (batch: Batch, call: Call) => Promise<void>;
  readonly #kind: BatchKind<Batch>;
  readonly #writes: TeeWrites;
  /** The secondary has been called, or will not be, for all writes until now. */
  #called: Promise<unknown> = Promise.resolve();

  constructor(
    primary: Writer<Batch>,
    secondary: (batch: Batch, call: Call) => Promise<void>,
    kind: BatchKind<Batch>,
    writes: TeeWrites,
  ) {
    this.#primary = primary;
    this.#secondary = secondary;
    this.#kind = kind;
    this.#writes = writes;
  }

  write(batch: Batch, call: Call): Promise<void> {
    return this.#writes.areRequired ? this.#toBoth(batch, call) : this.#toPrimary(batch, call);
  }

  async #toBoth(batch: Batch, call: Call): Promise<void> {
    const stored = this.#primary.write(batch, call);
    const secondary = this.#after(stored, () => this.#secondary(batch, call));
    await this.#writes.follow(secondary);
  }

  /** The secondary's part goes on in the background, with a copy, because the caller may change the batch. */
  async #toPrimary(batch: Batch, call: Call): Promise<void> {
    const release = this.#writes.reserve(this.#kind.sizeOf(batch));
    const stored = this.#primary.write(batch, call);
    if (release === undefined) {
      await stored;
      this.#writes.lost();
      return;
    }
    const copied = stored.then(() => this.#kind.copy(batch));
    const secondary = this.#after(copied, copy => this.#secondary(copy, this.#writes.background));
    void this.#writes.follow(secondary).catch(ignore).finally(release);
    await copied;
  }

  /** Calls the secondary once the primary has stored, and has been called for the writes before. */
  async #after<Stored>(stored: Promise<Stored>, store: (stored: Stored) => Promise<void>): Promise<void> {
    const before = this.#called;
    const called = (async () => {
      const [given] = await Promise.all([stored, before]);
      return {outcome: store(given)};
    })();
    this.#called = called.catch(ignore);
    await (await called).outcome;
  }
}
