import {isIP} from 'node:net';
import {status} from '@grpc/grpc-js';
import type {Logger} from '../../../core/api/plugin.js';
import type {LogOnce} from '../../../core/toolkit/log-once.js';
import {AGENT_ID, channelMethods} from '../../diagnostics/proto/contract.js';
import {type AgentRegistry, RegistrationRefused} from '../registry/agent-registry.js';
import type {CommandStream} from '../registry/command-stream.js';
import {tooLong} from '../registry/name-limit.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import type {RegistryLog} from '../registry/registry-log.js';
import type {ProxyMetrics} from '../telemetry/proxy-metrics.js';
import {MessageLimit} from './message-limit.js';
import type {StreamCall} from './stream-call.js';

export interface ServiceOptions {
  readonly maxMessageSize: number;
  /** What agents are told at registration. */
  readonly heartbeatSeconds: number;
}

export interface ServiceTelemetry {
  readonly log: Logger;
  readonly registryLog: RegistryLog;
  readonly metrics: ProxyMetrics;
  readonly once: LogOnce;
}

export interface AnswerOptions<Command> {
  /** Which commands are alike. */
  readonly kindOf?: (command: Command) => string;
  /** Called when the agent takes commands. */
  readonly opened?: (agent: RegisteredAgent) => void;
}

/** The channel as agents see it: what happens on each of its streams. */
export class ChannelService {
  readonly #registry: AgentRegistry;
  readonly #options: ServiceOptions;
  readonly #log: Logger;
  readonly #registryLog: RegistryLog;
  readonly #limit: MessageLimit;
  readonly #metrics: ProxyMetrics;
  readonly #once: LogOnce;

  constructor(registry: AgentRegistry, options: ServiceOptions, {log, registryLog, metrics, once}: ServiceTelemetry) {
    this.#registry = registry;
    this.#options = options;
    this.#log = log;
    this.#registryLog = registryLog;
    this.#metrics = metrics;
    this.#once = once;
    this.#limit = new MessageLimit(options.maxMessageSize, {log, metrics, once});
  }

  /** The first message registers the agent, each further one is a heartbeat. */
  register(call: StreamCall): void {
    let agent: RegisteredAgent | undefined;
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

  /** Sends commands when the collector does. */
  answer<Command extends object>(
    call: StreamCall,
    name: string,
    streamOf: (agent: RegisteredAgent) => CommandStream<Command>,
    {kindOf = () => '', opened = () => undefined}: AnswerOptions<Command> = {},
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
    opened(agent);
    call.onEnd = () => {
      agent.calls.delete(call);
      stream.close(sink);
    };
    call.onMessage(bytes => {
      stream.receive(sink, this.#limit.takes(call, bytes, {stream: name, agent, kind}) ? bytes : undefined);
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

  #decode(call: StreamCall, bytes: Buffer, agent: RegisteredAgent | undefined) {
    // A heartbeat that is too large is none, and its stream the one that a registration needs.
    if (!this.#limit.takes(call, bytes, {stream: 'RegisterAgent', agent, kind: ''})) return undefined;
    try {
      return channelMethods.RegisterAgent.requestDeserialize(bytes);
    } catch (error) {
      const {message: reason} = error as Error;
      if (this.#once.begins(`damaged registration ${call.host}`, reason)) {
        this.#log.warn('a registration cannot be decoded', {peer: call.peer, reason});
      }
      call.fail(status.INTERNAL, `the message cannot be decoded: ${reason}`);
      return undefined;
    }
  }

  #admit(call: StreamCall, request: Parameters<AgentRegistry['register']>[0]): RegisteredAgent | undefined {
    try {
      const agent = this.#registry.register(request);
      agent.calls.add(call);
      this.#metrics.registered.add();
      this.#registryLog.taken(agent);
      call.write({
        success: true,
        message: 'Agent registered successfully',
        heartbeat_interval_seconds: String(this.#options.heartbeatSeconds),
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
  #identify(call: StreamCall): RegisteredAgent | undefined {
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
}
