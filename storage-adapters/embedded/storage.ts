import {type AdapterContext, HEALTHY, type Health, type Readers, type StorageAdapter} from '../../core/api/adapter.js';
import {machineTime} from '../../core/toolkit/retention-clock.js';
import type {EmbeddedConfig} from './config.js';
import {EmbeddedInstruments} from './instruments.js';
import {EmbeddedRuntime} from './runtime.js';

/** What tests may replace. */
export interface TestHooks {
  /** A clock that time passes on: it is the monotonic one too, unless that is given. */
  readonly clock?: () => number;
  readonly steady?: () => number;
  readonly maxPages?: number;
  readonly packFrom?: number;
}

export class EmbeddedStorage implements StorageAdapter {
  readonly #context: AdapterContext<EmbeddedConfig>;
  readonly #instruments: EmbeddedInstruments;
  readonly #hooks: TestHooks;
  #open: EmbeddedRuntime | undefined;

  constructor(context: AdapterContext<EmbeddedConfig>, hooks: TestHooks = {}) {
    this.#context = context;
    this.#instruments = new EmbeddedInstruments(context.meter);
    this.#hooks = hooks;
  }

  async start(signal: AbortSignal): Promise<Readers> {
    const {path, durability, retention = {}, memory} = this.#context.config;
    const {clock, steady = clock, ...limits} = this.#hooks;
    const time = clock === undefined || steady === undefined ? machineTime() : {wall: clock, steady};
    const options = {
      path,
      durability,
      retention,
      memory,
      log: this.#context.log,
      instruments: this.#instruments,
      time,
    };
    this.#open = await EmbeddedRuntime.open({...options, ...limits}, signal);
    return this.#open.readers;
  }

  async health(signal: AbortSignal): Promise<Health> {
    return (await this.#open?.health(signal)) ?? HEALTHY;
  }

  /** Does everything that is due at the time of the clock. */
  async settle(): Promise<void> {
    await this.#open?.settle();
  }

  async stop(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.stop();
  }
}
