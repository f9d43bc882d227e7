import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {GatewayError} from '../../../core/api/adapter.js';
import type {TableProblem} from './check-table.js';

/** Looks through the whole database of a folder that nobody else has, and gives what is damaged. Rejects when it cannot. */
export async function checkFolder(folder: string, signal: AbortSignal): Promise<readonly TableProblem[]> {
  const problems: TableProblem[] = [];
  const script = fileURLToPath(new URL('cli.js', import.meta.url));
  const child = fork(script, [folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, {once: true});
  child.on('message', problem => problems.push(problem as TableProblem));
  try {
    const [code, killedBy] = await once(child, 'close');
    signal.throwIfAborted();
    if (code === 0) return problems;
    throw new GatewayError('storage_failed', `the check of the folder ${folder} has ended with ${killedBy ?? code}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
