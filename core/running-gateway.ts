import {isDeepStrictEqual} from 'node:util';
import {GatewayError} from './api/errors.js';
import type {GatewayStatus, State} from './api/status.js';
import type {Logger, Meter} from './api/telemetry.js';
import {ConfigError, type Problem} from './config/config-error.js';
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
import {componentsOf, isReady} from './host/status.js';
import {Storages} from './host/storages.js';
import type {Usage} from './host/usage.js';
import {adminMount} from './http/admin-routes.js';
import {drain, letIn} from './http/drain.js';
import {GatewayMetrics, type Measurements, StatusMetrics} from './http/gateway-metrics.js';
import {Listeners, type Plan} from './http/listeners.js';
import {pluginMounts} from './http/plugin-mounts.js';
import {PluginPorts} from './http/plugin-ports.js';
import {changeLimits, createHttpServices, type HttpServices, type Shared} from './http/services.js';
import {VERSION} from './version.js';

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

/** What a gateway has from elsewhere that is one of several processes: these three are of all of them together. */
export interface Membership extends Shared {
  /** Whether it is the one that speaks for all in the log. */
  readonly isFirst: boolean;
  readonly status: () => Promise<GatewayStatus>;
  readonly metrics: () => Promise<string>;
  readonly reload: () => Promise<void>;
}

/** Another configuration that is ready: all that could fail has been done. */
export interface PreparedReload {
  /** Puts it in force, in one turn of the event loop. Resolves when addresses that are no more are closed. */
  commit(): Promise<void>;
  /** In place of `commit`: ends what was started for it. */
  abandon(): Promise<void>;
}

/** A gateway as the one sees it who holds several together. */
export interface RunningGateway extends Gateway {
  /** Rejects as `reload` does. One at a time, ended by `commit`, `abandon` or `stop`. */
  prepare(config: GatewayConfig): Promise<PreparedReload>;
  /** Of this process alone, as `status` is. */
  measure(): Promise<Measurements>;
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

function workersProblems(before: GatewayConfig, after: GatewayConfig): readonly Problem[] {
  if (before.workers === after.workers) return [];
  const message = `cannot change from ${before.workers} to ${after.workers} while the gateway runs; restart it`;
  return [{path: 'workers', message}];
}

/** Gives what sets them to the numbers of the moment. */
function queueGauges(meter: Meter, {admission, heavyAdmission}: HttpServices): () => void {
  const running = meter.gauge('query_gateway_queries_running', 'Queries that run now.').with({});
  const waiting = meter.gauge('query_gateway_queries_waiting', 'Queries that wait for their turn.').with({});
  return () => {
    running.set(admission.running + heavyAdmission.running);
    waiting.set(admission.waiting + heavyAdmission.waiting);
  };
}

const silence = (): void => undefined;
const SILENT: Logger = {debug: silence, info: silence, warn: silence, error: silence};

/** For how long requests may be answered by what a reload has replaced: until the last of them is over anyway. */
function patienceOf({limits, listeners}: GatewayConfig): number {
  const reading = Math.max(0, ...listeners.map(({readTimeout}) => readTimeout));
  return reading + Math.max(limits.queryTimeout, limits.ingestTimeout);
}

/** What keeps a configuration from being put in force, by the key that asks for it. */
export function asConfigError(error: unknown): unknown {
  if (!(error instanceof FailedPart)) return error;
  return new ConfigError([{path: error.key, message: error.message}]);
}

/** A gateway of this process, alone or one of several. Nothing happens before `start`. */
export function createRunningGateway(
  first: GatewayConfig,
  {loggerOf = () => SILENT, readConfig, inForce}: GatewayOptions = {},
  member?: Membership,
): RunningGateway {
  const instruments = new Instruments();
  const meterOf = (component: string) => instruments.meter(component);
  const http = createHttpServices(first.limits, loggerOf, meterOf, member);
  const ports = new PluginPorts(http.ports);
  const portsOf = (plugin: string) => ports.of(plugin);
  const wholeStatus = member?.status ?? (() => status());
  const storages = new Storages(loggerOf, meterOf);
  const services = {loggerOf, meterOf, storages, access: http.access, portsOf, status: wholeStatus};
  const log = loggerOf('gateway');
  const listeners = new Listeners(http);
  const metrics = new GatewayMetrics(instruments, queueGauges(meterOf('gateway'), http));
  // Of several processes, whoever holds them together tells this.
  const together = member === undefined ? meterOf('gateway') : new Instruments().meter('gateway');
  const report = new ReloadReport(together);
  const statusMetrics = new StatusMetrics(together, VERSION);
  const stopping = new AbortController();
  /** What ends after a reload that has replaced it. */
  const retiring = new Set<Promise<void>>();
  let current: Generation | undefined;
  let state: State = 'starting';
  let started: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let reloads: Promise<unknown> = Promise.resolve();
  /** Neither in force nor abandoned. */
  let prepared: PreparedReload | undefined;
  const speaks = member?.isFirst ?? true;

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
    if (speaks) announce(socketsOf(first), addressesOf(generation), log);
    report.started();
    state = 'ok';
  };

