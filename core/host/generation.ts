import type {AccessCheck} from '../api/access.js';
import type {PluginLimits} from '../api/limits.js';
import type {PluginSockets} from '../api/sockets.js';
import type {GatewayStatus} from '../api/status.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {GatewayConfig, StorageConfig} from '../config/gateway-config.js';
import {ofPart} from './failed-part.js';
import {isSameStorage} from './held-storage.js';
import {Lifecycle} from './lifecycle.js';
import {PluginHost} from './plugin-host.js';
import {PluginRuntime} from './plugin-runtime.js';
import {StorageRuntime} from './storage-runtime.js';
import {STORAGE, type Storages} from './storages.js';

/** What components of every generation are given. */
export interface GenerationServices {
  readonly loggerOf: (component: string) => Logger;
  readonly meterOf: (component: string) => Meter;
  /** Makes storages, and hands over what only one of them can have open. */
  readonly storages: Storages;
  /** Who may call sockets that plugins open themselves. */
  readonly access: AccessCheck;
  /** Addresses that a plugin opens itself, by its id. */
  readonly portsOf: (plugin: string) => PluginSockets;
  /** The state of the whole gateway. */
  readonly status: () => Promise<GatewayStatus>;
}

/** Those that plugins are given. */
const PLUGIN_LIMITS: Readonly<Record<keyof PluginLimits, true>> = {
  queryLength: true,
  nesting: true,
  listNames: true,
  spanTags: true,
  ingestBody: true,
  ingestTimeout: true,
};

/**
 * Everything that one configuration runs beside the listeners. A reload makes the next one beside it, of which parts that the
 * two have alike are the same; the others end when their last request has.
 */
export class Generation {
  readonly config: GatewayConfig;
  readonly storage: StorageRuntime | undefined;
  /** In the order of the configuration. */
  readonly plugins: readonly PluginRuntime[];
  readonly #services: GenerationServices;
  /** What it has and the one before has not. Nothing of it leads back to that one: generations would be a chain without end. */
  readonly #fresh: ReadonlySet<StorageRuntime | PluginRuntime>;
  /** What has been started for it. */
  readonly #started = new Lifecycle();

  /** Nothing happens before `start`. `before` is the generation that it is going to follow. */
  constructor(config: GatewayConfig, services: GenerationServices, before?: Generation) {
    this.config = config;
    this.#services = services;
    const isSame = {
      storage: before !== undefined && isSameStorage(before.config.storage, config.storage),
      limits: before !== undefined && hasSameLimits(before.config, config),
    };
    this.storage = isSame.storage ? before?.storage : this.#createStorage(config.storage);
    this.plugins = config.plugins.map(plugin => {
      const known = before?.plugins.find(({config: {id}}) => id === plugin.id);
      return known?.suits(plugin, isSame) ? known : new PluginRuntime(plugin);
    });
    const parts = [...(this.storage === undefined ? [] : [this.storage]), ...this.plugins];
    const old = new Set<unknown>(before === undefined ? [] : [before.storage, ...before.plugins]);
    this.#fresh = new Set(parts.filter(part => !old.has(part)));
  }

  /** Starts what is new in it. When something fails, what had been started waits for `rollBack`. */
  async start(signal: AbortSignal): Promise<void> {
    const {startTimeout, limits} = this.config;
    const {loggerOf, meterOf, access, portsOf, status} = this.#services;
    const {storage} = this;
    if (storage !== undefined && this.#fresh.has(storage)) {
      this.#started.add(`the storage adapter ${storage.name}`, () => storage.stop());
      await ofPart('storage', () => storage.start(startTimeout, signal));
    }
    const fresh = [...this.plugins.entries()].filter(([, plugin]) => plugin.config.enabled && this.#fresh.has(plugin));
    for (const [at, plugin] of fresh) {
      const log = loggerOf(plugin.config.id);
      await ofPart(`plugins[${at}]`, () => plugin.grant(storage?.readers ?? {}, storage?.name, log));
    }
    const host = new PluginHost();
    for (const [at, plugin] of fresh) {
      const {id} = plugin.config;
      this.#started.add(`the plugin ${id}`, () => plugin.stop());
      const services = {host, log: loggerOf(id), meter: meterOf(id), limits, access, status};
      const sockets = portsOf(id);
      await ofPart(`plugins[${at}]`, () => plugin.start({...services, sockets, timeout: startTimeout, signal}));
    }
  }

  /** Stops what was started for it: nothing of the generation before. */
  async rollBack(): Promise<void> {
    const {shutdownTimeout} = this.config;
    await this.#started.stop(shutdownTimeout).catch((error: unknown) => {
      this.#services.loggerOf('gateway').error('the stop after a failed start was not clean', {err: error});
    });
  }

  /** The addresses that plugins have opened themselves, by name. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.assign({}, ...this.plugins.map(plugin => plugin.addresses));
  }

  /** Takes the place of the one before. */
  put(): void {
    for (const [at, plugin] of this.plugins.entries()) {
      const config = this.config.plugins[at];
      if (config !== undefined) plugin.move(config);
    }
  }

  /** What the one before has and this one has not: its plugins in the order of their stop, then its storage. */
  goneFrom(before: Generation): {readonly plugins: readonly PluginRuntime[]; readonly storage?: StorageRuntime} {
    const plugins = before.plugins.filter(plugin => !this.plugins.includes(plugin)).reverse();
    const {storage} = before;
    return {plugins, ...(storage !== undefined && storage !== this.storage && {storage})};
  }

  #createStorage(config: StorageConfig | undefined): StorageRuntime | undefined {
    const {loggerOf, meterOf, storages} = this.#services;
    return config && new StorageRuntime(config, storages, loggerOf(STORAGE), meterOf(STORAGE));
  }
}

function hasSameLimits({limits: a}: GatewayConfig, {limits: b}: GatewayConfig): boolean {
  return (Object.keys(PLUGIN_LIMITS) as (keyof PluginLimits)[]).every(key => a[key] === b[key]);
}
