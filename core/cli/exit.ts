import {ConfigError} from '../config/config-error.js';
import {redactText} from '../config/redact.js';

/** How a program ends. */
export const EXIT = {ok: 0, failed: 1, usage: 2} as const;

/** Writes what ended a command, one problem on each line, and gives the exit code. */
export function reportFailure(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${redactText(message)}\n`);
  return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
}

/**
 * Resolves when all that was printed has been taken, or nobody is there to take it: the end of a process loses what a pipe
 * had no room for.
 */
export async function printed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      to => new Promise<unknown>(resolve => to.once('error', resolve).write('', resolve)),
    ),
  );
}
