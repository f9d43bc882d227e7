import {setTimeout as sleep} from 'node:timers/promises';
import {GatewayError} from '../api/errors.js';
import type {GatewayStatus, State} from '../api/status.js';
import type {Counter, Labelled, Logger} from '../api/telemetry.js';
import type {GatewayConfig} from '../config/gateway-config.js';
import {Instruments} from '../host/meter.js';
import {ReloadReport} from '../host/reload-report.js';
import {componentsOf, isReady} from '../host/status.js';
import {StatusMetrics} from '../http/gateway-metrics.js';
import type {Gateway} from '../running-gateway.js';
import {VERSION} from '../version.js';
import type {PrimaryCalls, Source} from './calls.js';
import {CollectedMetrics} from './collected-metrics.js';
import {ForkedWorker, type WorkerCommand} from './forked-worker.js';
import {runsOnce} from './share.js';
import {SharedPorts} from './shared-ports.js';
import {SharedRecords} from './shared-records.js';
import {SpareWorker} from './spare-worker.js';
import {statusTogether} from './status-together.js';
import {WorkerPlace} from './worker-place.js';

/** A configuration, and what it was read from. */
export interface Loaded {
  readonly source: Source;
  readonly config: GatewayConfig;
}

export interface WorkersOptions {
  readonly program: WorkerCommand;
  readonly loggerOf: (component: string) => Logger;
  /** Reads the configuration again. */
  readonly read: () => Promise<Loaded>;
  /** Told of each configuration that a reload has put in force. */
  readonly inForce: (config: GatewayConfig) => void;
}

/** For so long a worker may keep silent before the others are told of without it, in milliseconds. */
const PATIENCE = 1500;
/** The deadlines of a worker's own stop, one after the other, fit into so many times `shutdownTimeout`. */
const STOPS = 4;

const nothing = (): void => undefined;

/**
 * Several processes that serve as one gateway. This one has the addresses, hands connections out, and speaks for all: it
 * neither speaks HTTP nor opens the storage.
 */
