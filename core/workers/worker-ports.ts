import type {Socket} from 'node:net';
import {ListenError, literalHost, type Port, type PortAddress, type Taker} from '../http/port.js';
import type {PrimaryCalls} from './calls.js';
import type {Channel} from './channel.js';

/** The ports of a worker: another process has them open, and sends it connections. */
export class WorkerPorts {
  readonly channel: Channel<PrimaryCalls>;
  readonly #open = new Map<number, WorkerPort>();
  /** Connections of ports that are open there already, and not known to be here. */
  readonly #early = new Map<number, Socket[]>();

  constructor(channel: Channel<PrimaryCalls>) {
    this.channel = channel;
  }

  readonly make = (taker: Taker): Port => new WorkerPort(this, taker);

  opened(id: number, port: WorkerPort): void {
    this.#open.set(id, port);
    for (const socket of this.#early.get(id) ?? []) port.take(socket);
    this.#early.delete(id);
  }

  closed(id: number): void {
    this.#open.delete(id);
  }

  /** A connection has come, from which nothing has been read. */
  take(id: number, connection: number, socket: Socket): void {
    this.channel.tell('took', {connection});
    socket.once('close', () => this.channel.tell('left', {id}));
    const port = this.#open.get(id);
    if (port !== undefined) port.take(socket);
    else this.#early.set(id, [...(this.#early.get(id) ?? []), socket]);
  }

  shed(id: number, count: number): void {
    this.#open.get(id)?.shed(count);
  }
}

class WorkerPort implements Port {
  readonly #ports: WorkerPorts;
  #taker: Taker;
  #id = 0;
  #accepted = 0;
  #host = '';
  #number = 0;
  #queue = 0;

  constructor(ports: WorkerPorts, taker: Taker) {
    this.#ports = ports;
    this.#taker = taker;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get host(): string {
    return this.#host;
  }

  get number(): number {
    return this.#number;
  }

  isAt({host, port}: Pick<PortAddress, 'host' | 'port'>): boolean {
    return this.#id > 0 && this.#host === literalHost(host) && this.#number === port;
  }

  async open(name: string, {host, port, acceptQueueSize}: PortAddress): Promise<void> {
    const opened = await this.#ports.channel.ask('openPort', {name, host, port, acceptQueueSize});
    if ('problem' in opened) {
      const {problem, key, system} = opened;
      throw new ListenError(name, problem, key, {cause: Object.assign(new Error(problem), {code: system})});
    }
    this.#id = opened.id;
    this.#number = opened.number;
    this.#host = literalHost(host);
    this.#queue = acceptQueueSize;
    this.#ports.opened(this.#id, this);
  }

  serve(taker: Taker, acceptQueueSize: number): void {
    this.#taker = taker;
    if (acceptQueueSize === this.#queue) return;
    this.#queue = acceptQueueSize;
    this.#ports.channel.tell('servePort', {id: this.#id, acceptQueueSize});
  }

  async close(): Promise<void> {
    const id = this.#id;
    this.#id = 0;
    if (id === 0) return;
    // Of a process that has gone nothing comes any more either.
    await this.#ports.channel.ask('closePort', {id}).catch(() => undefined);
    this.#ports.closed(id);
  }

  shed(count: number): void {
    this.#taker.shed?.(count);
  }

  take(socket: Socket): void {
    this.#accepted++;
    // As the servers of Node.js have their connections.
    socket.allowHalfOpen = true;
    this.#taker.take(socket);
  }
}
