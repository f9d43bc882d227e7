import {fileURLToPath} from 'node:url';
import type {Call} from '../api/call.js';
import {printable} from '../config/printable.js';
import {createGateway, type Gateway, type GatewayConfig} from '../gateway.js';
import {type Loaded, Workers} from '../workers/workers.js';
import {boundHeap} from './bounded-heap.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';
import {firstSignal} from './signals.js';
import {logWarnings} from './warnings.js';

/** Work between the opening of the listeners and the ready line. `signal` aborts when the gateway stops. */
export type Prepare = (addresses: Readonly<Record<string, string>>, call: Call) => Promise<void>;

/**
 * The program of each process where several serve. It is told who starts it: where that one is killed while the other loads, it
 * has gone before the other could look.
 */
const WORKER = {module: fileURLToPath(new URL('./worker.js', import.meta.url)), words: [String(process.pid)]};

/**
 * Runs the gateway until SIGTERM or SIGINT, over what `read` gives at the start and at each reload. Gives the exit code;
 * rejects when the gateway did not start.
 */
export async function runGateway(read: () => Promise<Loaded>, prepare?: Prepare): Promise<number> {
  boundHeap();
  const first = await read();
  const {config} = first;
  const loggerOf = createLog(config.logLevel);
  const log = loggerOf('gateway');
  const inForce = ({logLevel}: GatewayConfig): void => loggerOf.setLevel(logLevel);
  const readConfig = async (): Promise<GatewayConfig> => (await read()).config;
  const gateway: Gateway =
    config.workers === 1
      ? createGateway(config, {loggerOf, readConfig, inForce})
      : new Workers(first, {program: WORKER, loggerOf, read, inForce});
  // What keeps a configuration from being put in force is in the log.
  const signalled = firstSignal(log, () => void gateway.reload().catch(() => undefined));
  const stopping = new AbortController();
  logWarnings(log);
  log.debug('the configuration', {config: printable(config)});
  // A defect in one request must not end the others.
  process.on('unhandledRejection', reason => log.error('unhandled promise rejection', {err: reason}));

  const begin = async (): Promise<void> => {
    const listeners = await gateway.start();
    await prepare?.(listeners, {signal: stopping.signal, log});
    stopping.signal.throwIfAborted();
    process.stdout.write(`${JSON.stringify({ready: true, listeners})}\n`);
    log.info('the gateway is ready', {listeners});
  };
  const begun = begin();
  // A signal during the start ends the start: `stop` then cancels it, and its rejection is no failure.
  const ended = await Promise.race([begun.catch((error: unknown) => ({error})), signalled]);
  if (typeof ended === 'object') {
    await gateway.stop().catch((failure: unknown) => log.error('shutdown failed', {err: failure}));
    throw ended.error;
  }
  log.info('the gateway stops', {signal: await signalled});
  stopping.abort();
  try {
    await gateway.stop();
    return EXIT.ok;
  } catch (error) {
    log.error('shutdown failed', {err: error});
    return EXIT.failed;
  }
}
