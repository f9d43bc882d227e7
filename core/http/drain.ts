import {setImmediate} from 'node:timers/promises';
import {GatewayError} from '../api/errors.js';
import type {Logger} from '../api/telemetry.js';
import {within} from '../host/lifecycle.js';
import type {Listener} from './listener.js';
import type {HttpServices} from './services.js';

/** The share of the time in which requests may end by themselves; in the rest those that have not are refused. */
const OWN_SHARE = 0.8;
/** The share after which connections are cut whose clients have not taken their answers. */
const WHOLE_SHARE = 0.9;

/** Turns of the event loop in which connections are accepted, and their first bytes read. */
const TURNS_TO_READ = 4;

/**
 * Lets in what clients have sent by now and the system still holds: connections to accept, and requests to read. To close
 * a listener resets them.
 */
export async function letIn(): Promise<void> {
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await setImmediate();
}

/**
 * Closes listeners. Requests that wait or run go on, and each is answered before `timeout` has passed: by itself or, when
 * most of the time is gone, with a refusal that says to try again.
 */
export async function drain(
  listeners: readonly Listener[],
  services: HttpServices,
  timeout: number,
  log: Logger,
): Promise<void> {
  const drained = Promise.all(listeners.map(listener => listener.drain()));
  try {
    await within('draining the listeners', {milliseconds: timeout * OWN_SHARE}, () => drained);
  } catch (error) {
    if (GatewayError.from(error).code !== 'timeout') throw error;
    log.warn('requests in progress are refused, for shutdownTimeout is near its end', {
      requests: services.inFlight.size,
    });
    services.inFlight.abortAll(new GatewayError('overloaded', 'the gateway is stopping; try again'));
    const cut = (): void => {
      for (const listener of listeners) listener.cut();
    };
    setTimeout(cut, timeout * (WHOLE_SHARE - OWN_SHARE));
    await drained;
  }
}
