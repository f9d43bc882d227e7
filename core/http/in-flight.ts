import type {Socket} from 'node:net';
import {GatewayError} from '../api/errors.js';
import type {Route} from '../api/http.js';
import type {Limits} from '../config/gateway-config.js';
import type {Usage} from '../host/usage.js';

/** A request that is not answered yet. */
export interface Pending {
  readonly socket: Socket;
  /** Of what answers it. */
  readonly usage: Usage;
  /** On the clock of `performance.now()`. */
  deadline: number;
  /** Ends the request with this error. */
  abort(error: GatewayError): void;
}

/**
 * Requests with one time limit. All deadlines are equally far away, so the set in order of insertion is a queue by
 * deadline, and one timer for its head does for all.
 */
class Queue {
  readonly pending = new Set<Pending>();
  readonly #timeout: number;
  readonly #message: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number, message: string) {
    this.#timeout = timeout;
    this.#message = message;
  }

  add(pending: Pending): void {
    pending.deadline = performance.now() + this.#timeout;
    this.pending.add(pending);
    this.#timer ??= setTimeout(this.#expire, this.#timeout).unref();
  }

  readonly #expire = (): void => {
    const now = performance.now();
    this.#timer = undefined;
    for (const pending of this.pending) {
      if (pending.deadline > now) {
        this.#timer = setTimeout(this.#expire, pending.deadline - now + 1).unref();
        return;
      }
      this.pending.delete(pending);
      pending.abort(new GatewayError('timeout', this.#message));
    }
  };
}

type Timeouts = Pick<Limits, 'queryTimeout' | 'ingestTimeout'>;

/** The requests that are waiting for something. */
export class InFlight {
  readonly #untimed = new Set<Pending>();
  #queries: Queue;
  #writes: Queue;
  #sets: readonly Set<Pending>[];

  constructor(timeouts: Timeouts) {
    [this.#queries, this.#writes] = queues(timeouts);
    this.#sets = [this.#queries.pending, this.#writes.pending, this.#untimed];
  }

  get size(): number {
    return this.#sets.reduce((sum, {size}) => sum + size, 0);
  }

  /** Other time limits, for requests that come from now on. */
  limit(timeouts: Timeouts): void {
    [this.#queries, this.#writes] = queues(timeouts);
    const earlier = this.#sets.filter(({size}) => size > 0);
    this.#sets = [...new Set([this.#queries.pending, this.#writes.pending, this.#untimed, ...earlier])];
  }

  /** Adds a request whose time, if its kind of work has a limit, runs from now. */
  add(pending: Pending, work: NonNullable<Route['work']>): void {
    if (work === 'query') this.#queries.add(pending);
    else if (work === 'write') this.#writes.add(pending);
    else this.#untimed.add(pending);
  }

  has(pending: Pending): boolean {
    return this.#sets.some(set => set.has(pending));
  }

  delete(pending: Pending): void {
    for (const set of this.#sets) if (set.delete(pending)) return;
  }

  on(socket: Socket): Pending | undefined {
    for (const set of this.#sets) for (const pending of set) if (pending.socket === socket) return pending;
    return undefined;
  }

  /** Ends them with this error: all, or those that one user of the host answers. */
  abortAll(error: GatewayError, of?: Usage): void {
    const all = this.#sets.flatMap(set => [...set]);
    for (const pending of all) if (of === undefined || pending.usage === of) pending.abort(error);
  }
}

function queues({queryTimeout, ingestTimeout}: Timeouts): [queries: Queue, writes: Queue] {
  const query = `the query has not ended within limits.queryTimeout, ${queryTimeout / 1000} s`;
  const write = `the body was not stored within limits.ingestTimeout, ${ingestTimeout / 1000} s`;
  return [new Queue(queryTimeout, query), new Queue(ingestTimeout, `${write}; sending it again is harmless`)];
}
