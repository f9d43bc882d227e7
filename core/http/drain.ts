import {setImmediate, setTimeout as sleep} from 'node:timers/promises';
import {GatewayError} from '../api/errors.js';
import type {Logger} from '../api/telemetry.js';
import {within} from '../host/lifecycle.js';
import type {Listener} from './listener.js';
import type {HttpServices} from './services.js';

/** The share of the time in which requests may end by themselves; in the rest those that have not are refused. */
const OWN_SHARE = 0.8;
/** The share after which connections are cut whose clients have not taken their answers. */
const WHOLE_SHARE = 0.9;

/** The share in which what was sent before the stop is let in, however much it is. */
const LET_IN_SHARE = 0.1;

/** For so long no connection must have come, in milliseconds: a busy system hands over late what was sent before. */
const QUIET_MS = 50;
/** And for so many turns of the event loop: a turn accepts a connection, and those after it read what it has sent. */
const QUIET_TURNS = 4;

/** What counts the connections that come. */
interface Entrance {
  readonly accepted: number;
}

/**
 * Lets in what clients have sent by now and the system still holds: connections to accept, and requests to read. To close
 * a port resets them. Ends when none has come for a while, or a share of `timeout` has passed. Whoever calls this has seen
 * to it that each answer ends its connection.
 */
export async function letIn(entrances: readonly Entrance[], timeout: number): Promise<void> {
  const accepted = (): number => entrances.reduce((sum, entrance) => sum + entrance.accepted, 0);
  const end = performance.now() + timeout * LET_IN_SHARE;
  let before = -1;
  while (accepted() !== before && performance.now() < end) {
    before = accepted();
    await sleep(QUIET_MS);
    for (let turn = 0; turn < QUIET_TURNS; turn++) await setImmediate();
  }
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
