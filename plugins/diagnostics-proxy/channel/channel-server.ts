import type {ServiceDefinition, UntypedServiceImplementation} from '@grpc/grpc-js';
import {GrpcServer, type GrpcServerOptions} from '../../../core/toolkit/grpc/grpc-server.js';
import {channelMethods} from '../../diagnostics/proto/contract.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {kindOfRequest} from '../wire/metrics-message-reader.js';
import type {ChannelService} from './channel-service.js';
import {type RawCall, StreamCall} from './stream-call.js';

/** Agents of the existing database send up to so much; a message is measured by us so that its sender can be named. */
const HARD_LIMIT = 32 * 1024 * 1024;

/** The gRPC server of the channel. */
export class ChannelServer {
  readonly #server: GrpcServer;
  readonly #calls = new Set<StreamCall>();
  #stopping = false;

  /** `learn` is called with each agent that can be asked for its topology. */
  constructor(service: ChannelService, options: GrpcServerOptions, learn: (agent: RegisteredAgent) => void) {
    this.#server = new GrpcServer({...options, maxMessageSize: Math.max(HARD_LIMIT, options.maxMessageSize)});
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
    this.#server.add(rawService(), handlers as unknown as UntypedServiceImplementation);
  }

  /** Opens the address and gives it with the real port. */
  listen(...place: Parameters<GrpcServer['listen']>): Promise<string> {
    return this.#server.listen(...place);
  }

  /** Ends every stream; what has not ended after the grace is cut. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const call of this.#calls) call.end();
    await this.#server.stop();
  }
}

/** Messages of agents stay bytes, so that they are measured first and decoded when there is time. */
function rawService(): ServiceDefinition {
  const asBytes = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    Object.entries(channelMethods).map(([name, method]) => [name, {...method, requestDeserialize: asBytes}]),
  ) as unknown as ServiceDefinition;
}
