import type {Socket} from 'node:net';
import {GatewayError} from '../api/errors.js';

/** A request that is not answered yet. */
export interface Pending {
  readonly socket: Socket;
  /** On the clock of `performance.now()`. */
  deadline: number;
  /** Ends the request with this error. */
  abort(error: GatewayError): void;
}

/**
 * The requests that are waiting for something. All deadlines are equally far away, so the set in order of insertion is
 * a queue by deadline, and one timer for its head does for all.
 */
export class InFlight {
  readonly #timeout: number;
  readonly #timed = new Set<Pending>();
  readonly #untimed = new Set<Pending>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  get size(): number {
    return this.#timed.size + this.#untimed.size;
  }

  /** Adds a request whose time runs from now. */
  addTimed(pending: Pending): void {
    pending.deadline = performance.now() + this.#timeout;
    this.#timed.add(pending);
    this.#timer ??= setTimeout(this.#expire, this.#timeout).unref();
  }

  addUntimed(pending: Pending): void {
    this.#untimed.add(pending);
  }

  delete(pending: Pending): void {
    this.#timed.delete(pending) || this.#untimed.delete(pending);
  }

  on(socket: Socket): Pending | undefined {
    for (const set of [this.#timed, this.#untimed]) {
      for (const pending of set) if (pending.socket === socket) return pending;
    }
    return undefined;
  }

  abortAll(error: GatewayError): void {
    for (const pending of [...this.#timed, ...this.#untimed]) pending.abort(error);
  }

  readonly #expire = (): void => {
    const now = performance.now();
    this.#timer = undefined;
    for (const pending of this.#timed) {
      if (pending.deadline > now) {
        this.#timer = setTimeout(this.#expire, pending.deadline - now + 1).unref();
        return;
      }
      this.#timed.delete(pending);
      pending.abort(
        new GatewayError('timeout', `the query has not ended within limits.queryTimeout, ${this.#timeout / 1000} s`),
      );
    }
  };
}
