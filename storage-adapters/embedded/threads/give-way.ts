import {readlinkSync} from 'node:fs';
import {getPriority, setPriority} from 'node:os';

/** As a nice value, beside that of the process. */
const LESS = 5;
const LEAST = 19;

/**
 * Has the system prefer the other threads to this one where they want a core: whoever waits for an answer waits for them, and
 * writes take what they leave. Linux alone has a priority for each thread.
 */
export function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority() + LESS, LEAST));
  } catch {
    // On another system, or where /proc is not to be seen, the threads stay equal.
  }
}
