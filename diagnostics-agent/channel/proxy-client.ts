import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../../core/api/telemetry.js';
import type {
  PartialMessage,
  RegisterAgentRequest,
  RegisterAgentResponse,
} from '../../plugins/diagnostics/proto/contract.js';
import type {AgentMetrics} from '../telemetry/agent-metrics.js';
import {TroubleLog} from '../telemetry/trouble-log.js';
import type {DataStream} from './data-stream.js';
import type {ProxySecurity} from './proxy-security.js';
import {runSession} from './session.js';
import {failureOf} from './session-failure.js';

export interface ProxyClientOptions {
  readonly proxyAddress: string;
  readonly security: ProxySecurity;
  readonly podName: string;
  /** Milliseconds; the proxy may set another one when the agent registers. */
  readonly heartbeatInterval: number;
  /** Milliseconds between attempts. */
  readonly reconnectInterval: number;
  readonly registration: () => PartialMessage<RegisterAgentRequest>;
  readonly streams: readonly DataStream<unknown>[];
}

/** Timers hold no more milliseconds. */
const LONGEST_INTERVAL = 2 ** 31 - 1;

/** How far the time between attempts grows while another agent takes the place of this one again and again. */
const LONGEST_CONTEST_WAIT = 60_000;

/**
 * Stays registered with the proxy: whenever the connection is lost it is made anew, for ever. Two agents of the same names
 * would replace each other at every attempt, so that each waits longer every time it has been replaced.
 */
export class ProxyClient {
  readonly #options: ProxyClientOptions;
  readonly #metrics: AgentMetrics;
  readonly #log: Logger;
  #heartbeatInterval: number;
  readonly #troubles: TroubleLog;
  /** How often in a row another agent has replaced this one. */
  #replacements = 0;
  /** Runs while it is open whether another agent will replace this one again. */
  #calm: NodeJS.Timeout | undefined;

  constructor(options: ProxyClientOptions, {metrics, log}: {readonly metrics: AgentMetrics; readonly log: Logger}) {
    this.#options = options;
    this.#metrics = metrics;
    this.#log = log;
    this.#troubles = new TroubleLog(log);
    this.#heartbeatInterval = options.heartbeatInterval;
  }

  /** Resolves when the signal has aborted and the streams have ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await runSession(this.#session(), signal);
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
      clearTimeout(this.#calm);
      this.#metrics.isRegistered.set(0);
      await sleep(this.#pause(this.#wait), undefined, {signal}).catch(() => undefined);
    }
  }

  /** Milliseconds before the next attempt, on average. */
  get #wait(): number {
    const {reconnectInterval} = this.#options;
    return Math.min(reconnectInterval * 2 ** this.#replacements, this.#longestWait);
  }

  get #longestWait(): number {
    return Math.max(this.#options.reconnectInterval, LONGEST_CONTEST_WAIT);
  }

  #session() {
    const {proxyAddress, security, podName, registration, streams} = this.#options;
    return {
      proxyAddress,
      security,
      podName,
      registration,
      streams,
      heartbeatInterval: () => this.#heartbeatInterval,
      onRegistered: (response: RegisterAgentResponse) => this.#registered(response),
      pause: () => this.#pause(this.#options.reconnectInterval),
      metrics: this.#metrics,
      log: this.#log,
    };
  }

  #registered({agent_id, heartbeat_interval_seconds}: RegisterAgentResponse): void {
    const seconds = Number(heartbeat_interval_seconds);
    if (seconds > 0) this.#heartbeatInterval = Math.min(1000 * seconds, LONGEST_INTERVAL);
    this.#metrics.isRegistered.set(1);
    this.#metrics.registrations.inc();
    const fields = {
      proxy: this.#options.proxyAddress,
      agentId: agent_id,
      heartbeatInterval: this.#heartbeatInterval,
    };
    const settled = (): void => {
      this.#replacements = 0;
      this.#troubles.report();
      this.#log.info('registered with the proxy', fields);
    };
    if (this.#replacements === 0) settled();
    // The other agent comes back within its own longest wait, if at all.
    else this.#calm = setTimeout(settled, Math.min(2 * this.#longestWait, LONGEST_INTERVAL)).unref();
  }

  #failed(error: unknown): void {
    this.#metrics.connectionFailures.inc();
    const {message, reason, isReplaced} = failureOf(error, this.#options.security.terms);
    this.#replacements = isReplaced ? this.#replacements + 1 : 0;
    const fields = {proxy: this.#options.proxyAddress, reason, retryInterval: this.#wait};
    this.#troubles.report({message, fields, key: reason});
  }

  /** Agents that lost the same proxy do not all come back at the same moment. */
  #pause(wait: number): number {
    return Math.min(wait * (0.8 + 0.4 * Math.random()), LONGEST_INTERVAL);
  }
}
