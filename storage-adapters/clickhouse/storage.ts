import {
  type AdapterContext,
  GatewayError,
  HEALTHY,
  type Health,
  type Readers,
  type StorageAdapter,
} from '../../core/api/adapter.js';
import {machineTime, type TimeSource} from '../../core/toolkit/retention-clock.js';
import {answersOverTls} from './client/connection-mistake.js';
import type {ClickHouseConfig} from './config.js';
import {ClickHouseRuntime} from './runtime.js';

export class ClickHouseStorage implements StorageAdapter {
  readonly #context: AdapterContext<ClickHouseConfig>;
  readonly #time: TimeSource;
  #open: ClickHouseRuntime | undefined;

  /** Tests may give a clock, on which time passes, or one that can be set beside a `steady` one. */
  constructor(context: AdapterContext<ClickHouseConfig>, clock: () => number = Date.now, steady = clock) {
    this.#context = context;
    this.#time = clock === Date.now ? machineTime() : {wall: clock, steady};
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const open = new ClickHouseRuntime(this.#context, this.#time);
    try {
      const readers = await open.start(signal);
      this.#open = open;
      return readers;
    } catch (error) {
      await open.stop();
      throw (await this.#tlsMistake(error)) ?? error;
    }
  }

  /** A server that wants TLS closes a plain connection without a word, as one does that is not ready yet. */
  async #tlsMistake(cause: unknown): Promise<GatewayError | undefined> {
    if (!GatewayError.is(cause) || cause.code !== 'storage_unavailable') return undefined;
    const {urls} = this.#context.config;
    const answers = await Promise.all(urls.map(answersOverTls));
    const found = urls.filter((_, i) => answers[i]).map(url => new URL(url).host);
    if (found.length === 0) return undefined;
    const message = `ClickHouse at ${found.join(', ')} cannot be reached: it speaks TLS; write https:// in urls`;
    return new GatewayError('storage_failed', message, {cause});
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
