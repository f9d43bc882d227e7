import {Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation} from '@grpc/grpc-js';
import {GatewayError} from '../../../core/api/plugin.js';
import {type Address, formatAddress, reachableAddress} from '../address.js';
import {channelMethods} from '../proto/contract.js';
import {type RawCall, StreamCall} from './call.js';
import type {ChannelService} from './service.js';

/** How long streams may take to end when the server stops. */
const GRACE = 5000;
/** Agents of the existing database send up to so much; a message is measured by us so that its sender can be named. */
const HARD_LIMIT = 32 * 1024 * 1024;
/** Finds connections whose other end vanished. */
const KEEPALIVE = {'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 10_000};

/** The gRPC server of the channel. */
export class ChannelServer {
  readonly #server: Server;
  readonly #calls = new Set<StreamCall>();
  #stopping = false;

  constructor(service: ChannelService, maxMessageSize: number) {
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
      StreamMetrics: handler(call => service.answer(call, 'StreamMetrics', agent => agent.metrics)),
      StreamClusterTopology: handler(call => service.answer(call, 'StreamClusterTopology', agent => agent.topology)),
      StreamLifecycle: handler(call => service.answer(call, 'StreamLifecycle', agent => agent.lifecycle)),
      StreamCrashDiagnostics: idle,
      StreamPressureProfiles: idle,
      StreamSchemaRegistry: idle,
    } satisfies Record<keyof typeof channelMethods, unknown>;
    this.#server.addService(rawService(), handlers as unknown as UntypedServiceImplementation);
  }

  /** Opens the address and gives it with the real port. */
  async listen(address: Address): Promise<string> {
    const text = formatAddress(address);
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(text, ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) {
          resolve(reachableAddress({host: address.host, port}));
          return;
        }
        reject(
          new GatewayError('internal', `grpcListenAddr ${text} cannot be opened: ${error.message}`, {cause: error}),
        );
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

/** Messages of agents stay bytes, so that they are measured first and decoded when there is time. */
function rawService(): ServiceDefinition {
  const asBytes = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    Object.entries(channelMethods).map(([name, method]) => [name, {...method, requestDeserialize: asBytes}]),
  ) as unknown as ServiceDefinition;
}
