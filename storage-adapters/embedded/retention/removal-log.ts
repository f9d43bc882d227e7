import type {Logger} from '../../../core/api/adapter.js';
import type {EmbeddedInstruments} from '../instruments.js';
import type {Removed, RemovedKind} from '../threads/writer-protocol.js';

/** Counts what retention removes, and tells of each sweep in one line when it is over. */
export class RemovalLog {
  readonly #instruments: EmbeddedInstruments;
  readonly #log: Logger;
  readonly #untold = new Map<RemovedKind, {rows: number; before: number}>();

  constructor(instruments: EmbeddedInstruments, log: Logger) {
    this.#instruments = instruments;
    this.#log = log;
  }

  /** What was removed since the last time. A sweep `isOver` when it says so, or when nothing more comes. */
  take(removed: readonly Removed[], isOver: boolean): void {
    for (const {kind, rows, before} of removed) {
      this.#instruments.removed.with({kind}).add(rows);
      const untold = this.#untold.get(kind) ?? {rows: 0, before};
      this.#untold.set(kind, {rows: untold.rows + rows, before});
    }
    if (isOver || removed.length === 0) this.tell();
  }

  tell(): void {
    for (const [kind, {rows, before}] of this.#untold) {
      const cutOff = new Date(before * 1000).toISOString();
      this.#log.info('removed what is older than its retention', {kind, rows, before: cutOff});
    }
    this.#untold.clear();
  }
}
