import type {AdapterContext, Health, Readers, StorageAdapter, StorageDifference} from '../../core/api/adapter.js';
import {type ComparerLimits, TeeComparer} from './compare/comparer.js';
import type {TeeConfig} from './config.js';
import {TeeInstruments} from './instruments.js';
import {TeePart} from './part.js';
import {bothWriters, queryReaders} from './readers.js';
import {TeeSecondary} from './secondary.js';
import {TeeWrites} from './writes/writes.js';

/** Two storages that are started, written and stopped together. */
export class TeeStorage implements StorageAdapter {
  readonly #context: AdapterContext<TeeConfig>;
  readonly #limits: ComparerLimits | undefined;
  readonly #instruments: TeeInstruments;
  readonly #primary: TeePart;
  readonly #secondary: TeeSecondary;
  readonly #writes: TeeWrites;
  #comparer: TeeComparer | undefined;

  /** `limits` are for tests alone. */
  constructor(context: AdapterContext<TeeConfig>, limits?: ComparerLimits) {
    const {config, log, meter} = context;
    this.#context = context;
    this.#limits = limits;
    this.#instruments = new TeeInstruments(meter);
    this.#primary = new TeePart('primary', context);
    this.#secondary = new TeeSecondary(new TeePart('secondary', context), log);
    this.#writes = new TeeWrites(config.secondaryWrites === 'required', this.#instruments, log);
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const primary = await this.#primary.start(signal);
    if (this.#writes.areRequired) await this.#secondary.start(primary, signal);
    else await this.#secondary.begin(primary);
    const comparer = new TeeComparer({
      primary,
      secondary: () => this.#secondary.readers,
      written: () => this.#writes.written(),
      share: this.#context.config.compare.share,
      log: this.#context.log,
      instruments: this.#instruments,
      limits: this.#limits,
    });
    this.#comparer = comparer;
    return {...queryReaders(primary, comparer), ...bothWriters(primary, this.#secondary, this.#writes)};
  }

  /** The primary's; with what is wrong with the secondary it is no better than degraded. */
  async health(signal: AbortSignal): Promise<Health> {
    const [primary, secondary] = await Promise.all([this.#primary.health(signal), this.#secondary.health(signal)]);
    if (primary.status === 'ok' && secondary.status === 'ok') return primary;
    const of = {primary, secondary};
    const messages = (['primary', 'secondary'] as const).flatMap(key => {
      const {status, message = status} = of[key];
      return status === 'ok' ? [] : [`the ${key} storage: ${message}`];
    });
    return {status: primary.status === 'failed' ? 'failed' : 'degraded', message: messages.join('; ')};
  }

  differences(): readonly StorageDifference[] {
    return this.#comparer?.differences ?? [];
  }

  /** Resolves when all that was written and asked has reached the secondary and was compared. */
  async settled(): Promise<void> {
    await this.#writes.written();
    await this.#comparer?.settled();
  }

  async stop(): Promise<void> {
    await this.#comparer?.stop();
    await this.#writes.written();
    // Both, also where one does not stop.
    const stopped = await Promise.allSettled([this.#secondary.stop(), this.#primary.stop()]);
    for (const each of stopped) if (each.status === 'rejected') throw each.reason;
  }
}
