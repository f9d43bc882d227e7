import type {Logger} from '../../../core/api/plugin.js';
import type {Agent} from '../registry/registered-agent.js';
import type {Drop, DropReason} from '../telemetry/dropped-samples.js';
import type {Kind, ProxyMetrics} from '../telemetry/proxy-metrics.js';
import type {Repeats} from '../telemetry/repeats.js';
import {TimeIsUp, type Turns} from '../yielding/yielder.js';
import type {Gathered} from './fan-out.js';

type Read<Command, T> = (agent: Agent, answer: Buffer, command: Command, turns: Turns) => Promise<T>;
type ReadWithDrops<Command, T> = (...args: [...Parameters<Read<Command, T>>, drop: Drop]) => Promise<T>;

/** Counts and says what goes wrong in collections: once for each agent until it changes. */
export class Reporter {
  readonly #metrics: ProxyMetrics;
  readonly #log: Logger;
  readonly #repeats: Repeats;

  constructor(metrics: ProxyMetrics, log: Logger, repeats: Repeats) {
    this.#metrics = metrics;
    this.#log = log;
    this.#repeats = repeats;
  }

  /** An agent whose answer is damaged, or cannot be read in time, has given nothing. */
  reading<Command, T>(kind: Kind, read: ReadWithDrops<Command, T>): Read<Command, T | undefined> {
    return async (agent, answer, command, turns) => {
      const drops = new Drops();
      try {
        const value = await read(agent, answer, command, turns, drops.drop);
        this.#readable(kind, agent);
        this.dropped('answer', agent, drops);
        return value;
      } catch (error) {
        if (!(error instanceof TimeIsUp)) this.#damaged(kind, agent, error as Error);
        return undefined;
      }
    };
  }

  gathered(kind: Kind, {asked, value, seconds}: Gathered<unknown>): void {
    this.#metrics.collections[kind].add();
    this.#metrics.seconds[kind].add(seconds);
    const silent = asked.filter(agent => !value.has(agent));
    this.#metrics.missing[kind].add(silent.length);
    const fresh = silent.filter(({identity}) => this.#repeats.begins(`${kind} silent ${identity}`));
    if (fresh.length > 0) {
      this.#log.warn('agents gave nothing to a collection', {kind, pods: fresh.map(({podName}) => podName)});
    }
    for (const {identity, podName} of value.keys()) {
      const collections = this.#repeats.ends(`${kind} silent ${identity}`);
      if (collections > 0) {
        this.#log.info('an agent that gave nothing answers again', {kind, pod: podName, collections});
      }
    }
  }

  #damaged(kind: Kind, {podName, identity}: Agent, {message: reason}: Error): void {
    this.#metrics.malformed.add();
    if (!this.#repeats.begins(`${kind} damaged ${identity}`, reason)) return;
    this.#log.warn('an answer cannot be decoded', {kind, pod: podName, reason});
  }

  #readable(kind: Kind, {podName, identity}: Agent): void {
    const answers = this.#repeats.ends(`${kind} damaged ${identity}`);
    if (answers > 0) {
      this.#log.info('answers that could not be decoded can be again', {kind, pod: podName, answers});
    }
  }

  /** What was left out of an agent's answer, or of it later when it stood beside those of others. */
  dropped(from: 'answer' | 'page', {podName, identity}: Agent, drops: Drops): void {
    for (const [reason, {name: series, count}] of drops.byReason) {
      this.#metrics.dropped[reason].add(count);
      if (!this.#repeats.begins(`dropped ${from} ${reason} ${identity}`, series)) continue;
      this.#log.warn(WHY[reason], {pod: podName, series, count});
    }
  }
}

/** What is left out: how often for each reason, with the first series. */
export class Drops {
  readonly byReason = new Map<DropReason, {readonly name: string; count: number}>();

  readonly drop: Drop = (reason, name) => {
    const known = this.byReason.get(reason);
    if (known === undefined) this.byReason.set(reason, {name, count: 1});
    else known.count++;
  };
}

const WHY: Readonly<Record<DropReason, string>> = {
  reserved_name: 'series whose names belong to the proxy are left out; is the proxy itself being scraped?',
  bucket_bound: 'samples of histograms whose le is no number, and buckets without one, are left out',
  quantile: 'samples of summaries whose quantile is no number are left out',
  time: 'samples whose time is not in the years 1 to 9999 are left out',
};
