import type {StorageAdapter} from '../api/adapter.js';
import type {Readers} from '../api/capabilities.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {StorageConfig} from '../config/gateway-config.js';
import {nestedStorages} from '../config/nested-storages.js';
import {checkReaders, createStorage} from './create-storage.js';
import {exclusivesOf, isSameStorage} from './held-storage.js';

/** The component that a gateway's storage is to logs and metrics; one within it is called after its key, `storage.primary`. */
export const STORAGE = 'storage';

/**
 * Makes the storages of configurations, with those that are within them. One that has what only one instance can have is made
 * once for all that name it with equal keys, so a reload hands it over open, also into another storage or out of it. It
 * goes on under the component that it began as.
 */
export class Storages {
  readonly #loggerOf: (component: string) => Logger;
  readonly #meterOf: (component: string) => Meter;
  readonly #shared = new Set<SharedStorage>();

  constructor(loggerOf: (component: string) => Logger, meterOf: (component: string) => Meter) {
    this.#loggerOf = loggerOf;
    this.#meterOf = meterOf;
  }

  /** Not started. What an adapter lacks of the contract is a `GatewayError` that names it. */
  create(config: StorageConfig, component = STORAGE): StorageAdapter {
    if (exclusivesOf(config).length === 0) return this.#make(config, component);
    for (const shared of this.#shared) if (isSameStorage(shared.config, config)) return shared.share();
    const shared = new SharedStorage(config, this.#make(config, component), () => this.#shared.delete(shared));
    this.#shared.add(shared);
    return shared.share();
  }

  /** The readers and writers of the one that has `what` open, in the words of `AdapterDefinition.exclusive`. */
  readersOf(what: string): Readers | undefined {
    const shared = [...this.#shared].find(({config}) => exclusivesOf(config).some(held => held.what === what));
    return shared?.open;
  }

  #make(storage: StorageConfig, component: string): StorageAdapter {
    const [log, meter] = [this.#loggerOf(component), this.#meterOf(component)];
    const within = nestedStorages(storage).map(([key, nested]) => {
      const adapter = this.create(nested, `${component}.${key}`);
      return [key, checked(adapter)] as const;
    });
    const {config} = storage;
    return createStorage(storage, {
      config,
      log,
      meter,
      ...(within.length > 0 && {storages: Object.fromEntries(within)}),
    });
  }
}

/** The same adapter, whose readers are what the contract asks for: an adapter that is given it need not look. */
function checked(adapter: StorageAdapter): StorageAdapter {
  return {
    start: async signal => checkReaders(await adapter.start(signal)),
    health: signal => adapter.health(signal),
    stop: () => adapter.stop(),
  };
}

/** An adapter that is started with the first of those who have it, and stopped with the last. */
class SharedStorage {
  readonly config: StorageConfig;
  readonly #adapter: StorageAdapter;
  readonly #ended: () => void;
  readonly #users = new Set<object>();
  #readers: Promise<Readers> | undefined;
  #open: Readers | undefined;

  constructor(config: StorageConfig, adapter: StorageAdapter, ended: () => void) {
    this.config = config;
    this.#adapter = adapter;
    this.#ended = ended;
  }

  /** What it has given at its start; undefined before, and after its stop. */
  get open(): Readers | undefined {
    return this.#open;
  }

  /** The adapter as one of those has it who share it. */
  share(): StorageAdapter {
    const adapter = this.#adapter;
    const user = {};
    return {
      start: signal => this.#start(user, signal),
      health: signal => adapter.health(signal),
      stop: () => this.#stop(user),
      ...(adapter.differences !== undefined && {differences: () => adapter.differences?.() ?? []}),
    };
  }

  #start(user: object, signal: AbortSignal): Promise<Readers> {
    this.#users.add(user);
    this.#readers ??= this.#begin(signal).catch((error: unknown) => {
      this.#readers = undefined;
      throw error;
    });
    return this.#readers;
  }

  async #begin(signal: AbortSignal): Promise<Readers> {
    const readers = await this.#adapter.start(signal);
    this.#open = readers;
    return readers;
  }

  async #stop(user: object): Promise<void> {
    if (!this.#users.delete(user) || this.#users.size > 0) return;
    this.#ended();
    this.#open = undefined;
    await this.#adapter.stop();
  }
}
