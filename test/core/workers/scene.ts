import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {RunningGateway} from '../../support/gateway.js';
import {type Answer, ask} from '../../support/http.js';

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/workers/${name}.js`, import.meta.url));

export const PID = fixture('pid-plugin');
export const ONCE = fixture('once-plugin');
export const MIRROR = fixture('mirror-plugin');
export const SHARED = fixture('shared-adapter');

export interface WorkerLine {
  readonly name: string;
  readonly state: string;
  readonly pid: number | null;
  readonly restarts: number;
  readonly message?: string;
}

export interface Status {
  readonly gateway: {readonly state: string};
  readonly storage: {readonly name: string; readonly state: string} | null;
  readonly plugins: readonly {readonly name: string; readonly state: string; readonly message?: string}[];
  readonly workers: readonly WorkerLine[];
  readonly reload: {readonly success: boolean; readonly problems?: readonly object[]} | null;
}

/** Over a connection of its own: one that is kept ends with its worker. */
export const fresh = (url: string): Promise<Answer> => ask(url, {ends: true});

export const statusOf = async ({urls}: RunningGateway): Promise<Status> =>
  (await fresh(`${urls.admin}/-/plugins`)).json<Status>();

/** Who answers, over a connection of its own each. */
export async function answers(url: string | undefined, count: number) {
  const all: {pid: number; word: string}[] = [];
  for (let i = 0; i < count; i++) all.push((await ask(`${url}/pid`, {ends: true})).json());
  return all;
}

export const pidsOf = async (url: string | undefined, count = 6): Promise<readonly number[]> =>
  [...new Set((await answers(url, count)).map(({pid}) => pid))].sort((a, b) => a - b);

export async function reload(gateway: RunningGateway, config: object): Promise<Answer> {
  await writeFile(join(gateway.folder, 'gateway.config.json'), JSON.stringify(config));
  return ask(`${gateway.urls.admin}/-/reload`, {method: 'POST', ends: true});
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

/** The value of a line of a page of metrics; undefined where there is none. */
export function figureOf(page: string, line: string): number | undefined {
  const found = page.split('\n').find(text => text.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

/** As the kernel does when memory is out. Never a whole group, which the number 0 means. */
export function kill(pid: number | null | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (!pid) throw new Error('there is no such worker');
  process.kill(pid, signal);
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};
