import type {Logger} from '../../../core/api/plugin.js';
import type {LogOnce} from '../../../core/toolkit/log-once.js';
import type {Cancellable} from '../../../core/toolkit/yielder.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {type Drop, DroppedSamples, type DropReason} from '../telemetry/dropped-samples.js';
import type {FanOutKind, ProxyMetrics} from '../telemetry/proxy-metrics.js';
import {type AgentAnswer, type FanOutOptions, type FanOutRound, ReadingTimeout} from './fan-out.js';

type ReadAnswer<Command, T> = (
  agent: RegisteredAgent,
  answer: AgentAnswer,
  command: Command,
  drop: Drop,
  call: Cancellable,
) => Promise<T>;

/** Counts and says what goes wrong in fan-outs: once for each agent until it changes. */
export class FanOutReport {
  readonly #metrics: ProxyMetrics;
  readonly #log: Logger;
  readonly #once: LogOnce;

  constructor(metrics: ProxyMetrics, log: Logger, once: LogOnce) {
    this.#metrics = metrics;
    this.#log = log;
    this.#once = once;
  }

  /** An agent whose answer is damaged, or cannot be read in time, has given nothing. */
  reader<Command, T>(kind: FanOutKind, read: ReadAnswer<Command, T>): FanOutOptions<Command, T>['read'] {
    return async (agent, answer, command, call) => {
      const dropped = new DroppedSamples();
      try {
        const value = await read(agent, answer, command, dropped.drop, call);
        this.#readable(kind, agent);
        this.dropped('answer', agent, dropped);
        return value;
      } catch (error) {
        if (!(error instanceof ReadingTimeout)) this.#damaged(kind, agent, error);
        return undefined;
      }
    };
  }

  completed(kind: FanOutKind, {requested, answers, seconds}: FanOutRound<unknown>): void {
    this.#metrics.collections[kind].add();
    this.#metrics.seconds[kind].add(seconds);
    const silent = requested.filter(agent => !answers.has(agent));
    this.#metrics.missing[kind].add(silent.length);
    const fresh = silent.filter(({identity}) => this.#once.begins(`${kind} silent ${identity}`));
    if (fresh.length > 0) {
      this.#log.warn('agents gave nothing to a collection', {kind, pods: fresh.map(({podName}) => podName)});
    }
    for (const {identity, podName} of answers.keys()) {
      const collections = this.#once.ends(`${kind} silent ${identity}`);
      if (collections > 0) {
        this.#log.info('an agent that gave nothing answers again', {kind, pod: podName, collections});
      }
    }
  }

  #damaged(kind: FanOutKind, {podName, identity}: RegisteredAgent, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#metrics.malformed.add();
    if (!this.#once.begins(`${kind} damaged ${identity}`, reason)) return;
    this.#log.warn('an answer cannot be decoded', {kind, pod: podName, reason});
  }

  #readable(kind: FanOutKind, {podName, identity}: RegisteredAgent): void {
    const answers = this.#once.ends(`${kind} damaged ${identity}`);
    if (answers > 0) {
      this.#log.info('answers that could not be decoded can be again', {kind, pod: podName, answers});
    }
  }

  /** What was left out of an agent's answer, or of it later when it stood beside those of others. */
  dropped(from: 'answer' | 'page', {podName, identity}: RegisteredAgent, {byReason}: DroppedSamples): void {
    for (const [reason, {name: series, count}] of byReason) {
      this.#metrics.dropped[reason].add(count);
      if (!this.#once.begins(`dropped ${from} ${reason} ${identity}`, series)) continue;
      this.#log.warn(DROPPED[reason], {pod: podName, series, count});
    }
  }
}

const DROPPED: Readonly<Record<DropReason, string>> = {
  reserved_name: 'series whose names belong to the proxy are left out; is the proxy itself being scraped?',
  bucket_bound: 'samples of histograms whose le is no number, and buckets without one, are left out',
  quantile: 'samples of summaries whose quantile is no number are left out',
  time: 'samples whose time is not in the years 1 to 9999 are left out',
};
