import {spawn} from 'node:child_process';

/** How long a usual exit may take before the process is killed. */
const PATIENCE = 1000;

/**
 * Ends the process though a thread may hang in a call to the system, such as the opening of a file on a server that has
 * gone: `process.exit` waits for every thread, and nothing within the process ends such a one.
 */
export function forceExit(code: number): never {
  const kill = `setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${PATIENCE})`;
  // The pipe closes when this process ends: the number is never that of another one.
  const watch = `process.stdin.on('end', () => process.exit()).resume(); ${kill}`;
  spawn(process.execPath, ['-e', watch], {stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {}});
  process.exit(code);
}
