import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import type {WriterOrder, WriterReport} from './cli.js';

const PROGRAM = fileURLToPath(new URL('./cli.js', import.meta.url));

/**
 * Starts a process that writes, kills it with SIGKILL when `rounds` rounds are acknowledged, and gives the number of the
 * last round of which it was told.
 */
export async function writeAndKill(order: WriterOrder, rounds: number): Promise<number> {
  const child = fork(PROGRAM, {stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
  const ended = once(child, 'exit');
  let last = order.first - 1;
  const enough = new Promise<void>((resolve, reject) => {
    child.on('message', (report: WriterReport) => {
      if ('failed' in report) reject(new Error(`the process that writes: ${report.failed}`));
      else last = report.acknowledged;
      if (last >= order.first + rounds - 1) resolve();
    });
    void ended.then(([code]) => reject(new Error(`the process that writes has ended by itself, with code ${code}`)));
  });
  child.send(order);
  try {
    await enough;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return last;
}
