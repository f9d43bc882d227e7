import {type ChildProcess, spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Owner} from '../gateway.js';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The user to run as where we are root: some servers refuse to run as root. */
  readonly user?: string;
  /** Asked again and again after a start: true once the server serves. May throw. */
  readonly isUp: () => Promise<boolean>;
}

const SETPRIV = '/usr/bin/setpriv';
const LINES_KEPT = 50;
/** Generous: it only ends a wait that would never end. */
const START_MILLISECONDS = 120_000;

/** A server of another project in a process of its own, which can be broken in several ways and started again. */
export class ServerProcess {
  readonly #launch: Launch;
  readonly #output: string[] = [];
  #child: ChildProcess | undefined;
  #exit: Promise<void> = Promise.resolve();

  /** The process is killed at the end of its owner. */
  constructor(t: Owner, launch: Launch) {
    this.#launch = launch;
    t.teardown(() => this.kill());
  }

  /** The last lines that it wrote to either output. */
  get output(): string {
    return this.#output.join('\n');
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.#launch.command} does not run`);
    return pid;
  }

  /** Starts it, again after an end, and waits until it serves. */
  async start(): Promise<void> {
    const {command, isUp} = this.#launch;
    const child = this.#spawn();
    const deadline = Date.now() + START_MILLISECONDS;
    while (!(await isUp().catch(() => false))) {
      if (this.#child !== child) throw new Error(`${command} ended before it served:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`${command} did not serve:\n${this.output}`);
      await sleep(50);
    }
  }

  /** Ends it in the regular way. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#child?.kill('SIGCONT');
    this.#child?.kill(signal);
    await this.#exit;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#exit;
  }

  /** Halts it: connections stay open, new ones are accepted by the system, nothing answers. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  #spawn(): ChildProcess {
    const {command, args, folder, environment, user} = this.#launch;
    const [file = command, ...rest] = [...privileges(user), command, ...args];
    const child = spawn(file, rest, {
      cwd: folder,
      env: {...process.env, ...environment},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output.push(...text.trimEnd().split('\n'));
        this.#output.splice(0, this.#output.length - LINES_KEPT);
      });
    }
    this.#child = child;
    this.#exit = new Promise(resolve => {
      const ended = (error?: unknown) => {
        if (error instanceof Error) this.#output.push(error.message);
        if (this.#child === child) this.#child = undefined;
        resolve();
      };
      child.once('error', ended).once('exit', () => ended());
    });
    return child;
  }
}

/** Lets the server die with the thread that started it, however that ends, and changes the user where it must. */
function privileges(user: string | undefined): readonly string[] {
  const isRoot = process.getuid?.() === 0;
  if (!existsSync(SETPRIV)) return [];
  const change = user !== undefined && isRoot ? ['--reuid', user, '--regid', user, '--init-groups'] : [];
  return [SETPRIV, ...change, '--pdeathsig', 'KILL'];
}
