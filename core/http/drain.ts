import {GatewayError} from '../api/errors.js';
import type {Logger} from '../api/telemetry.js';
import {within} from '../host/lifecycle.js';
import type {Listener} from './listener.js';
import type {HttpServices} from './services.js';

/** How long answers to requests that were cut off may take to leave. */
const LAST_WORDS = 200;

/** Closes listeners: requests in progress may end within `timeout`, then they are cancelled. */
export async function drain(
  listeners: readonly Listener[],
  services: HttpServices,
  timeout: number,
  log: Logger,
): Promise<void> {
  const drained = Promise.all(listeners.map(listener => listener.drain()));
  try {
    await within('draining the listeners', {milliseconds: timeout}, () => drained);
  } catch (error) {
    if (GatewayError.from(error).code !== 'timeout') throw error;
    log.warn('connections were open at the end of shutdownTimeout and are cut off', {requests: services.inFlight.size});
    services.inFlight.abortAll(new GatewayError('cancelled', 'the gateway is stopping'));
    setTimeout(() => {
      for (const listener of listeners) listener.cut();
    }, LAST_WORDS);
    await drained;
  }
}
