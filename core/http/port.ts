import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';

/** The system cuts a backlog to its own maximum. */
const MAXIMUM_BACKLOG = 2 ** 31 - 1;

/** An address cannot be opened: a matter of the configuration or the machine, not a defect. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly listener: string;
  /** What is wrong with the address, without the listener: a program of one listener names the flag instead. */
  readonly problem: string;
  /** Which half of the address is wrong. */
  readonly key: 'host' | 'port';

  constructor(listener: string, problem: string, key: 'host' | 'port', options: ErrorOptions) {
    super(`the listener "${listener}" ${problem}`, options);
    this.listener = listener;
    this.problem = problem;
    this.key = key;
  }
}

export interface PortAddress {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** How many connections may wait to be accepted; 0 asks for the maximum of the system. */
  readonly acceptQueueSize: number;
}

/** What reads the connections. */
export interface Taker {
  take(socket: Socket): void;
  /** Has so many connections end, each with its next answer. Only where a connection has one request at a time. */
  shed?(count: number): void;
}

/** What listens, as the server of Node.js has it. There is no other way to it, and `listen` is what the server calls itself. */
interface Handle {
  listen(backlog: number): number;
}

/**
 * Owns an address and hands on the connections that come there. It speaks no protocol, so that what does can be exchanged
 * while the address stays open: a socket that is closed and opened again refuses, for a moment, and resets what waits.
 */
export interface Port {
  /** How many connections have come so far. */
  readonly accepted: number;
  /** The address, once it is open. */
  readonly host: string;
  /** The number, once it is open. */
  readonly number: number;
  /** Whether it is open at this address. */
  isAt(address: Pick<PortAddress, 'host' | 'port'>): boolean;
  /** Opens the address, of a listener or a socket of that name. Rejects with a `ListenError`. */
  open(name: string, address: PortAddress): Promise<void>;
  /** Who gets the connections from now on, and how many of them may wait. */
  serve(taker: Taker, acceptQueueSize: number): void;
  /** Accepts no more connections, at once. Those that it has accepted go on. Resolves when the last of them has come. */
  close(): Promise<void>;
}

/** Makes ports, none of them open. */
export type Ports = (taker: Taker) => Port;

/** A port of this process. */
export class OwnPort implements Port {
  readonly #server: Server;
  #taker: Taker;
  #accepted = 0;
  #host = '';
  #number = 0;

  /** With `pauseOnConnect` nothing is read from connections: they are for another process. */
  constructor(taker: Taker, {pauseOnConnect = false} = {}) {
    this.#taker = taker;
    // As the servers of Node.js open theirs that are going to get its connections.
    this.#server = createServer({allowHalfOpen: true, noDelay: true, pauseOnConnect}, socket => {
      this.#accepted++;
      this.#taker.take(socket);
    });
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
    return this.#server.listening && this.#host === literalHost(host) && this.#number === port;
  }

  async open(listener: string, {host, port, acceptQueueSize}: PortAddress): Promise<void> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const {problem, key} = closedBy({host, port}, error);
        reject(new ListenError(listener, problem, key, {cause: error}));
      };
      server.once('error', fail).listen({host: literalHost(host), port, backlog: backlogOf(acceptQueueSize)}, () => {
        server.off('error', fail);
        resolve();
      });
    });
    this.#host = literalHost(host);
    this.#number = (server.address() as AddressInfo).port;
  }

  serve(taker: Taker, acceptQueueSize: number): void {
    this.#taker = taker;
    const {_handle: handle} = this.#server as Server & {readonly _handle?: Handle};
    handle?.listen(backlogOf(acceptQueueSize));
  }

  async close(): Promise<void> {
    if (this.#server.listening) this.#server.close();
  }
}

/** Ports of this process. */
export const ownPorts: Ports = taker => new OwnPort(taker);

function backlogOf(acceptQueueSize: number): number {
  return acceptQueueSize === 0 ? MAXIMUM_BACKLOG : acceptQueueSize;
}

/** By its name it would be bound to one of two addresses, whichever the system puts first. */
export function literalHost(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/** Why an address cannot be opened, by the error of the system. */
export function closedBy({host, port}: Pick<PortAddress, 'host' | 'port'>, error: NodeJS.ErrnoException) {
  const [why, key] = LISTEN_ERRORS[error.code ?? ''] ?? [error.message, 'port' as const];
  return {problem: `cannot open ${host}:${port}: ${why}`, key};
}

const LISTEN_ERRORS: Readonly<Record<string, readonly [why: string, key: 'host' | 'port']>> = {
  EADDRINUSE: [
    'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one',
    'port',
  ],
  EACCES: ['this user may not use that port (EACCES); choose one above 1023', 'port'],
  EADDRNOTAVAIL: ['this machine has no such address (EADDRNOTAVAIL)', 'host'],
  ENOTFOUND: ['no address is known by that host name (ENOTFOUND)', 'host'],
};
