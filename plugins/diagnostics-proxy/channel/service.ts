import {isIP} from 'node:net';
import {status} from '@grpc/grpc-js';
import type {Logger} from '../../../core/api/plugin.js';
import {AGENT_ID, channelMethods} from '../proto/contract.js';
import type {Agent} from '../registry/agent.js';
import {tooLong} from '../registry/longest.js';
import {RegistrationRefused, type Registry} from '../registry/registry.js';
import type {RegistryLog} from '../registry/registry-log.js';
import type {Repeats} from '../repeats.js';
import type {ProxyMetrics} from '../telemetry.js';
import type {StreamCall} from './call.js';
import type {CommandStream} from './command-stream.js';

export interface ServiceOptions {
  readonly maxMessageSize: number;
  /** What agents are told at registration, in milliseconds. */
  readonly heartbeatInterval: number;
}

export interface ServiceTelemetry {
  readonly log: Logger;
  readonly registryLog: RegistryLog;
  readonly metrics: ProxyMetrics;
  readonly repeats: Repeats;
}

/** The channel as agents see it: what happens on each of its streams. */
export class ChannelService {
  readonly #registry: Registry;
  readonly #options: ServiceOptions;
  readonly #log: Logger;
  readonly #registryLog: RegistryLog;
  readonly #metrics: ProxyMetrics;
  readonly #repeats: Repeats;

  constructor(registry: Registry, options: ServiceOptions, {log, registryLog, metrics, repeats}: ServiceTelemetry) {
    this.#registry = registry;
    this.#options = options;
    this.#log = log;
    this.#registryLog = registryLog;
    this.#metrics = metrics;
    this.#repeats = repeats;
  }

  /** The first message registers the agent, each further one is a heartbeat. */
  register(call: StreamCall): void {
    let agent: Agent | undefined;
    call.onEnd = () => {
      if (agent === undefined) return;
      agent.calls.delete(call);
      this.#registry.left(agent);
    };
    call.onMessage(bytes => {
      const request = this.#decode(call, bytes, agent);
      if (request === undefined || !this.#isShort(call, request)) return;
      if (agent === undefined) {
        agent = this.#admit(call, request);
      } else if (!this.#registry.heartbeat(agent, request)) {
        call.fail(status.UNKNOWN, `agent ${agent.id} not found`);
      }
    });
  }

  /** Asks for data when the collector does. */
  answer<Command extends object>(
    call: StreamCall,
    name: string,
    streamOf: (agent: Agent) => CommandStream<Command>,
    kindOf: (command: Command) => string = () => '',
  ): void {
    const agent = this.#identify(call);
    if (agent === undefined) return;
    const stream = streamOf(agent);
    let kind = '';
    const sink = {
      write: (command: Command) => {
        kind = kindOf(command);
        call.write(command);
      },
      replaced: () => call.fail(status.ABORTED, `agent ${agent.id} has opened another ${name}`),
    };
    agent.calls.add(call);
    stream.open(sink);
    call.onEnd = () => {
      agent.calls.delete(call);
      stream.close(sink);
    };
    call.onMessage(bytes => {
      if (this.#fits(call, bytes, name, agent, kind)) stream.receive(sink, bytes);
    });
  }

  /** Outside of what is served: stays open, so that the agent stays, and carries nothing. */
  idle(call: StreamCall): void {
    const agent = this.#identify(call);
    if (agent === undefined) return;
    agent.calls.add(call);
    call.onEnd = () => agent.calls.delete(call);
    call.onMessage(() => undefined);
  }

  #decode(call: StreamCall, bytes: Buffer, agent: Agent | undefined) {
    if (!this.#fits(call, bytes, 'RegisterAgent', agent)) return undefined;
    try {
      return channelMethods.RegisterAgent.requestDeserialize(bytes);
    } catch (error) {
      const {message: reason} = error as Error;
      if (this.#repeats.begins(`damaged registration ${call.host}`, reason)) {
        this.#log.warn('a registration cannot be decoded', {peer: call.peer, reason});
      }
      call.fail(status.INTERNAL, `the message cannot be decoded: ${reason}`);
      return undefined;
    }
  }

  #admit(call: StreamCall, request: Parameters<Registry['register']>[0]): Agent | undefined {
    try {
      const agent = this.#registry.register(request);
      agent.calls.add(call);
      this.#metrics.registered.add();
      this.#registryLog.taken(agent);
      call.write({
        success: true,
        message: 'Agent registered successfully',
        heartbeat_interval_seconds: String(Math.trunc(this.#options.heartbeatInterval / 1000)),
        agent_id: agent.id,
      });
      return agent;
    } catch (error) {
      if (!(error instanceof RegistrationRefused)) throw error;
      const {message} = error;
      this.#metrics.refused.add();
      this.#registryLog.refused(request.pod_name, message, {pod: request.pod_name, peer: call.peer});
      call.write({success: false, message});
      call.fail(status.UNKNOWN, message);
      return undefined;
    }
  }

  /** Refuses what has too long a name, which is neither logged nor remembered itself. */
  #isShort(call: StreamCall, request: Parameters<typeof tooLong>[0]): boolean {
    const reason = tooLong(request);
    if (reason === undefined) return true;
    this.#metrics.refused.add();
    this.#registryLog.refused(`from ${call.host}`, reason, {peer: call.peer});
    call.write({success: false, message: reason});
    call.fail(status.INVALID_ARGUMENT, reason);
    return false;
  }

  /** The agent that a stream belongs to, by its id or else by its address, where pods are named so. */
  #identify(call: StreamCall): Agent | undefined {
    const [id] = call.metadata.get(AGENT_ID);
    if (id === undefined) {
      const {host} = call;
      const agent = isIP(host) === 0 ? undefined : this.#registry.list().find(({podName}) => podName === host);
      if (agent === undefined) call.fail(status.UNAUTHENTICATED, 'agent ID not found in context or peer address');
      return agent;
    }
    const agent = this.#registry.get(String(id));
    if (agent === undefined) call.fail(status.UNKNOWN, `agent ${String(id)} not found`);
    return agent;
  }

  /** Ends the stream of a message that is too large. */
  #fits(call: StreamCall, bytes: Buffer, stream: string, agent: Agent | undefined, kind = ''): boolean {
    const {maxMessageSize: limit} = this.#options;
    const key = `oversized ${stream} ${kind} ${agent?.identity ?? call.host}`;
    const sender = {
      pod: agent?.podName,
      container_names: agent?.containerNames,
      peer: call.peer,
      stream,
      ...(kind === '' ? {} : {kind}),
    };
    if (bytes.length <= limit) {
      const messages = this.#repeats.ends(key);
      if (messages > 0) this.#log.info('messages that were too large fit again', {...sender, messages});
      return true;
    }
    this.#metrics.oversized.add();
    if (this.#repeats.begins(key)) {
      const why = 'a message is larger than grpcMaxMsgSize and is dropped; raise the limit, or scrape less';
      this.#log.warn(why, {...sender, bytes: bytes.length, limit});
    }
    call.fail(status.RESOURCE_EXHAUSTED, `grpc: received message larger than max (${bytes.length} vs. ${limit})`);
    return false;
  }
}
