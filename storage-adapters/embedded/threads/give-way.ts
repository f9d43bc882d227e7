import {readlinkSync} from 'node:fs';
import {getPriority, setPriority} from 'node:os';

/** As a nice value, beside that of the process. */
const LESS = 5;
const LEAST = 19;

/**
 * Has the system prefer the serving thread to this one where both want a core: whoever waits for a small answer waits for
 * the former, and long reads and writes take what it leaves. Linux alone has priorities of threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority() + LESS, LEAST));
  } catch {
    // Where /proc is not to be seen, or priorities are not to be changed, the threads stay equal.
  }
}
