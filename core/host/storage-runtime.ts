import type {StorageAdapter} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {State, StorageStatus} from '../api/status.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {StorageConfig} from '../config/gateway-config.js';
import {storageFailure} from './create-storage.js';
import {instrumentReaders} from './instrumented-readers.js';
import {within} from './lifecycle.js';
import {capabilitiesOf} from './negotiate.js';
import {startStorage} from './start-storage.js';
import {byHealth} from './status.js';
import type {Storages} from './storages.js';

const HEALTH_TIMEOUT = 1000;

/** The storage adapter of a gateway: its start, its state and its stop. */
export class StorageRuntime {
  readonly #config: StorageConfig;
  readonly #log: Logger;
  readonly #meter: Meter;
  readonly #adapter: StorageAdapter;
  #state: State = 'starting';
  #message: string | undefined;
  #supplied: Readers = {};
  #readers: Readers = {};

  constructor(config: StorageConfig, storages: Storages, log: Logger, meter: Meter) {
    this.#config = config;
    this.#log = log;
    this.#meter = meter;
    this.#adapter = storages.create(config);
  }

  get name(): string {
    return this.#config.definition.name;
  }

  get config(): StorageConfig {
    return this.#config;
  }

  /** What it has given at its start, with the calls counted. */
  get readers(): Readers {
    return this.#readers;
  }

  async start(timeout: number, signal: AbortSignal): Promise<void> {
    const retrying = (error: GatewayError) => {
      this.#message = error.message;
    };
    try {
      this.#supplied = await startStorage(this.#adapter, {timeout, signal, log: this.#log, retrying});
    } catch (error) {
      this.#state = 'failed';
      this.#message = GatewayError.from(error).message;
      throw storageFailure(this.#config, 'did not start', error);
    }
    this.#state = 'ok';
    this.#message = undefined;
    this.#readers = instrumentReaders(this.#supplied, this.#meter);
  }

  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#state = 'stopping';
    await this.#adapter.stop();
    this.#state = 'stopped';
  }

  async status(): Promise<StorageStatus> {
    const {name, version} = this.#config.definition;
    const now = this.#state === 'ok' ? await this.#health() : {state: this.#state, message: this.#message};
    const differences = this.#adapter.differences?.();
    return {name, version, ...now, capabilities: capabilitiesOf(this.#supplied), differences};
  }

  async #health(): Promise<{readonly state: State; readonly message?: string | undefined}> {
    try {
      return byHealth(
        await within('the health of the storage', {milliseconds: HEALTH_TIMEOUT}, signal =>
          this.#adapter.health(signal),
        ),
      );
    } catch (error) {
      return {state: 'failed', message: GatewayError.from(error).message};
    }
  }
}
