import {GatewayError} from './api/errors.js';
import type {GatewayStatus, State} from './api/status.js';
import type {Logger} from './api/telemetry.js';
import {ADMIN} from './config/envelope.js';
import type {GatewayConfig} from './config/gateway-config.js';
import {exposureOf, placeOf, type Socket, socketsOf} from './config/sockets.js';
import {Lifecycle} from './host/lifecycle.js';
import {Instruments} from './host/meter.js';
import {PluginHost} from './host/plugin-host.js';
import {PluginRuntime} from './host/plugin-runtime.js';
import {disabledMessage} from './host/status.js';
import {StorageRuntime} from './host/storage-runtime.js';
import {adminMount} from './http/admin-routes.js';
import {drain, letIn} from './http/drain.js';
import {Listener} from './http/listener.js';
import {mirrored, readOnly} from './http/mirror.js';
import type {Mount} from './http/mount.js';
import {createHttpServices} from './http/services.js';
import {VERSION} from './version.js';

export type {GatewayStatus} from './api/status.js';
export {ConfigError, type Problem} from './config/config-error.js';
export type * from './config/gateway-config.js';
export {type ConfigSource, loadConfig} from './config/load.js';
export type {Builtins, ModuleTable} from './config/load-module.js';

export interface GatewayOptions {
  /** The logger of each component, by its name. Left out, nothing is logged. */
  readonly loggerOf?: (component: string) => Logger;
}

export interface Gateway {
  /** Starts everything and gives the addresses that are open, by name. Rejects after stopping what had started. */
  start(): Promise<Readonly<Record<string, string>>>;
  status(): Promise<GatewayStatus>;
  /** Drains and stops. Safe at any time, and twice. Rejects with an `AggregateError` when a component did not stop. */
  stop(): Promise<void>;
}

/** Says where each socket listens, which the addresses of the ready line do not tell: those are for opening. */
function announce(sockets: readonly Socket[], addresses: Readonly<Record<string, string>>, log: Logger): void {
  const portOf = (name: string) => Number(/:(\d+)$/.exec(addresses[name] ?? '')?.[1]);
  // Of a plugin that lacks a capability nothing is open.
  const open = sockets.filter(({name}) => addresses[name] !== undefined);
  const places = open.map(socket => ({socket, address: placeOf({host: socket.host, port: portOf(socket.name)})}));
  const byName = Object.fromEntries(places.map(({socket, address}) => [socket.name, address]));
  log.info('the sockets are open', {sockets: byName});
  for (const {socket, address} of places) {
    const lack = exposureOf(socket);
    if (lack !== undefined)
      log.warn(`a socket can be reached by other machines, ${lack}`, {socket: socket.name, address});
  }
}

const silence = (): void => undefined;
const SILENT: Logger = {debug: silence, info: silence, warn: silence, error: silence};

