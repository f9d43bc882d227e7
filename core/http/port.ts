import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';

/** The system cuts a backlog to its own maximum. */
const MAXIMUM_BACKLOG = 2 ** 31 - 1;

/** An address cannot be opened: a matter of the configuration or the machine, not a defect. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** What is wrong with the address, without the listener: a program of one listener names the flag instead. */
  readonly problem: string;
  /** Which half of the address is wrong. */
  readonly key: 'host' | 'port';

  constructor(listener: string, problem: string, key: 'host' | 'port', options: ErrorOptions) {
    super(`the listener "${listener}" ${problem}`, options);
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
interface Taker {
  take(socket: Socket): void;
}

/** What listens, as the server of Node.js has it. There is no other way to it, and `listen` is what the server calls itself. */
interface Handle {
  listen(backlog: number): number;
}

/**
 * Owns an address and hands on the connections that come there. It speaks no protocol, so that what does can be exchanged
 * while the address stays open: a socket that is closed and opened again refuses, for a moment, and resets what waits.
 */
export class Port {
  readonly #server: Server;
  #taker: Taker;
  #accepted = 0;
  #host = '';
  #number = 0;

  constructor(taker: Taker) {
    this.#taker = taker;
    // As the servers of Node.js open theirs that are going to get its connections.
    this.#server = createServer({allowHalfOpen: true, noDelay: true}, socket => {
      this.#accepted++;
      this.#taker.take(socket);
    });
  }

  /** How many connections have come so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** The address, once it is open. */
  get host(): string {
    return this.#host;
  }

  /** The number, once it is open. */
  get number(): number {
    return this.#number;
  }

  /** Whether it is open at this address. */
  isAt({host, port}: Pick<PortAddress, 'host' | 'port'>): boolean {
    return this.#server.listening && this.#host === literal(host) && this.#number === port;
  }

  /** Opens the address, of a listener of that name. */
  async open(listener: string, {host, port, acceptQueueSize}: PortAddress): Promise<void> {
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const [why, key] = LISTEN_ERRORS[error.code ?? ''] ?? [error.message, 'port'];
        reject(new ListenError(listener, `cannot open ${host}:${port}: ${why}`, key, {cause: error}));
      };
      server.once('error', fail).listen({host: literal(host), port, backlog: backlogOf(acceptQueueSize)}, () => {
        server.off('error', fail);
        resolve();
      });
    });
    this.#host = literal(host);
    this.#number = (server.address() as AddressInfo).port;
  }

  /** Who gets the connections from now on, and how many of them may wait. */
  serve(taker: Taker, acceptQueueSize: number): void {
    this.#taker = taker;
    const {_handle: handle} = this.#server as Server & {readonly _handle?: Handle};
    handle?.listen(backlogOf(acceptQueueSize));
  }

  /** Accepts no more connections, at once. Those that it has accepted go on. */
  close(): void {
    if (this.#server.listening) this.#server.close();
  }
}

function backlogOf(acceptQueueSize: number): number {
  return acceptQueueSize === 0 ? MAXIMUM_BACKLOG : acceptQueueSize;
}

/** By its name it would be bound to one of two addresses, whichever the system puts first. */
function literal(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
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
