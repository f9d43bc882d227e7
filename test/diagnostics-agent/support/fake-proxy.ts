import {type handleBidiStreamingCall, Server, ServerCredentials, type ServerDuplexStream, status} from '@grpc/grpc-js';
import {
  AGENT_ID,
  channelMethods,
  type PartialMessage,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  type RpcMethod,
  type StreamClusterTopologyRequest,
  type StreamLifecycleRequest,
  type StreamMetricsRequest,
  type StreamMetricsResponse,
} from '../../../plugins/diagnostics/proto/contract.js';
import type {Owner} from '../../support/gateway.js';
import {until} from './until.js';

type Stream = 'StreamMetrics' | 'StreamClusterTopology' | 'StreamLifecycle';

export interface FakeProxyOptions {
  readonly port?: number;
  /** The streams that are served; all three unless given. */
  readonly streams?: readonly Stream[];
  readonly largestMessage?: number;
  /** The answer to a registration; undefined for none. */
  readonly reply?: (count: number) => PartialMessage<RegisterAgentResponse> | undefined;
}

interface OpenStream {
  readonly agentId: string;
  readonly call: ServerDuplexStream<unknown, unknown>;
  readonly answers: unknown[];
}

/** A proxy that does what a test tells it to. */
export class FakeProxy {
  port = 0;
  /** First messages of the registration stream. */
  readonly registrations: RegisterAgentRequest[] = [];
  readonly heartbeats: RegisterAgentRequest[] = [];
  /** Every stream that was opened, in order; the last one of a name is asked. */
  readonly opened: (OpenStream & {readonly name: string})[] = [];
  /** Registration streams that are open now. */
  readonly registered = new Set<ServerDuplexStream<unknown, unknown>>();
  readonly #options: FakeProxyOptions;
  readonly #server: Server;

  constructor(options: FakeProxyOptions = {}) {
    this.#options = options;
    const {largestMessage = 2 ** 25, streams = ['StreamMetrics', 'StreamClusterTopology', 'StreamLifecycle']} = options;
    this.#server = new Server({'grpc.max_receive_message_length': largestMessage});
    this.#add('RegisterAgent', call => this.#register(call));
    for (const name of streams) {
      this.#add(name, call => {
        const agentId = String(call.metadata.get(AGENT_ID)[0] ?? '');
        const stream = {name, agentId, call, answers: []};
        this.opened.push(stream);
        call.on('data', (answer: unknown) => stream.answers.push(answer as never));
      });
    }
  }

  static async start(t: Owner, options: FakeProxyOptions = {}): Promise<FakeProxy> {
    const proxy = new FakeProxy(options);
    proxy.port = await new Promise<number>((resolve, reject) =>
      proxy.#server.bindAsync(`127.0.0.1:${options.port ?? 0}`, ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    t.teardown(() => proxy.kill());
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Drops every connection, as a process that dies. */
  kill(): void {
    this.#server.forceShutdown();
  }

  /** What was scraped, without the series that say whether it could be. */
  async metrics(window: PartialMessage<StreamMetricsResponse> = {}): Promise<StreamMetricsRequest> {
    const answer = await this.allMetrics(window);
    return {...answer, metrics: answer.metrics.filter(({name}) => name !== 'diagnostics_scrape_up')};
  }

  allMetrics(window: PartialMessage<StreamMetricsResponse> = {}): Promise<StreamMetricsRequest> {
    return this.ask('StreamMetrics', window);
  }

  topology(): Promise<StreamClusterTopologyRequest> {
    return this.ask('StreamClusterTopology', {request_topology: true});
  }

  lifecycle(): Promise<StreamLifecycleRequest> {
    return this.ask('StreamLifecycle', {request_lifecycle: true});
  }

  /** Waits for the stream, sends a command and gives the answer. */
  async ask<Answer>(name: Stream, command: unknown): Promise<Answer> {
    const stream = await this.stream(name);
    const before = stream.answers.length;
    stream.call.write(command);
    return until(() => stream.answers[before] as Answer | undefined, `an answer on ${name}`);
  }

  /** The stream of that name that was opened last. */
  stream(name: Stream): Promise<OpenStream> {
    return until(() => this.opened.findLast(one => one.name === name), `the stream ${name}`);
  }

  registration(count = 1): Promise<RegisterAgentRequest> {
    return until(() => this.registrations[count - 1], `registration number ${count}`);
  }

  #register(call: ServerDuplexStream<unknown, unknown>): void {
    let isFirst = true;
    this.registered.add(call);
    call.on('close', () => this.registered.delete(call));
    call.on('data', (message: RegisterAgentRequest) => {
      (isFirst ? this.registrations : this.heartbeats).push(message);
      if (!isFirst) return;
      isFirst = false;
      const {reply = count => ({success: true, agent_id: `agent-${count}`})} = this.#options;
      const response = reply(this.registrations.length);
      if (response === undefined) return;
      call.write(response);
      if (response.success !== true) call.emit('error', {code: status.UNKNOWN, details: response.message});
    });
  }

  #add(name: keyof typeof channelMethods, handler: (call: ServerDuplexStream<unknown, unknown>) => void): void {
    const method = channelMethods[name] as unknown as RpcMethod<unknown, unknown>;
    const handle: handleBidiStreamingCall<unknown, unknown> = call => {
      call.on('error', () => undefined);
      call.on('end', () => call.end());
      handler(call);
    };
    this.#server.addService({[name]: {...method, originalName: name}}, {[name]: handle});
  }
}
