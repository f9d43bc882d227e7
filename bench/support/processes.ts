import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:net';
import {dirname, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface RunningProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export function start(command: string, args: readonly string[], folder: string): ChildProcess & RunningProcess {
  const child = spawn(command, args, {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
  child.stderr.resume();
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  if (child.pid === undefined) throw new Error(`${command} cannot be started: is it installed?`);
  return Object.assign(child, {stop}) as ChildProcess & RunningProcess;
}

/** The first line that a program prints, as JSON: how our programs say that they are ready. */
export async function readyLine<T>(child: ChildProcess): Promise<T> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) {
      child.stdout?.resume();
      return JSON.parse(text.slice(0, text.indexOf('\n'))) as T;
    }
  }
  throw new Error(`the process ended with ${child.exitCode} before it was ready`);
}

/** Asks until the address answers 200. */
export async function answers(url: string, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const status = await fetch(url).then(
      async response => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} did not answer within ${seconds} s`);
    await new Promise(done => setTimeout(done, 100));
  }
}
