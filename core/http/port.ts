import {type AddressInfo, createServer, type Socket} from 'node:net';

/** The system cuts a backlog to its own maximum. */
const MAXIMUM_BACKLOG = 2 ** 31 - 1;

/** An address cannot be opened: a matter of the configuration or the machine, not a defect. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** What is wrong with the address, without the listener: a program of one listener names the flag instead. */
  readonly problem: string;

  constructor(listener: string, problem: string, options: ErrorOptions) {
    super(`the listener "${listener}" ${problem}`, options);
    this.problem = problem;
  }
}

export interface PortAddress {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** How many connections may wait to be accepted; 0 asks for the maximum of the system. */
  readonly acceptQueueSize: number;
}

/**
 * Owns an address and hands on the connections that come there. It speaks no protocol, so that what does can be exchanged
 * while the address stays open: a socket that is closed and opened again refuses, for a moment, and resets what waits.
 */
export class Port {
  // As the servers of Node.js open theirs that are going to get its connections.
  readonly #server = createServer({allowHalfOpen: true, noDelay: true});
  #accepted = 0;

  constructor(take: (socket: Socket) => void) {
    this.#server.on('connection', socket => {
      this.#accepted++;
      take(socket);
    });
  }

  /** How many connections have come so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Opens the address, of a listener of that name, and gives the real port. */
  async open(listener: string, {host, port, acceptQueueSize}: PortAddress): Promise<number> {
    const server = this.#server;
    const options = {
      // By its name it would be bound to one of two addresses, whichever the system puts first.
      host: host === 'localhost' ? '127.0.0.1' : host,
      port,
      backlog: acceptQueueSize === 0 ? MAXIMUM_BACKLOG : acceptQueueSize,
    };
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const why = LISTEN_ERRORS[error.code ?? ''] ?? error.message;
        reject(new ListenError(listener, `cannot open ${host}:${port}: ${why}`, {cause: error}));
      };
      server.once('error', fail).listen(options, () => {
        server.off('error', fail);
        resolve();
      });
    });
    return (server.address() as AddressInfo).port;
  }

  /** Accepts no more connections, at once, and ends when those that it has accepted have ended. */
  async close(): Promise<void> {
    if (this.#server.listening) await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one',
  EACCES: 'this user may not use that port (EACCES); choose one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address (EADDRNOTAVAIL)',
  ENOTFOUND: 'no address is known by that host name (ENOTFOUND)',
};