/** A gateway over a configuration that `loadConfig` has read. Nothing happens before `start`. */
export function createGateway(config: GatewayConfig, {loggerOf = () => SILENT}: GatewayOptions = {}): Gateway {
  const instruments = new Instruments();
  const meterOf = (component: string) => instruments.meter(component);
  const http = createHttpServices(config.limits, loggerOf, meterOf);
  const log = loggerOf('gateway');
  const listeners = config.listeners.map(listener => new Listener(listener, http));
  const admin = listeners.filter(({name}) => name === ADMIN);
  const others = listeners.filter(({name}) => name !== ADMIN);
  const lifecycle = new Lifecycle();
  const starting = new AbortController();
  const addresses: Record<string, string> = {};
  const plugins = config.plugins.map(plugin => new PluginRuntime(plugin));
  let storage: StorageRuntime | undefined;
  let state: State = 'starting';
  let started: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  const status = async (): Promise<GatewayStatus> => ({
    gateway: {version: VERSION, state},
    storage: (await storage?.status()) ?? null,
    plugins: plugins.map(plugin => plugin.status()),
  });

  const listen = async (list: readonly Listener[]): Promise<void> => {
    for (const listener of list) addresses[listener.name] = await listener.listen();
  };

  const run = async (): Promise<void> => {
    const {signal} = starting;
    const {startTimeout, shutdownTimeout} = config;

    // Who may see anything.
    lifecycle.add('the access table', () => http.access.stop());
    http.access.prepare(config.access).put();

    // What can be seen from the start: the admin listener, which also closes last.
    let own: Mount | undefined;
    const ownMount = (): Mount => {
      own ??= adminMount(status, instruments, http);
      return own;
    };
    for (const listener of admin) listener.mount(ownMount());
    const mounts: Mount[] = [];
    lifecycle.add('the admin listener', () => drain(admin, http, shutdownTimeout, log));
    await listen(admin);

    // The storage.
    const runtime = config.storage && new StorageRuntime(config.storage, loggerOf('storage'), meterOf('storage'));
    storage = runtime;
    if (runtime !== undefined) lifecycle.add(`the storage adapter ${runtime.name}`, () => runtime.stop());
    const supplied = (await runtime?.start(startTimeout, signal)) ?? {};

    // What each plugin gets of it.
    for (const plugin of plugins)
      if (plugin.config.enabled) plugin.grant(supplied, runtime?.name, loggerOf(plugin.config.id));

    // The plugins, in the order of the configuration.
    const host = new PluginHost();
    for (const plugin of plugins) {
      if (!plugin.config.enabled) continue;
      const {id, definition, prefix, listener: name} = plugin.config;
      lifecycle.add(`the plugin ${id}`, () => plugin.stop());
      const {access} = http;
      const services = {host, log: loggerOf(id), meter: meterOf(id), limits: config.limits, access, status};
      Object.assign(addresses, await plugin.start({...services, timeout: startTimeout, signal}));
      const {refusal} = plugin;
      const serves = refusal === undefined ? {routes: plugin.routes.bind(plugin)} : {refusal};
      const listener = listeners.find(candidate => candidate.name === name);
      const mount = {id, prefix, right: definition.right, renderError: definition.renderError, ...serves};
      listener?.mount(mount);
      mounts.push(mount);
    }

    // After the others, so that a prefix of a plugin that is on stays its own.
    for (const [index, {config: entry}] of plugins.entries()) {
      if (entry.enabled) continue;
      const {id, definition, prefix, listener: name} = entry;
      const refusal = new GatewayError('not_found', disabledMessage(entry, `plugins[${index}]`));
      const mount = {id, prefix, right: definition.right, renderError: definition.renderError, refusal};
      listeners.find(candidate => candidate.name === name)?.mount(mount);
      mounts.push(mount);
    }

    // What the page of one plugin shows of the others.
    for (const plugin of plugins) {
      const {id, definition, enabled, listener: name} = plugin.config;
      const owner = mounts.find(mount => mount.id === id);
      if (definition.mirror === undefined || !enabled || owner?.routes === undefined) continue;
      const listener = listeners.find(candidate => candidate.name === name);
      for (const mount of mirrored(owner, definition.mirror, [...mounts, readOnly(ownMount())])) listener?.mount(mount);
    }

    // The listeners.
    lifecycle.add('the listeners', () => drain(others, http, shutdownTimeout, log));
    await listen(others);
    signal.throwIfAborted();
    announce(socketsOf(config), addresses, log);
    state = 'ok';
  };

  const shutDown = async (): Promise<void> => {
    state = 'stopping';
    await letIn(listeners, config.shutdownTimeout);
    starting.abort(new GatewayError('cancelled', 'the gateway is stopping'));
    await started?.catch(silence);
    for (const plugin of plugins) plugin.drain();
    try {
      // Draining has its own deadline; a component gets a second more before it counts as stuck.
      await lifecycle.stop(config.shutdownTimeout + 1000);
    } finally {
      state = 'stopped';
    }
  };

  const stop = (): Promise<void> => {
    stopped ??= shutDown();
    return stopped;
  };

  const start = async (): Promise<Readonly<Record<string, string>>> => {
    started ??= run();
    try {
      await started;
      return addresses;
    } catch (error) {
      await stop().catch((failure: unknown) =>
        log.error('the stop after a failed start was not clean', {err: failure}),
      );
      throw error;
    }
  };

  return {start, status, stop};
}
