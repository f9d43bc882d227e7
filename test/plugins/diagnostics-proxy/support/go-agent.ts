import {setTimeout as sleep} from 'node:timers/promises';
import {Client, type ClientDuplexStream, credentials, Metadata} from '@grpc/grpc-js';
import {
  AGENT_ID,
  channelMethods,
  type PartialMessage,
  type RegisterAgentResponse,
  type RpcMethod,
  type StreamMetricsRequest,
} from '../../../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../../../plugins/diagnostics/proto/timestamp.js';
import type {Owner} from '../../../support/gateway.js';

type Stream = ClientDuplexStream<object, object>;

export interface GoAgentOptions {
  readonly pod: string;
  readonly containers?: readonly string[];
  readonly metrics: () => PartialMessage<StreamMetricsRequest>['metrics'];
  /** Milliseconds between attempts that failed. */
  readonly reconnectInterval?: number;
}

/**
 * Behaves as the database's own agent does where that matters to a proxy: the end of any one stream, whatever its status,
 * makes it begin anew under a new registration on a new connection, the first time at once and after a failed attempt when
 * the reconnect interval has passed, for ever.
 */
export class GoAgent {
  /** Attempts to register so far, and those that were refused. */
  registrations = 0;
  refusals = 0;
  heartbeats = 0;
  commands = 0;
  readonly #address: string;
  readonly #options: GoAgentOptions;
  #isStopped = false;
  #leave: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(address: string, options: GoAgentOptions) {
    this.#address = address;
    this.#options = options;
    this.#running = this.#run();
  }

  static start(t: Owner, address: string, options: GoAgentOptions): GoAgent {
    const agent = new GoAgent(address, options);
    t.teardown(() => agent.stop());
    return agent;
  }

  /** Half-closes its streams and the connection, as at SIGTERM. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#leave();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const isRefused = await this.#session();
      if (isRefused && !this.#isStopped) await sleep(this.#options.reconnectInterval ?? 5000);
    }
  }

  /** Resolves when any stream has ended: whether there was no registration. */
  #session(): Promise<boolean> {
    return new Promise(resolve => {
      const {pod, containers = []} = this.#options;
      const hello = {node_role: 'ROLE_DATA', pod_name: pod, container_names: containers};
      const client = new Client(this.#address, credentials.createInsecure(), {'grpc.use_local_subchannel_pool': 1});
      const streams: Stream[] = [];
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        clearInterval(ticker);
        for (const stream of streams) stream.end();
        client.close();
      };
      this.#leave = leave;
      let ticker: NodeJS.Timeout | undefined;
      let isRegistered = false;
      const open = <Request, Response>(method: RpcMethod<Request, Response>, identity = new Metadata()): Stream => {
        const {path, requestSerialize, responseDeserialize} = method;
        const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, identity);
        streams.push(stream as unknown as Stream);
        stream.on('error', () => undefined);
        stream.on('status', () => {
          leave();
          resolve(!isRegistered);
        });
        return stream as unknown as Stream;
      };
      this.registrations++;
      const registration = open(channelMethods.RegisterAgent);
      registration.write(hello);
      registration.once('data', ({success, agent_id, heartbeat_interval_seconds}: RegisterAgentResponse) => {
        if (!success) this.refusals++;
        if (!success || isOver) return;
        isRegistered = true;
        const beat = (): void => {
          this.heartbeats++;
          registration.write(hello);
        };
        ticker = setInterval(beat, 1000 * Number(heartbeat_interval_seconds));
        const identity = new Metadata();
        identity.set(AGENT_ID, agent_id);
        const {StreamMetrics, StreamClusterTopology, StreamLifecycle, ...others} = channelMethods;
        const metrics = open(StreamMetrics, identity);
        metrics.on('data', () => {
          this.commands++;
          metrics.write({metrics: this.#options.metrics(), timestamp: toTimestamp(Date.now())});
        });
        const topology = open(StreamClusterTopology, identity);
        topology.on('data', () => topology.write({topology: {}}));
        const lifecycle = open(StreamLifecycle, identity);
        lifecycle.on('data', () => lifecycle.write({pod_name: pod, lifecycle_data: {}}));
        const {StreamSchemaRegistry, StreamCrashDiagnostics, StreamPressureProfiles} = others;
        for (const method of [StreamSchemaRegistry, StreamCrashDiagnostics, StreamPressureProfiles]) {
          open(method as RpcMethod<object, object>, identity);
        }
      });
    });
  }
}
