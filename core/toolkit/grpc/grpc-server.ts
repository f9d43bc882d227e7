import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogger,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {GatewayError} from '../../api/errors.js';
import type {OpenSocket, PluginSockets} from '../../api/sockets.js';
import type {Logger} from '../../api/telemetry.js';
import type {WatchedServerTls} from '../tls/server-tls.js';
import type {AccessGuard} from './access-guard.js';
import {formatHostPort, type HostPort, reachableAddress} from './host-port.js';
import {type OnTooLarge, tellLargeMessages} from './large-message.js';
import {WatchedServerCredentials} from './server-credentials.js';

/** How long streams may take to end when the server stops, in milliseconds. */
const GRACE = 5000;

/** Finds connections whose other end vanished. */
const KEEPALIVE = {'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 10_000};

/** The address of a gRPC server cannot be opened: a matter of the configuration or the machine, not a defect. */
export class GrpcListenError extends GatewayError {
  /** The key that gives the address. */
  readonly option = 'grpcListenAddr';
  /** What is wrong with it, without the option. */
  readonly problem: string;

  constructor(address: string, cause: Error) {
    const problem = `cannot open ${address}: ${reasonOf(cause)}`;
    super('internal', `grpcListenAddr ${problem}`, {cause});
    this.problem = problem;
  }
}

export interface GrpcServerOptions {
  /** Bytes. */
  readonly maxMessageSize: number;
  /** The key of the configuration that gives it, for those whose message is larger. */
  readonly maxMessageKey?: string;
  readonly onTooLarge?: OnTooLarge;
  readonly log: Logger;
  /** Left out, the server speaks in plain text. The server ends its watch. */
  readonly tls?: WatchedServerTls | undefined;
  /** Who may call; left out, everybody. The server closes it. */
  readonly guard?: AccessGuard | undefined;
}

/**
 * A gRPC server on an address of a plugin's own. Methods that were not added answer UNIMPLEMENTED. Messages may be
 * compressed with gzip or deflate; one that has more than `maxMessageSize` bytes, before or after decompression, is
 * answered RESOURCE_EXHAUSTED and never reaches a handler; that ends its call, so that what a stream has behind it is not
 * read either.
 */
export class GrpcServer {
  readonly #server: Server;
  readonly #tls: WatchedServerTls | undefined;
  readonly #guard: AccessGuard | undefined;
  #socket: OpenSocket | undefined;

  constructor({maxMessageSize, maxMessageKey, onTooLarge, log, tls, guard}: GrpcServerOptions) {
    setLogger(libraryLog(log));
    this.#tls = tls;
    this.#guard = guard;
    const limit = [maxMessageKey, `${maxMessageSize} bytes`].filter(text => text !== undefined).join(', ');
    const interceptors = [tellLargeMessages(limit, onTooLarge), ...(guard === undefined ? [] : [guard.interceptor])];
    this.#server = new Server({...KEEPALIVE, interceptors, 'grpc.max_receive_message_length': maxMessageSize});
  }

  add(service: ServiceDefinition, handlers: UntypedServiceImplementation): void {
    this.#server.addService(service, handlers);
  }

  /**
   * Opens the address, which has that name in the ready line, and gives it with the real port. Rejects with a
   * `GrpcListenError`.
   */
  async listen(name: string, address: HostPort, sockets: PluginSockets): Promise<string> {
    const tls = this.#tls;
    const credentials = tls === undefined ? ServerCredentials.createInsecure() : new WatchedServerCredentials(tls);
    // The library would open the address itself, and no second server could while a reload exchanges the two.
    const injector = this.#server.createConnectionInjector(credentials);
    try {
      this.#socket = await sockets.open(name, address, socket => injector.injectConnection(socket));
    } catch (error) {
      const {cause = error} = error as Error;
      throw new GrpcListenError(formatHostPort(address), cause as Error);
    }
    return reachableAddress({host: address.host, port: this.#socket.port});
  }

  /** Takes no more calls, and waits for those that are under way; what has not ended after the grace is cut. */
  async stop(): Promise<void> {
    this.#socket?.close();
    this.#tls?.close();
    this.#guard?.close();
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => {
        this.#server.forceShutdown();
        resolve();
      }, GRACE);
      this.#server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

const REASONS: readonly (readonly [sign: RegExp, reason: string])[] = [
  [
    /EADDRINUSE/,
    'another process or listener has that address (EADDRINUSE); choose another port, or 0 for any free one',
  ],
  [/EACCES/, 'this user may not use that port (EACCES); choose one above 1023'],
  [/EADDRNOTAVAIL/, 'this machine has no such address (EADDRNOTAVAIL)'],
  [/ENOTFOUND|EAI_AGAIN/, 'no address is known by that host name'],
];

function reasonOf({message}: Error): string {
  return REASONS.find(([sign]) => sign.test(message))?.[1] ?? message;
}

/** What the library would write to standard error itself. That an address cannot be opened is said by us. */
function libraryLog(log: Logger): Partial<Console> {
  const info = (message: unknown): void => log.info('the gRPC library says something', {text: String(message)});
  const error = (message: unknown): void => {
    const text = String(message);
    if (!text.startsWith('No address added')) log.error('the gRPC library reports an error', {text});
  };
  return {info, debug: info, error};
}
