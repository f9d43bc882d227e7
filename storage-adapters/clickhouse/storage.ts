import {type AdapterContext, HEALTHY, type Health, type Readers, type StorageAdapter} from '../../core/api/adapter.js';
import type {ClickHouseConfig} from './config.js';
import {OpenStorage} from './open-storage.js';

export class ClickHouseStorage implements StorageAdapter {
  readonly #context: AdapterContext<ClickHouseConfig>;
  readonly #clock: () => number;
  #open: OpenStorage | undefined;

  /** Tests may give another clock. */
  constructor(context: AdapterContext<ClickHouseConfig>, clock: () => number = Date.now) {
    this.#context = context;
    this.#clock = clock;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const open = new OpenStorage(this.#context, this.#clock);
    try {
      const readers = await open.start(signal);
      this.#open = open;
      return readers;
    } catch (problem) {
      await open.stop();
      throw problem;
    }
  }

  async health(signal: AbortSignal): Promise<Health> {
    return (await this.#open?.health(signal)) ?? HEALTHY;
  }

  /** Removes everything whose time is over now, after making the longer buckets from it. */
  async settle(): Promise<void> {
    await this.#open?.settle();
  }

  async stop(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.stop();
  }
}
