import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../../core/api/telemetry.js';
import type {
  Outgoing,
  RegisterAgentRequest,
  RegisterAgentResponse,
} from '../../plugins/diagnostics-proxy/proto/contract.js';
import {reasonOf} from '../reason.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {Troubles} from '../troubles.js';
import type {DataStream} from './data-stream.js';
import {runSession} from './session.js';

export interface ProxyClientOptions {
  readonly proxyAddress: string;
  readonly podName: string;
  /** Milliseconds; the proxy may set another one when the agent registers. */
  readonly heartbeatInterval: number;
  /** Milliseconds between attempts. */
  readonly reconnectInterval: number;
  readonly registration: () => Outgoing<RegisterAgentRequest>;
  readonly streams: readonly DataStream<unknown>[];
}

/** Timers hold no more milliseconds. */
const LONGEST_INTERVAL = 2 ** 31 - 1;

/** Stays registered with the proxy: whenever the connection is lost it is made anew, for ever. */
export class ProxyClient {
  readonly #options: ProxyClientOptions;
  readonly #metrics: AgentMetrics;
  readonly #log: Logger;
  #heartbeatInterval: number;
  readonly #troubles: Troubles;

  constructor(options: ProxyClientOptions, {metrics, log}: {readonly metrics: AgentMetrics; readonly log: Logger}) {
    this.#options = options;
    this.#metrics = metrics;
    this.#log = log;
    this.#troubles = new Troubles(log);
    this.#heartbeatInterval = options.heartbeatInterval;
  }

  /** Resolves when the signal has aborted and the streams have ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await runSession(this.#session(), signal);
      } catch (error) {
        if (!signal.aborted) this.#failed(reasonOf(error));
      }
      this.#metrics.isRegistered.set(0);
      await sleep(this.#pause(), undefined, {signal}).catch(() => undefined);
    }
  }

  #session() {
    const {proxyAddress, podName, registration, streams} = this.#options;
    return {
      proxyAddress,
      podName,
      registration,
      streams,
      heartbeatInterval: () => this.#heartbeatInterval,
      onRegistered: (response: RegisterAgentResponse) => this.#registered(response),
      pause: () => this.#pause(),
      metrics: this.#metrics,
      log: this.#log,
    };
  }

  #registered({agent_id, heartbeat_interval_seconds}: RegisterAgentResponse): void {
    const seconds = Number(heartbeat_interval_seconds);
    if (seconds > 0) this.#heartbeatInterval = Math.min(1000 * seconds, LONGEST_INTERVAL);
    this.#troubles.report();
    this.#metrics.isRegistered.set(1);
    this.#metrics.registrations.inc();
    this.#log.info('registered with the proxy', {
      proxy: this.#options.proxyAddress,
      agentId: agent_id,
      heartbeatInterval: this.#heartbeatInterval,
    });
  }

  #failed(reason: string): void {
    this.#metrics.connectionFailures.inc();
    const fields = {proxy: this.#options.proxyAddress, reason, retryInterval: this.#options.reconnectInterval};
    this.#troubles.report({message: 'there is no connection to the proxy, it is tried again', fields, key: reason});
  }

  /** Agents that lost the same proxy do not all come back at the same moment. */
  #pause(): number {
    return Math.min(this.#options.reconnectInterval * (0.8 + 0.4 * Math.random()), LONGEST_INTERVAL);
  }
}