export class Workers implements Gateway {
  readonly #options: WorkersOptions;
  readonly #log: Logger;
  readonly #ports = new SharedPorts();
  readonly #records: SharedRecords;
  readonly #metrics: CollectedMetrics;
  readonly #statusMetrics: StatusMetrics;
  readonly #restarts: Labelled<Counter>;
  readonly #report: ReloadReport;
  readonly #places: readonly WorkerPlace[];
  readonly #spare: SpareWorker;
  readonly #stopping = new AbortController();
  #inForce: Loaded;
  #state: State = 'starting';
  #reloads: Promise<unknown> = Promise.resolve();
  #started: Promise<Readonly<Record<string, string>>> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(first: Loaded, options: WorkersOptions) {
    this.#options = options;
    this.#inForce = first;
    this.#log = options.loggerOf('gateway');
    const instruments = new Instruments();
    const meter = instruments.meter('gateway');
    this.#records = new SharedRecords(options.loggerOf('record'));
    this.#metrics = new CollectedMetrics(instruments);
    this.#statusMetrics = new StatusMetrics(meter, VERSION);
    this.#report = new ReloadReport(meter);
    const help = 'Workers that have ended and were started again.';
    this.#restarts = meter.counter('query_gateway_worker_restarts_total', help, ['worker']);
    const {program} = options;
    const callsFor = (worker: ForkedWorker): PrimaryCalls => this.#callsFor(worker);
    this.#spare = new SpareWorker(() => new ForkedWorker(program, callsFor), this.#log);
    const next = (): ForkedWorker => this.#spare.take();
    this.#places = Array.from({length: first.config.workers}, (_, at) => new WorkerPlace(at + 1, next));
  }

  async start(): Promise<Readonly<Record<string, string>>> {
    this.#started ??= this.#run();
    try {
      return await this.#started;
    } catch (error) {
      await this.stop().catch((failure: unknown) =>
        this.#log.error('the stop after a failed start was not clean', {err: failure}),
      );
      throw error;
    }
  }

  reload(): Promise<void> {
    const next = this.#reloads.then(() => this.#reload());
    this.#reloads = next.catch(nothing);
    return next;
  }

  async status(): Promise<GatewayStatus> {
    const answers = await Promise.all(
      this.#places.map(async place => {
        const status = await inTime(place.worker?.channel.ask('status', {}));
        return {worker: place.status(status !== undefined), status};
      }),
    );
    const {plugins} = this.#inForce.config;
    const own = {gateway: {version: VERSION, state: this.#state}, reload: this.#report.latest};
    return statusTogether(own, answers, at => plugins[at] !== undefined && runsOnce(plugins[at]));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** The first alone, then the others, which load meanwhile: it may have to change the layout of the storage. */
  async #run(): Promise<Readonly<Record<string, string>>> {
    const [first, ...others] = this.#places;
    for (const place of others) place.warm(this.#inForce.source);
    const addresses = (await first?.begin(this.#begun)) ?? {};
    await Promise.all(others.map(place => place.begin(this.#begun)));
    this.#stopping.signal.throwIfAborted();
    for (const place of this.#places) void this.#keep(place);
    this.#spare.keep(this.#inForce.source);
    this.#report.started();
    this.#state = 'ok';
    return addresses;
  }

  /** With what a worker begins. */
  get #begun() {
    return {source: this.#inForce.source, count: this.#places.length};
  }

  /** Has another worker in the place of each that ends, until the end. */
  async #keep(place: WorkerPlace): Promise<void> {
    const {signal} = this.#stopping;
    for (;;) {
      const {name} = place;
      const ended = await place.ended();
      if (signal.aborted) return;
      this.#restarts.with({worker: String(place.index)}).add();
      this.#log.error('a worker has ended and is started again', {worker: name, ...ended});
      await sleep(ended.pause, undefined, {signal}).catch(nothing);
      if (signal.aborted) return;
      try {
        await place.begin(this.#begun);
        this.#prune();
        // Clients that keep their connections have come to the others meanwhile.
        this.#ports.spread();
        this.#log.info('a worker serves again', {worker: name});
        this.#refresh();
      } catch (error) {
        this.#log.error('a worker did not start', {worker: name, err: error});
      }
      // Not before: it would take processor time from the one that starts.
      this.#spare.keep(this.#inForce.source);
    }
  }

  /** Closes addresses that nobody has come back for, when nobody is missing. */
  #prune(): void {
    if (this.#places.every(({isReady: isThere}) => isThere)) this.#ports.prune();
  }

  /** Lets those go that serve a configuration which is no longer in force: they began while it changed. */
  #refresh(): void {
    const isOld = (place: WorkerPlace): boolean => place.isReady && place.source !== this.#inForce.source;
    for (const place of this.#places) if (isOld(place)) place.worker?.channel.tell('stop', {});
  }

  async #reload(): Promise<void> {
    try {
      if (this.#state !== 'ok') {
        throw new GatewayError('overloaded', `the gateway is ${this.#state}; the configuration is not read again`);
      }
      const next = await this.#options.read();
      const commit = await this.#prepare(next.source);
      this.#inForce = next;
      await commit();
      this.#prune();
      this.#refresh();
      this.#spare.keep(next.source);
      this.#options.inForce(next.config);
      this.#report.succeeded(this.#log);
    } catch (error) {
      throw this.#report.failed(error, this.#log);
    }
  }

  /** Has it prepared by all workers, the first of them alone before the others; where one fails none has changed. */
  async #prepare(source: Source): Promise<() => Promise<void>> {
    const places = this.#places.filter(({isReady: isIt}) => isIt);
    const workers = places.flatMap(({worker}) => worker ?? []);
    const [first, ...others] = workers;
    if (first === undefined) throw new GatewayError('overloaded', 'no worker serves at the moment; try again');
    const prepared: ForkedWorker[] = [];
    const prepare = async (worker: ForkedWorker): Promise<void> => {
      await worker.channel.ask('prepare', {source});
      prepared.push(worker);
    };
    try {
      await prepare(first);
      const results = await Promise.allSettled(others.map(prepare));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      await Promise.all(prepared.map(worker => worker.channel.ask('abandon', {}).catch(nothing)));
      throw error;
    }
    return async () => {
      for (const place of places) place.source = source;
      // One that dies meanwhile is replaced by one with the new configuration.
      await Promise.all(workers.map(worker => worker.channel.ask('commit', {}).catch(nothing)));
    };
  }

  #callsFor(worker: ForkedWorker): PrimaryCalls {
    const [ports, records] = [this.#ports, this.#records];
    void Promise.resolve().then(async () => {
      await worker.ended;
      ports.leave(worker);
      await Promise.all([records.leave(worker), this.#metrics.forget(worker)]);
    });
    return {
      openPort: address => ports.open(worker, address),
      servePort: ({id, acceptQueueSize}) => ports.serve(id, acceptQueueSize),
      closePort: ({id}) => ports.close(worker, id),
      took: ({connection}) => ports.took(connection),
      left: ({id}) => ports.left(worker, id),
      openRecord: config => records.open(worker, config),
      appendRecord: ({id, lines}) => records.append(id, lines),
      closeRecord: ({id}) => records.close(worker, id),
      status: () => this.status(),
      metrics: () => this.#page(),
      reload: () => this.reload(),
    };
  }

  async #page(): Promise<string> {
    const now = await this.status();
    this.#statusMetrics.tell(isReady(now), componentsOf(now));
    const workers = this.#places.flatMap(({worker}) => worker ?? []);
    const measured = await Promise.all(
      workers.map(async worker => [worker, await inTime(worker.channel.ask('measure', {}))] as const),
    );
    return this.#metrics.page(new Map(measured));
  }

  async #end(): Promise<void> {
    this.#state = 'stopping';
    this.#stopping.abort(new GatewayError('cancelled', 'the gateway is stopping'));
    const limit = STOPS * (this.#inForce.config.shutdownTimeout + 1000);
    const [failures] = await Promise.all([Promise.all(this.#places.map(place => place.end(limit))), this.#spare.end()]);
    await this.#started?.catch(nothing);
    this.#ports.prune();
    this.#state = 'stopped';
    const messages = failures.flatMap(failure => failure ?? []);
    if (messages.length > 0) throw new Error(messages.join('; '));
  }
}

/** The answer, or undefined when there is none in time. */
async function inTime<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  const late = sleep(PATIENCE, undefined, {ref: false});
  return Promise.race([answer?.catch(() => undefined), late]);
}
