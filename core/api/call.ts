import type {Logger} from './telemetry.js';

/**
 * What goes along with one request from the socket down to the storage.
 *
 * `signal` aborts when the deadline of the request has passed (reason: a `GatewayError` `timeout`), when the client
 * has gone (`cancelled`) or when the gateway stops (`overloaded`). Whoever waits or loops for long passes it on or looks at it: work
 * that was cancelled ends within 100 ms. Rethrow `signal.reason` as it is.
 *
 * Reading `signal` may create it: a path that answers at once from memory need not touch it.
 */
export interface Call {
  readonly signal: AbortSignal;
  /** Carries the request's fields. */
  readonly log: Logger;
}
