import type {Logger} from '../api/telemetry.js';

/**
 * Logs the warnings of the runtime and of libraries, which Node would print as plain text among lines of JSON. A later
 * call puts its log in place of the one before. Where Node is told to print none (`--no-warnings`), none is logged.
 */
export function logWarnings(log: Logger): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({name, message, stack}) => log.warn(message, {warning: name, stack}));
}
