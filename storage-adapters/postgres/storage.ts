import {type AdapterContext, HEALTHY, type Health, type Readers, type StorageAdapter} from '../../core/api/adapter.js';
import {machineTime} from '../../core/toolkit/retention-clock.js';
import type {PostgresConfig} from './config.js';
import {PostgresInstruments} from './instruments.js';
import {PostgresRuntime, type PostgresRuntimeOptions} from './runtime.js';
import {LIST_LIMITS} from './traces/span-lists.js';

export class PostgresStorage implements StorageAdapter {
  readonly #context: AdapterContext<PostgresConfig>;
  readonly #options: PostgresRuntimeOptions;
  #runtime: PostgresRuntime | undefined;

  /** `clock`, on which time passes, and `steady` are for tests of what happens after days, `limits` for lists of few spans. */
  constructor(
    context: AdapterContext<PostgresConfig>,
    clock: () => number = Date.now,
    limits = LIST_LIMITS,
    steady = clock,
  ) {
    this.#context = context;
    this.#options = {
      instruments: new PostgresInstruments(context.meter, context.log),
      time: clock === Date.now ? machineTime() : {wall: clock, steady},
      limits,
    };
  }

  async start(signal: AbortSignal): Promise<Readers> {
    signal.throwIfAborted();
    this.#runtime = await PostgresRuntime.open(this.#context, this.#options, signal);
    return this.#runtime.readers;
  }

  async health(signal: AbortSignal): Promise<Health> {
    return (await this.#runtime?.health(signal)) ?? HEALTHY;
  }

  /** Does everything that is due at the time of the clock. */
  async runJobs(): Promise<void> {
    await this.#runtime?.runJobs();
  }

  async stop(): Promise<void> {
    const runtime = this.#runtime;
    this.#runtime = undefined;
    await runtime?.close();
  }
}
