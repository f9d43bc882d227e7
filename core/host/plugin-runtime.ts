import {isDeepStrictEqual} from 'node:util';
import type {AccessCheck} from '../api/access.js';
import type {CapabilityName, Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {Handler, Route, Routes} from '../api/http.js';
import type {PluginLimits} from '../api/limits.js';
import type {GatewayPlugin} from '../api/plugin.js';
import type {PluginSockets} from '../api/sockets.js';
import type {ComponentStatus, GatewayStatus, PluginStatus, State} from '../api/status.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {PluginConfig} from '../config/gateway-config.js';
import {within} from './lifecycle.js';
import {negotiate} from './negotiate.js';
import type {PluginHost} from './plugin-host.js';
import {byHealth, lackMessage, missingMessage, requiredMessage} from './status.js';
import {Usage} from './usage.js';

/** What a plugin is started with. */
export interface PluginStart {
  readonly host: PluginHost;
  readonly log: Logger;
  readonly meter: Meter;
  readonly limits: PluginLimits;
  readonly status: () => Promise<GatewayStatus>;
  readonly access: AccessCheck;
  readonly sockets: PluginSockets;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** One plugin of a gateway: whether it may run, its start, its state and its stop. */
export class PluginRuntime {
  /** Counts the requests that are with it. */
  readonly usage = new Usage();
  #config: PluginConfig;
  readonly #routes: [route: Route, handler: Handler][] = [];
  #takesLimits = false;
  #state: State = 'starting';
  #message: string | undefined;
  #readers: Readers = {};
  #refusal: GatewayError | undefined;
  #plugin: GatewayPlugin | undefined;
  #addresses: Readonly<Record<string, string>> = {};

  constructor(config: PluginConfig) {
    this.#config = config;
    if (!config.enabled) this.#disable('disabled: "enabled" is false');
  }

  get config(): PluginConfig {
    return this.#config;
  }

  /** Whether it can go on as it is in place of one that is made of another configuration. */
  suits(next: PluginConfig, isSame: {readonly storage: boolean; readonly limits: boolean}): boolean {
    const {definition, enabled, required, config} = this.#config;
    const asksStorage = definition.requires.length > 0 || (definition.optional ?? []).length > 0;
    return (
      definition === next.definition &&
      enabled === next.enabled &&
      required === next.required &&
      isDeepStrictEqual(config, next.config) &&
      (isSame.storage || !asksStorage) &&
      (isSame.limits || !this.#takesLimits)
    );
  }

  /** Another place where it is mounted. */
  move(config: PluginConfig): void {
    this.#config = config;
  }

  /** What its paths answer while the storage lacks what it needs. */
  get refusal(): GatewayError | undefined {
    return this.#refusal;
  }

  /** Settles what the plugin gets from the storage, or that it stays off. Throws when it is required and has to. */
  grant(supplied: Readers, adapter: string | undefined, log: Logger): void {
    const {id, definition, required} = this.config;
    const {readers, missing} = negotiate(definition, supplied);
    this.#readers = readers;
    if (missing.length === 0) return;
    if (required) throw new GatewayError('unsupported_backend', requiredMessage(id, missing, adapter));
    this.#refusal = new GatewayError('unsupported_backend', lackMessage(id, missing, adapter));
    this.#disable(missingMessage(missing));
    log.warn('the plugin is disabled', {missing, adapter});
  }

  /** Those that it has opened itself, by name. */
  get addresses(): Readonly<Record<string, string>> {
    return this.#addresses;
  }

  /** Constructs and starts the plugin unless it is disabled. */
  async start({host, sockets, timeout, signal, ...services}: PluginStart): Promise<void> {
    if (this.#state === 'disabled') return;
    try {
      const {made: plugin, takesLimits} = host.construct(this.config, {...services, readers: this.#readers});
      this.#takesLimits = takesLimits;
      this.#plugin = plugin;
      const limit = {milliseconds: timeout, option: 'startTimeout'};
      const started = await within('its start', limit, async inner => plugin.start?.(inner, sockets), signal);
      plugin.routes({add: (route, handler) => this.#routes.push([route, handler])});
      this.#addresses = started?.addresses ?? {};
      this.#state = 'ok';
    } catch (error) {
      this.#state = 'failed';
      const {code, message} = GatewayError.from(error);
      this.#message = message;
      throw new GatewayError(code, `the plugin ${this.config.id} did not start: ${message}`, {cause: error});
    }
  }

  /** The routes that it has added, as often as it is mounted. */
  routes(routes: Routes): void {
    for (const [route, handler] of this.#routes) routes.add(route, handler);
  }

  /** Tells the plugin that the gateway begins to stop. */
  drain(): void {
    if (this.#state === 'ok') this.#plugin?.drain?.();
  }

  async stop(): Promise<void> {
    if (this.#state === 'disabled' || this.#state === 'stopped') return;
    this.#state = 'stopping';
    await this.#plugin?.stop?.();
    this.#state = 'stopped';
  }

  status(): PluginStatus {
    const {id, definition, listener, prefix} = this.config;
    const requires: readonly CapabilityName[] = definition.requires;
    return {name: id, version: definition.version, ...this.#now(), listener, prefix, requires};
  }

  #now(): Pick<ComponentStatus, 'state' | 'message'> {
    const health = this.#state === 'ok' ? this.#plugin?.health?.() : undefined;
    return health === undefined ? {state: this.#state, message: this.#message} : byHealth(health);
  }

  #disable(message: string): void {
    this.#state = 'disabled';
    this.#message = message;
  }
}
