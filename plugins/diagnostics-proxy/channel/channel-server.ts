import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogger,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {GatewayError, type Logger} from '../../../core/api/plugin.js';
import {channelMethods} from '../../diagnostics/proto/contract.js';
import {formatHostPort, type HostPort, reachableAddress} from '../host-port.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {kindOfRequest} from '../wire/metrics-message-reader.js';
import type {ChannelService} from './channel-service.js';
import {type RawCall, StreamCall} from './stream-call.js';

/** How long streams may take to end when the server stops. */
const GRACE = 5000;
/** Agents of the existing database send up to so much; a message is measured by us so that its sender can be named. */
const HARD_LIMIT = 32 * 1024 * 1024;
/** Finds connections whose other end vanished. */
const KEEPALIVE = {'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 10_000};

/** The address for agents cannot be opened: a matter of the configuration or the machine, not a defect. */
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

/** The gRPC server of the channel. */
export class ChannelServer {
  readonly #server: Server;
  readonly #calls = new Set<StreamCall>();
  #stopping = false;

  /** `learn` is called with each agent that can be asked for its topology. */
  constructor(service: ChannelService, maxMessageSize: number, log: Logger, learn: (agent: RegisteredAgent) => void) {
    setLogger(libraryLog(log));
    this.#server = new Server({
      ...KEEPALIVE,
      'grpc.max_receive_message_length': Math.max(HARD_LIMIT, maxMessageSize),
    });
    const handler = (take: (call: StreamCall) => void) => (raw: RawCall) => {
      const call = new StreamCall(raw);
      if (this.#stopping) {
        call.end();
        return;
      }
      this.#calls.add(call);
      raw.once('close', () => this.#calls.delete(call));
      take(call);
    };
    const idle = handler(call => service.idle(call));
    const handlers = {
      RegisterAgent: handler(call => service.register(call)),
      StreamMetrics: handler(call =>
        service.answer(call, 'StreamMetrics', agent => agent.metrics, {kindOf: kindOfRequest}),
      ),
      StreamClusterTopology: handler(call =>
        service.answer(call, 'StreamClusterTopology', agent => agent.topology, {opened: learn}),
      ),
      StreamLifecycle: handler(call => service.answer(call, 'StreamLifecycle', agent => agent.lifecycle)),
      StreamCrashDiagnostics: idle,
      StreamPressureProfiles: idle,
      StreamSchemaRegistry: idle,
    } satisfies Record<keyof typeof channelMethods, unknown>;
    this.#server.addService(rawService(), handlers as unknown as UntypedServiceImplementation);
  }

  /** Opens the address and gives it with the real port. */
  async listen(address: HostPort): Promise<string> {
    const text = formatHostPort(address);
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(text, ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) {
          resolve(reachableAddress({host: address.host, port}));
          return;
        }
        reject(new GrpcListenError(text, error));
      });
    });
  }

  /** Ends every stream; what has not ended after the grace is cut. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const call of this.#calls) call.end();
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
  [/^Name resolution failed/, 'no address is known by that host name'],
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

/** Messages of agents stay bytes, so that they are measured first and decoded when there is time. */
function rawService(): ServiceDefinition {
  const asBytes = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    Object.entries(channelMethods).map(([name, method]) => [name, {...method, requestDeserialize: asBytes}]),
  ) as unknown as ServiceDefinition;
}
