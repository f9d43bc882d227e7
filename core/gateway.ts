import {isDeepStrictEqual} from 'node:util';
import {GatewayError} from './api/errors.js';
import type {GatewayStatus, State} from './api/status.js';
import type {Logger} from './api/telemetry.js';
import {ConfigError} from './config/config-error.js';
import {ADMIN} from './config/envelope.js';
import type {GatewayConfig} from './config/gateway-config.js';
import {exposureOf, placeOf, type Socket, socketsOf} from './config/sockets.js';
import {FailedPart, ofPart} from './host/failed-part.js';
import {Generation} from './host/generation.js';
import {heldProblems, isSameStorage} from './host/held-storage.js';
import {Lifecycle} from './host/lifecycle.js';
import {Instruments} from './host/meter.js';
import {ReloadReport} from './host/reload-report.js';
import {retire} from './host/retire.js';
import {Storages} from './host/storages.js';
import {adminMount} from './http/admin-routes.js';
import {drain, letIn} from './http/drain.js';
import {Listeners, type Plan} from './http/listeners.js';
import {pluginMounts} from './http/plugin-mounts.js';
import {PluginPorts} from './http/plugin-ports.js';
import {changeLimits, createHttpServices} from './http/services.js';
import {VERSION} from './version.js';

export type {GatewayStatus} from './api/status.js';
export {ConfigError, type Problem} from './config/config-error.js';
export type * from './config/gateway-config.js';
export {type ConfigSource, loadConfig} from './config/load.js';
export type {Builtins, ModuleTable} from './config/load-module.js';

export interface GatewayOptions {
  /** The logger of each component, by its name. Left out, nothing is logged. */
  readonly loggerOf?: (component: string) => Logger;
  /** Reads the configuration again for a reload. Left out, the admin listener has no path for that. */
  readonly readConfig?: () => Promise<GatewayConfig>;
  /** Told of each configuration that a reload has put in force. */
  readonly inForce?: (config: GatewayConfig) => void;
}

