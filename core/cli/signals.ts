import type {Logger} from '../api/telemetry.js';
import {forceExit} from './force-exit.js';

const CHECK_INTERVAL = 500;

/**
 * The first signal that asks the process to end. The second ends it at once, with the code of a killed process. SIGHUP
 * asks a server to read its configuration again, and on a terminal says that this has gone. Without `reload` there is
 * nothing to read again.
 */
export function firstSignal(log: Logger, reload?: () => void): Promise<string> {
  return new Promise(resolve => {
    let asked = false;
    const parent = process.ppid;
    const end = (signal: NodeJS.Signals, code: number) => {
      if (asked) forceExit(code);
      asked = true;
      clearInterval(watch);
      resolve(signal);
    };
    // npx hands a signal to a shell, which dies of it and leaves us behind. The timer also keeps a program alive that
    // opens no socket.
    const watch = setInterval(() => {
      if (process.env.npm_command === 'exec' && process.ppid !== parent) end('SIGTERM', 143);
    }, CHECK_INTERVAL);
    process.on('SIGTERM', signal => end(signal, 143));
    process.on('SIGINT', signal => end(signal, 130));
    process.on('SIGHUP', signal => {
      if (process.stdin.isTTY) end(signal, 129);
      else if (reload !== undefined) reload();
      else log.warn('the configuration is not read again while the program runs: a restart is needed', {signal});
    });
  });
}