  const prepare = async (config: GatewayConfig): Promise<PreparedReload> => {
    const before = current;
    if (before === undefined || state !== 'ok') {
      throw new GatewayError('overloaded', `the gateway is ${state}; the configuration is not read again`);
    }
    const problems = [
      ...workersProblems(before.config, config),
      ...heldProblems(before.config.storage, config.storage),
    ];
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
    const commit = async (): Promise<void> => {
      prepared = undefined;
      const addresses = addressesOf(before);
      changeLimits(http, config.limits);
      access.put();
      record.put();
      const left = exchange.commit();
      next.put();
      current = next;
      const options = {patience: patienceOf(before.config), timeout: before.config.shutdownTimeout + 1000, log};
      const abort = (error: GatewayError, of: Usage): void => http.inFlight.abortAll(error, of);
      const ended = left.listeners
        .then(() => retire(next.goneFrom(before), {...options, abort}))
        .finally(() => retiring.delete(ended));
      retiring.add(ended);
      await left.ports;
      if (speaks && !isDeepStrictEqual(addressesOf(next), addresses))
        announce(socketsOf(config), addressesOf(next), log);
      inForce?.(config);
    };
    const abandon = async (): Promise<void> => {
      prepared = undefined;
      access.drop();
      await Promise.all([record.drop(), exchange.abandon()]);
      await next.rollBack();
    };
    prepared = {commit, abandon};
    return prepared;
  };

  const reloadOnce = async (): Promise<void> => {
    try {
      if (readConfig === undefined || state !== 'ok') {
        throw new GatewayError('overloaded', `the gateway is ${state}; the configuration is not read again`);
      }
      const {commit} = await prepare(await readConfig());
      await commit();
      report.succeeded(log);
    } catch (cause) {
      throw report.failed(asConfigError(cause), log);
    }
  };

  const reload = (): Promise<void> => {
    const next = reloads.then(reloadOnce);
    reloads = next.catch(silence);
    return next;
  };

  const prepareNext = (config: GatewayConfig): Promise<PreparedReload> => {
    const next = reloads
      .then(() => prepare(config))
      .catch((error: unknown) => {
        throw asConfigError(error);
      });
    reloads = next.catch(silence);
    return next;
  };

  const page = async (): Promise<string> => {
    const now = await status();
    statusMetrics.tell(isReady(now), componentsOf(now));
    return metrics.page();
  };

  const readersOf = (holds: string) => storages.readersOf(holds);
  const own = {status, metrics: page, ...(readConfig !== undefined && {reload})};
  const admin = adminMount({...(member ?? own), readersOf});

  const shutDown = async (): Promise<void> => {
    state = 'stopping';
    for (const listener of listeners.all) listener.endConnections();
    const {shutdownTimeout} = current?.config ?? first;
    await letIn(listeners.all, shutdownTimeout);
    stopping.abort(new GatewayError('cancelled', 'the gateway is stopping'));
    await started?.catch(silence);
    await reloads;
    await prepared?.abandon();
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

  return {start, reload, status, stop, prepare: prepareNext, measure: () => metrics.measure()};
}
