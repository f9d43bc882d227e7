import {status} from '@grpc/grpc-js';
import type {Logger} from '../../../core/api/plugin.js';
import type {LogOnce} from '../../../core/toolkit/log-once.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import type {ProxyMetrics} from '../telemetry/proxy-metrics.js';
import type {StreamCall} from './stream-call.js';

/** So many senders are remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 10_000;

/** Where a message comes from. */
export interface Sender {
  readonly stream: string;
  /** Undefined as long as it has not registered. */
  readonly agent: RegisteredAgent | undefined;
  /** That a message of one kind fits says nothing of those of another. */
  readonly kind: string;
}

/**
 * Drops messages over the size limit. The stream of the first one ends with RESOURCE_EXHAUSTED, so that an agent can leave
 * something out, and again for each that is smaller than all before: it has. Others cost nothing but the message: agents of
 * the database leave nothing out, and register anew whenever a stream ends.
 */
export class MessageLimit {
  readonly #limit: number;
  readonly #log: Logger;
  readonly #metrics: ProxyMetrics;
  readonly #once: LogOnce;
  /** The smallest message of a sender that was too large. */
  readonly #smallest = new Map<string, number>();

  /** `limit` in bytes. */
  constructor(
    limit: number,
    {log, metrics, once}: {readonly log: Logger; readonly metrics: ProxyMetrics; readonly once: LogOnce},
  ) {
    this.#limit = limit;
    this.#log = log;
    this.#metrics = metrics;
    this.#once = once;
  }

  /** Whether the message may be read. */
  takes(call: StreamCall, {length: bytes}: Buffer, {stream, agent, kind}: Sender): boolean {
    const key = `oversized ${stream} ${kind} ${agent?.identity ?? call.host}`;
    const sender = {
      pod: agent?.podName,
      container_names: agent?.containerNames,
      peer: call.peer,
      stream,
      kind: kind === '' ? undefined : kind,
    };
    if (bytes <= this.#limit) {
      this.#smallest.delete(key);
      const messages = this.#once.ends(key);
      if (messages > 0) this.#log.info('messages that were too large fit again', {...sender, messages});
      return true;
    }
    this.#metrics.oversized.add();
    if (this.#once.begins(key)) {
      const message = 'a message is larger than the limit and is dropped; raise the limit, or scrape less';
      this.#log.warn(message, {options: ['grpcMaxMsgSize'], ...sender, bytes, limit: this.#limit});
    }
    // Without a registration there is nothing to go on with.
    if (agent === undefined || this.#isSmallest(key, bytes)) {
      call.fail(status.RESOURCE_EXHAUSTED, `grpc: received message larger than max (${bytes} vs. ${this.#limit})`);
    }
    return false;
  }

  #isSmallest(key: string, bytes: number): boolean {
    if (bytes >= (this.#smallest.get(key) ?? Number.POSITIVE_INFINITY)) return false;
    this.#smallest.delete(key);
    this.#smallest.set(key, bytes);
    const [oldest] = this.#smallest.keys();
    if (this.#smallest.size > MOST_REMEMBERED && oldest !== undefined) this.#smallest.delete(oldest);
    return true;
  }
}
