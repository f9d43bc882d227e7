import type {Socket} from 'node:net';
import type {Logger} from '../api/telemetry.js';
import type {GatewayConfig} from '../config/gateway-config.js';
import {createRunningGateway, type PreparedReload, type RunningGateway} from '../running-gateway.js';
import type {PrimaryCalls, Source, WorkerCalls} from './calls.js';
import {Channel, type Wire} from './channel.js';
import {shareOf} from './share.js';
import {WorkerRecord} from './shared-records.js';
import {WorkerPorts} from './worker-ports.js';

/** What belongs to the process that a worker is. */
export interface WorkerProgram {
  load(source: Source): Promise<GatewayConfig>;
  /** The loggers of worker `index`, and what changes their level. */
  log(
    config: GatewayConfig,
    index: number,
  ): {loggerOf(component: string): Logger; inForce(config: GatewayConfig): void};
  /** Ends the process, with whether everything has ended well. */
  exit(isWell: boolean): void;
}

/** A worker: serves when it is told to, over connections that it is sent, until it is told to stop. */
export class Worker {
  readonly #program: WorkerProgram;
  readonly #channel: Channel<PrimaryCalls>;
  readonly #ports: WorkerPorts;
  #gateway: RunningGateway | undefined;
  #log: Logger | undefined;
  #share = (config: GatewayConfig): GatewayConfig => config;
  #prepared: PreparedReload | undefined;
  #stopped: Promise<void> | undefined;

  constructor(wire: Wire, program: WorkerProgram) {
    this.#program = program;
    const calls: WorkerCalls = {
      warm: ({source}) => this.#warm(source),
      start: given => this.#start(given),
      take: (given, socket) => this.#take(given, socket),
      shed: ({id, count}) => this.#ports.shed(id, count),
      prepare: given => this.#prepare(given.source),
      commit: async () => this.#prepared?.commit(),
      abandon: async () => this.#prepared?.abandon(),
      status: async () => this.#running.status(),
      measure: async () => this.#running.measure(),
      stop: () => this.#stop(),
    };
    this.#channel = new Channel<PrimaryCalls>(wire, calls);
    this.#ports = new WorkerPorts(this.#channel);
  }

  /** The process that told it what to do has gone, and with it the addresses. */
  orphaned(): void {
    this.#channel.end(new Error('the process that holds the workers together has gone'));
    // When it goes while everything stops, it was in a hurry.
    if (this.#stopped !== undefined) this.#program.exit(false);
    else this.#stop();
  }

  get #running(): RunningGateway {
    if (this.#gateway === undefined) throw new Error('the worker has not been started');
    return this.#gateway;
  }

  async #warm(source: Source): Promise<void> {
    await this.#program.load(source);
  }

  async #start({source, index, count}: Parameters<WorkerCalls['start']>[0]): ReturnType<WorkerCalls['start']> {
    this.#share = config => shareOf(config, index, count);
    const config = this.#share(await this.#program.load(source));
    const {loggerOf, inForce} = this.#program.log(config, index);
    this.#log = loggerOf('gateway');
    const channel = this.#channel;
    this.#gateway = createRunningGateway(
      config,
      {loggerOf, inForce},
      {
        isFirst: index === 1,
        workers: count,
        ports: this.#ports.make,
        recordFiles: record => new WorkerRecord(channel, record),
        status: () => channel.ask('status', {}),
        metrics: () => channel.ask('metrics', {}),
        reload: () => channel.ask('reload', {}),
      },
    );
    return this.#gateway.start();
  }

  #take({id, connection}: Parameters<WorkerCalls['take']>[0], socket: Socket | undefined): void {
    if (socket !== undefined) this.#ports.take(id, connection, socket);
  }

  async #prepare(source: Source): Promise<void> {
    this.#prepared = undefined;
    this.#prepared = await this.#running.prepare(this.#share(await this.#program.load(source)));
  }

  /** Drains, stops, and ends the process. */
  #stop(): void {
    this.#stopped ??= this.#end();
  }

  async #end(): Promise<void> {
    try {
      await this.#gateway?.stop();
      this.#program.exit(true);
    } catch (error) {
      this.#log?.error('shutdown failed', {err: error});
      this.#program.exit(false);
    }
  }
}
