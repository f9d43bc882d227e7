import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {Client, type ClientDuplexStream, credentials, Metadata, type ServiceError} from '@grpc/grpc-js';
import {
  AGENT_ID,
  channelMethods,
  type LifecycleData,
  type PartialMessage,
  type RegisterAgentRequest,
  type RpcMethod,
  type StreamMetricsRequest,
  type StreamMetricsResponse,
  type Topology,
} from '../../../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../../../plugins/diagnostics/proto/timestamp.js';
import type {Owner} from '../../../support/gateway.js';

type Metric = PartialMessage<StreamMetricsRequest['metrics'][number]>;

/** What an agent says of itself and answers. A function that gives undefined leaves the command unanswered. */
export interface Script {
  readonly pod: string;
  readonly role?: string;
  readonly containers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly metrics?: (command: StreamMetricsResponse) => Reply<readonly Metric[]>;
  readonly topology?: () => Reply<PartialMessage<Topology>>;
  /** Without it the agent does not open the stream. */
  readonly lifecycle?: () => Reply<PartialMessage<LifecycleData>>;
}

type Reply<T> = T | undefined | Promise<T | undefined>;

/** How a stream ended: the code and the text of its status. */
export interface Ended {
  readonly code: number;
  readonly details: string;
}

type Stream = ClientDuplexStream<object, object>;

/** An agent on a connection of its own, which speaks the wire contract as deployed agents do. */
export class FakeAgent {
  readonly commands = {metrics: 0, topology: 0, lifecycle: 0};
  readonly ended: Record<string, Ended> = {};
  readonly streams: Record<string, Stream> = {};
  id = '';
  /** The answer to the registration. */
  answer: {success?: boolean; message?: string; heartbeat_interval_seconds?: string} = {};
  readonly #script: Script;
  readonly #client: Client;

  constructor(address: string, script: Script) {
    this.#script = script;
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_send_message_length': -1,
      // Connections of its own, and no back-off that another agent has caused.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** Registers and opens the streams. */
  async connect(): Promise<this> {
    await this.register();
    this.open('StreamMetrics', channelMethods.StreamMetrics, async command => {
      this.commands.metrics++;
      const metrics = await (this.#script.metrics ?? (() => []))(command);
      return metrics && {metrics, timestamp: toTimestamp(Date.now())};
    });
    this.open('StreamClusterTopology', channelMethods.StreamClusterTopology, async () => {
      this.commands.topology++;
      const topology = await (this.#script.topology ?? (() => ({})))();
      return topology && {timestamp: toTimestamp(Date.now()), topology};
    });
    const {lifecycle} = this.#script;
    if (lifecycle !== undefined) {
      this.open('StreamLifecycle', channelMethods.StreamLifecycle, async () => {
        this.commands.lifecycle++;
        const data = await lifecycle();
        return data && {timestamp: toTimestamp(Date.now()), pod_name: this.#script.pod, lifecycle_data: data};
      });
    }
    const {StreamSchemaRegistry, StreamCrashDiagnostics, StreamPressureProfiles} = channelMethods;
    for (const [name, method] of Object.entries({
      StreamSchemaRegistry,
      StreamCrashDiagnostics,
      StreamPressureProfiles,
    })) {
      this.open(name, method as RpcMethod<object, object>, () => undefined);
    }
    return this;
  }

  /** The registration alone. */
  async register(): Promise<void> {
    const stream = this.#stream('RegisterAgent', channelMethods.RegisterAgent as RpcMethod<object, object>, false);
    stream.write(this.#hello());
    const [answer] = (await once(stream, 'data')) as [FakeAgent['answer'] & {agent_id: string}];
    this.answer = answer;
    this.id = answer.agent_id;
  }

  heartbeat(change: PartialMessage<RegisterAgentRequest> = {}): void {
    this.streams.RegisterAgent?.write({...this.#hello(), ...change});
  }

  open<Request, Response>(
    name: string,
    method: RpcMethod<Request, Response>,
    reply: (command: Response) => Reply<PartialMessage<Request>>,
    withId = true,
  ): Stream {
    const stream = this.#stream(name, method as unknown as RpcMethod<object, object>, withId);
    stream.on('data', async (command: object) => {
      const answer = await reply(command as Response);
      if (answer !== undefined && !stream.destroyed) stream.write(answer as object);
    });
    return stream;
  }

  /** Waits until a stream has ended, and gives its status. */
  async end(name: string): Promise<Ended> {
    for (;;) {
      const ended = this.ended[name];
      if (ended !== undefined) return ended;
      await sleep(5);
    }
  }

  /** Half-closes the streams and the connection, as an agent that stops does. */
  close(): void {
    for (const stream of Object.values(this.streams)) stream.end();
    this.#client.close();
  }

  /** Vanishes without a word. */
  die(): void {
    for (const stream of Object.values(this.streams)) stream.cancel();
    this.#client.close();
  }

  #hello(): PartialMessage<RegisterAgentRequest> {
    const {pod, role = 'ROLE_DATA', labels = {}, containers = []} = this.#script;
    return {node_role: role, pod_name: pod, labels, container_names: containers};
  }

  #stream(name: string, method: RpcMethod<object, object>, withId: boolean): Stream {
    const metadata = new Metadata();
    if (withId) metadata.set(AGENT_ID, this.id);
    const {path, requestSerialize, responseDeserialize} = method;
    const stream = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    stream.on('error', (_: ServiceError) => undefined);
    stream.on('status', ({code, details}) => {
      this.ended[name] = {code, details};
    });
    this.streams[name] = stream;
    return stream;
  }
}

/** Connects an agent that leaves at the end of the test. */
export async function connectAgent(t: Owner, address: string | undefined, script: Script): Promise<FakeAgent> {
  const agent = new FakeAgent(address ?? '', script);
  t.teardown(() => agent.die());
  return agent.connect();
}

/** A gauge with the labels that agents put on their series. */
export function gauge(pod: string, name: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric {
  return {
    name,
    value,
    labels: {pod_name: pod, node_role: 'ROLE_DATA', ...labels},
    description: `The ${name}.`,
    type: 'METRIC_TYPE_GAUGE',
  };
}