export interface Gateway {
  /** Starts everything and gives the addresses that are open, by name. Rejects after stopping what had started. */
  start(): Promise<Readonly<Record<string, string>>>;
  /**
   * Reads the configuration again and puts it in force without a request that fails. Rejects with a `ConfigError` where it
   * cannot be put in force, and nothing has changed then. Several at once are done one after the other.
   */
  reload(): Promise<void>;
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

/** For how long requests may be answered by what a reload has replaced: until the last of them is over anyway. */
function patienceOf({limits, listeners}: GatewayConfig): number {
  const reading = Math.max(0, ...listeners.map(({readTimeout}) => readTimeout));
  return reading + Math.max(limits.queryTimeout, limits.ingestTimeout);
}

/** What keeps a configuration from being put in force, by the key that asks for it. */
function asConfigError(error: unknown): unknown {
  if (!(error instanceof FailedPart)) return error;
  return new ConfigError([{path: error.key, message: error.message}]);
}

/** A gateway over a configuration that `loadConfig` has read. Nothing happens before `start`. */
export function createGateway(
  first: GatewayConfig,
  {loggerOf = () => SILENT, readConfig, inForce}: GatewayOptions = {},
): Gateway {
  const instruments = new Instruments();
  const meterOf = (component: string) => instruments.meter(component);
  const http = createHttpServices(first.limits, loggerOf, meterOf);
  const ports = new PluginPorts();
  const portsOf = (plugin: string) => ports.of(plugin);
  const storages = new Storages(loggerOf, meterOf);
  const services = {loggerOf, meterOf, storages, access: http.access, portsOf, status: () => status()};
  const log = loggerOf('gateway');
  const listeners = new Listeners(http);
  const report = new ReloadReport(meterOf('gateway'));
  const stopping = new AbortController();
  /** What ends after a reload that has replaced it. */
  const retiring = new Set<Promise<void>>();
  let current: Generation | undefined;
  let state: State = 'starting';
  let started: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let reloads: Promise<unknown> = Promise.resolve();

  const status = async (): Promise<GatewayStatus> => ({
    gateway: {version: VERSION, state},
    storage: (await current?.storage?.status()) ?? null,
    plugins: current?.plugins.map(plugin => plugin.status()) ?? [],
    reload: report.latest,
  });
  /** The admin listener first, for it opens first; then those of plugins. */
  const addressesOf = ({addresses}: Generation): Readonly<Record<string, string>> => {
    const {[ADMIN]: own, ...others} = listeners.addresses;
    return {...(own !== undefined && {[ADMIN]: own}), ...addresses, ...others};
  };

  const planOf = (generation: Generation): Plan => ({
    ...generation.config,
    mountsOf: name => (name === ADMIN ? [admin] : pluginMounts(generation, name, admin)),
  });
  const patience = (config: GatewayConfig) => ({idle: config.shutdownTimeout, busy: patienceOf(config)});

  const run = async (): Promise<void> => {
    const {signal} = stopping;
    // Who may see anything.
    http.access.prepare(first.access).put();
    (await ofPart('record.file', () => http.recorder.prepare(first.record))).put();
    // What can be seen from the start: the admin listener, which also closes last.
    const own = first.listeners.filter(({name}) => name === ADMIN);
    const empty = {...first, listeners: own, mountsOf: () => [admin]};
    (await listeners.prepare(empty, patience(first))).commit();
    const generation = new Generation(first, services);
    current = generation;
    await generation.start(signal);
    const exchange = await listeners.prepare(planOf(generation), patience(first));
    exchange.commit();
    signal.throwIfAborted();
    announce(socketsOf(first), addressesOf(generation), log);
    report.started();
    state = 'ok';
  };

  const change = async (config: GatewayConfig, before: Generation): Promise<void> => {
    const problems = heldProblems(before.config.storage, config.storage);
    if (problems.length > 0) throw new ConfigError(problems);
    // What an earlier reload has replaced may have open what another storage is going to open.
    if (!isSameStorage(before.config.storage, config.storage)) await Promise.all(retiring);
    const access = await ofPart('access.file', () => http.access.prepare(config.access));
    const record = await ofPart('record.file', () => http.recorder.prepare(config.record)).catch((error: unknown) => {
      access.drop();
      throw error;
    });
    const begin = async () => {
      const next = await ofPart('storage', () => new Generation(config, services, before));
      try {
        await next.start(stopping.signal);
        return {next, exchange: await listeners.prepare(planOf(next), patience(before.config))};
      } catch (error) {
        await next.rollBack();
        throw error;
      }
    };
    const {next, exchange} = await begin().catch((error: unknown) => {
      access.drop();
      void record.drop();
      throw error;
    });
    // In this turn of the event loop requests begin to go to what is new. Nothing of it can fail.
    const addresses = addressesOf(before);
    changeLimits(http, config.limits);
    access.put();
    record.put();
    const left = exchange.commit();
    next.put();
    current = next;
    const options = {patience: patienceOf(before.config), timeout: before.config.shutdownTimeout + 1000, log};
    const ended = left.listeners
      .then(() => retire(next.goneFrom(before), {...options, abort: (error, of) => http.inFlight.abortAll(error, of)}))
      .finally(() => retiring.delete(ended));
    retiring.add(ended);
    await left.ports;
    if (!isDeepStrictEqual(addressesOf(next), addresses)) announce(socketsOf(config), addressesOf(next), log);
  };

  const reloadOnce = async (): Promise<void> => {
    try {
      if (readConfig === undefined || current === undefined || state !== 'ok') {
        throw new GatewayError('overloaded', `the gateway is ${state}; the configuration is not read again`);
      }
      const config = await readConfig();
      await change(config, current);
      inForce?.(config);
      report.succeeded();
      log.info('the configuration was read again and is in force');
    } catch (cause) {
      const error = asConfigError(cause);
      const mistakes = error instanceof ConfigError ? error.problems : [];
      const problems = mistakes.map(({path: key, message}) => ({key, message}));
      const {message} = error as Error;
      report.failed(message, problems);
      const found = problems.length > 0 ? problems : message;
      log.error('the configuration was read again and is not in force: nothing has changed', {problems: found});
      throw error;
    }
  };

  const reload = (): Promise<void> => {
    const next = reloads.then(reloadOnce);
    reloads = next.catch(silence);
    return next;
  };

  const readersOf = (holds: string) => storages.readersOf(holds);
  const admin = adminMount({status, readersOf, ...(readConfig !== undefined && {reload})}, instruments, http);

  const shutDown = async (): Promise<void> => {
    state = 'stopping';
    for (const listener of listeners.all) listener.endConnections();
    const {shutdownTimeout} = current?.config ?? first;
    await letIn(listeners.all, shutdownTimeout);
    stopping.abort(new GatewayError('cancelled', 'the gateway is stopping'));
    await started?.catch(silence);
    await reloads;
    const {plugins = [], storage} = current ?? {};
    for (const plugin of plugins) plugin.drain();
    const lifecycle = new Lifecycle();
    const isAdmin = ({name}: {readonly name: string}): boolean => name === ADMIN;
    const [own, others] = [listeners.all.filter(isAdmin), listeners.all.filter(each => !isAdmin(each))];
    lifecycle.add('the access table', () => http.access.stop());
    lifecycle.add('the record of queries', () => http.recorder.stop());
    lifecycle.add('the admin listener', () => drain(own, http, shutdownTimeout, log));
    if (storage !== undefined) lifecycle.add(`the storage adapter ${storage.name}`, () => storage.stop());
    for (const plugin of plugins) lifecycle.add(`the plugin ${plugin.config.id}`, () => plugin.stop());
    lifecycle.add('what the latest reload has replaced', async () => void (await Promise.all(retiring)));
    lifecycle.add('the listeners', () => drain(others, http, shutdownTimeout, log));
    try {
      // Draining has its own deadline; a component gets a second more before it counts as stuck.
      await lifecycle.stop(shutdownTimeout + 1000);
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
      return current === undefined ? {} : addressesOf(current);
    } catch (error) {
      await stop().catch((failure: unknown) =>
        log.error('the stop after a failed start was not clean', {err: failure}),
      );
      throw error instanceof FailedPart ? error.cause : error;
    }
  };

  return {start, reload, status, stop};
}
