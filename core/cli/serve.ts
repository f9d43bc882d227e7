import {createGateway, loadConfig} from '../gateway.js';
import {builtins} from './builtins.js';
import {EXIT} from './exit.js';
import {createLog} from './log.js';

/** Runs the gateway until SIGTERM or SIGINT. Gives the exit code. */
export async function serve({config: file}: {readonly config: string}): Promise<number> {
  const config = await loadConfig({file}, builtins);
  const loggerOf = createLog(config.logLevel);
  const log = loggerOf('gateway');
  const gateway = createGateway(config, {loggerOf});
  const signalled = firstSignal();

  // A signal during the start ends the start: `stop` then cancels it, and its rejection is no failure.
  const started = gateway.start();
  const first = await Promise.race([started, signalled]);
  if (typeof first !== 'string') {
    process.stdout.write(`${JSON.stringify({ready: true, listeners: first})}\n`);
    log.info('the gateway is ready', {listeners: first});
  } else {
    started.catch(() => undefined);
  }
  log.info('the gateway stops', {signal: await signalled});
  try {
    await gateway.stop();
    return EXIT.ok;
  } catch (error) {
    log.error('the stop was not clean', {err: error});
    return EXIT.failed;
  }
}

/** The first signal that asks the process to end. The second ends it at once, with the code of a killed process. */
function firstSignal(): Promise<string> {
  return new Promise(resolve => {
    let asked = false;
    const end = (signal: NodeJS.Signals, code: number) => {
      if (asked) process.exit(code);
      asked = true;
      resolve(signal);
    };
    process.on('SIGTERM', signal => end(signal, 143));
    process.on('SIGINT', signal => end(signal, 130));
  });
}
